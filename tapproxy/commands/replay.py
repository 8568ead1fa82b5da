"""`tap replay`: plays the plugin or the host of a recording, against the other one, live.

A host may wait three seconds for a plugin's first answer, its start included, and a replay that is
recorded starts twice: what plays is imported only by who plays.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NoReturn

import click

from tapproxy.commands.asking import instant
from tapproxy.commands.asking_on import terminal_of, told_on
from tapproxy.commands.output import Look, columns, look_options, write_lines
from tapproxy.commands.record_modes import find_tape, forward_all, keep, record_anew
from tapproxy.commands.replay_asked import Asked
from tapproxy.commands.replay_line import (
    WithWords,
    check_program,
    checked,
    parted,
    recorded_command,
    with_hint,
)
from tapproxy.commands.replay_options import replay_options
from tapproxy.commands.replayable import candidates
from tapproxy.commands.replaying import (
    Recorded,
    become,
    lines_of,
    recorded_as,
    told,
    write_junit,
)
from tapproxy.commands.warning import warn_of_redaction
from tapproxy.opening import opened
from tapproxy.own_path import tap_command
from tapproxy.replay.candidates import find_session, findable
from tapproxy.replay.choosing import NothingFits, fitting, next_for_host, numbered
from tapproxy.replay.sides import session_of_both
from tapproxy_store.recording import command_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tapproxy.commands.replay_line import Words
    from tapproxy.replay.candidates import Candidate
    from tapproxy.replay.playing import Plan
    from tapproxy.replay.script import Role

DIFFERS = 1

EXAMPLES = """\b
Examples:
  tap replay bug.tape --as plugin                    where the host names the plugin's command
  tap replay bug.tape --as host -- ./my-plugin       does the plugin answer as it did?
  tap replay bug.tape --as host --pace 0 --junit r.xml -- ./my-plugin
  tap replay bug.tape --as plugin --print            what would be done, step by step
  tap replay bug.tape --as host --step -- ./my-plugin            asks you before each step
  tap replay calls/ --as plugin -- interface install_packages --args '{}'
  tap replay bug.tape --as plugin --record-mode new -- ./my-plugin
"""


@click.command("replay", cls=WithWords, epilog=EXAMPLES)
@click.argument("recordings", metavar="RECORDING...", nargs=-1)
@replay_options
@look_options
def command(recordings: tuple[str, ...], words: tuple[str, ...], **options: Any) -> None:
    """Play one side of RECORDING again: its plugin before a live host, or its host before a plugin.

    What was recorded is sent as it was, byte for byte and at the same pace: answers when their
    question has come, with its id in place of the recorded one; the rest after what came before it.
    What the other side does is compared: exit 0 if it is the same, 1 if it differs.

    As plugin, tap ends as the recorded plugin did; put it where the host names the plugin's
    command. RECORDING may be several, and folders of them: each time a host starts its plugin, it
    gets the next session, and the last again once it had them all. WORDs are what the host adds to
    the command, where that is its request: then only sessions that were started with them fit (JSON
    in any spelling, and --args-file FILE as --args with what is in it).

    As host, the WORDs are the plugin's command, which is started; as plugin too, with --on-miss
    forward or --record-mode, and what the host adds follows another --. The replay is recorded too.
    """
    asked = Asked(**options)
    side = checked(asked, recordings, words)
    said = parted(words, side, asked)
    asked = replace(
        asked,
        max_gap_ns=None if asked.max_gap is None else instant(asked.max_gap, "--max-gap"),
        patience_ns=instant(asked.patience, "--patience"),
        real_plugin=(*said.command, *said.added),
    )
    asked = replace(asked, terminal=terminal_of(asked))
    if asked.chosen is not None:  # we were started to play it, and are recorded
        path, session = asked.chosen
        _play_plugin(session, _plan(path, side, asked), asked)
    mode = asked.record_mode
    if mode != "none" and find_tape(recordings[0], mode) is None:
        check_program(said.command)
        record_anew(recordings[0], asked)
    _go_on(_found(recordings, said, asked), side, asked, said.command)


def _go_on(chosen: Candidate, role: Role, asked: Asked, command: Sequence[str]) -> None:
    """Print the session, or play it."""
    if role == "host" or asked.only_print:
        warn_of_redaction(chosen.session, asked.form)
    if asked.only_print:
        _print(chosen, _plan(chosen.path, role, asked), asked.look)
    elif role == "plugin":
        _as_plugin(chosen, role, asked)
    else:
        _as_host(chosen, _plan(chosen.path, role, asked), asked, command)


def _found(names: Sequence[str], said: Words, asked: Asked) -> Candidate:
    """Choose the session; where none fits, be the real plugin, if that is to answer."""
    try:
        return _chosen(names, said.added, asked)
    except NothingFits as error:
        is_forwarded = asked.on_miss == "forward" or asked.record_mode == "new"
        if asked.only_print or not is_forwarded:
            if asked.on_miss == "error" and not asked.only_print:
                _refuse(error)
            raise with_hint(error, said.added) from error
        check_program(said.command)
        forward_all(str(error), names[0], asked)


def _refuse(error: NothingFits) -> None:
    """Tell the host in the recordings' protocol, where that has words for it without a question."""
    from tapproxy.dialects.registry import dialects

    argv, name = error.first.argv, error.first.session.dialect
    known = (
        it for it in dialects() if (it.recognise(argv, ()) if name is None else it.name == name)
    )
    refusal = next((it.refusal for it in known), None)
    answer = None if refusal is None else refusal(b"", str(error))
    if answer is not None:
        with suppress(OSError):  # nobody reads it
            os.write(sys.stdout.fileno(), answer + b"\n")


def _print(chosen: Candidate, plan: Plan, look: Look) -> None:
    with opened(chosen.path) as it:
        session = find_session(it, chosen.session.id)
        write_lines(lines_of(it, session, plan, columns()), look)


def _chosen(names: Sequence[str], added: Sequence[str], asked: Asked) -> Candidate:
    found = candidates(names)
    fit = fitting(found, added)
    if asked.number is not None:
        return numbered(fit, asked.number)
    if asked.role == "host" or asked.only_print:
        return fit[0]
    chosen, is_new = next_for_host(found, fit)
    if not is_new:
        click.echo(
            f"tap: this host has had all {len(fit)} sessions; the last is played again "
            "(--session N plays another)",
            err=True,
        )
    return chosen


def _plan(path: str, role: Role, asked: Asked) -> Plan:
    from tapproxy.replay.doing import Options
    from tapproxy.replay.playing import Plan
    from tapproxy.replay.schedule import Pace

    return Plan(
        path,
        role,
        Options(
            pace=Pace(0 if asked.by_hand else asked.pace, asked.max_gap_ns),
            level=asked.level,
            ignored=asked.ignore,
            on_miss="forward" if asked.record_mode == "new" else asked.on_miss,
            learns=asked.record_mode == "new",
            patience_ns=asked.patience_ns,
            late_times=asked.late,
        ),
        strict=asked.order == "strict",
        chunks=asked.chunks,
        replay=asked.recorded_in,
        terminal=asked.terminal,
        real_plugin=asked.real_plugin,
    )


def _as_plugin(chosen: Candidate, role: Role, asked: Asked) -> NoReturn:
    if not asked.no_record:
        place = recorded_as(chosen, role, asked)
        become(place.around(tap_command(*_once_more(chosen, place))))
    _play_plugin(chosen.session.id, _plan(chosen.path, role, asked), asked)


def _play_plugin(session: int, plan: Plan, asked: Asked) -> NoReturn:
    from tapproxy.replay.playing import play_plugin
    from tapproxy.replay.stages import end_as

    with opened(plan.recording) as it:  # closed before the end, which may be by a signal
        its_session = session_of_both(it, session, "plugin", findable(plan.recording))
        played = play_plugin(it, its_session, plan)
    if played.verdict.differs:  # not before: the host reads our stderr, where the plugin said less
        warn_of_redaction(its_session, asked.form)
    try:
        kept = keep(played, plan, session) if asked.record_mode == "new" else None
    finally:
        if played.verdict.found or played.verdict.differs or asked.form == "json":
            told(played.verdict, asked.form, asked.look)
        told_on(plan.terminal, played.verdict)
        write_junit(played.verdict, asked.junit)
    if kept is not None:
        click.echo(f"tap: {kept}", err=True)
    if played.verdict.differs:
        os._exit(DIFFERS)
    if played.ended is not None:
        end_as(played.ended)
    os._exit(0)


def _as_host(chosen: Candidate, plan: Plan, asked: Asked, command: Sequence[str]) -> NoReturn:
    from tapproxy.replay.playing import play_host

    if asked.recorded_command:
        command = recorded_command(chosen)
        click.echo(f"starting {command_line(command)}", err=True)
    check_program(command)
    if not asked.no_record:
        place = recorded_as(chosen, plan.role, asked)
        plan = place.noted(plan)
        command = place.around(command)
    with opened(chosen.path) as it:
        session = session_of_both(it, chosen.session.id, "host", findable(plan.recording))
        played = play_host(it, session, plan, command)
    told(played.verdict, asked.form, asked.look)
    write_junit(played.verdict, asked.junit)
    sys.exit(DIFFERS if played.verdict.differs else 0)


def _once_more(chosen: Candidate, place: Recorded) -> list[str]:
    """Return our own arguments, so that the replay that is recorded does not record itself."""
    session = ["--chosen", os.path.abspath(chosen.path), str(chosen.session.id)]
    return ["replay", "--no-record", "--recorded-in", place.path, *session, *sys.argv[2:]]
