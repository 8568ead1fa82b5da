"""What `tap replay` records into the tape that it plays: nothing, what is new, or all of it.

Part of each replay's start: what plays, and what writes, is imported where it is needed.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import click
from click.core import ParameterSource

from tapproxy.commands.replaying import become, forwarded_as, place_for, told, write_junit
from tapproxy.errors import COULD_NOT_RUN, USAGE, TapError
from tapproxy.opening import STDIN, opened
from tapproxy.own_path import tap_command
from tapproxy.wire.linux import die_with_parent
from tapproxy_store import locate
from tapproxy_store.errors import RecordingNotFound
from tapproxy_store.recording import command_line
from tapproxy_store.records import Event, Session
from tapproxy_store.tape import is_tape, tape_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tapproxy.commands.replay_asked import Asked
    from tapproxy.replay.playing import Plan, Played
    from tapproxy_store.reading import Recording

F = TypeVar("F", bound="Callable[..., Any]")

MODES = ("none", "once", "new", "all")

ON_MISS = click.option(
    "--on-miss",
    type=click.Choice(["error", "silent", "exit", "forward"]),
    default="error",
    show_default=True,
    help="What a question gets that the recording cannot answer; forward: the answer of the real "
    "plugin, whose command stands after --.",
)

RECORD_MODE = click.option(
    "--record-mode",
    type=click.Choice(MODES),
    default="none",
    show_default=True,
    help="once: record the plugin whose command stands after -- where there is no RECORDING; new: "
    "forward, and add the answers to RECORDING, a tape; all: record it anew.",
)

OWN_ENDS = ("exit", "signal")
"""How the outcome of a session begins whose plugin has ended, and whose recorder has not."""


def miss_options(command: F) -> F:
    """Add --on-miss and --record-mode to a command."""
    for add in reversed((ON_MISS, RECORD_MODE)):
        command = add(command)
    return command


def wrong_with_modes(
    asked: Asked, recordings: Sequence[str], words: Sequence[str]
) -> Iterator[str]:
    """Yield what is wrong with --record-mode, and with --on-miss forward."""
    mode = asked.record_mode
    asking = f"--record-mode {mode}" if mode != "none" else "--on-miss forward"
    if not asked.needs_plugin:
        return
    if asked.role == "host":
        yield f"{asking} is for --as plugin: as host, the real plugin is asked anyway"
    if not words or words[0] in ("", "--"):
        yield f"{asking} needs the real plugin: name its command after --"
    if mode != "none" and asked.redact:
        yield (
            f"--redact is about a replay's recording, and --record-mode {mode} writes a tape as "
            "it was said: leave one out (`tap redact` makes a copy)"
        )
    if mode != "none" and len(recordings) > 1:
        yield f"--record-mode {mode} is about one tape: name no more"
    source = click.get_current_context().get_parameter_source("on_miss")
    is_chosen = source == ParameterSource.COMMANDLINE and asked.on_miss != "forward"
    if mode in ("new", "all") and is_chosen:
        chosen = f"--on-miss {asked.on_miss}"
        yield f"--record-mode {mode} and {chosen} contradict each other: leave one out"


def find_tape(name: str, mode: str) -> str | None:
    """Return the path of the tape that is played, None where all is to be recorded into it.

    Raises TapError where something else is there, or could only be.
    """
    if name == STDIN or not os.path.basename(name):
        raise TapError(f"{name!r} names no file, and --record-mode {mode} writes one", USAGE)
    try:
        path = locate.find_recording(name)
    except RecordingNotFound:
        path = name
    if path.endswith(locate.ENDING) or (os.path.exists(path) and not is_tape(path)):
        raise TapError(
            f"{name} is no tape, and --record-mode {mode} writes one: "
            f"`tap export {name} --to tape` makes a tape of a recording",
            USAGE,
        )
    return None if mode == "all" or not os.path.exists(path) else path


def record_anew(tape: str, asked: Asked) -> NoReturn:
    """Run the plugin on our own descriptors, write the tape, and end as the plugin did."""
    from tapproxy.replay.keeping import check_place, replace
    from tapproxy.replay.stages import end_as

    check_place(tape)
    with _recorded(asked.real_plugin, asked) as (lines, ended):
        replace(tape, lines)
    end_as(ended)


def forward_all(why: str, recording: str, asked: Asked) -> NoReturn:
    """Be the real plugin, recorded, where the recording has no session like this at all."""
    command = list(asked.real_plugin)
    click.echo(f"tap: {why}; starting {command_line(command)}", err=True)
    if asked.record_mode == "new":
        from tapproxy.replay.keeping import append, check_place
        from tapproxy.replay.stages import end_as

        check_place(recording)
        began_ns = time.monotonic_ns()
        with _recorded(command, asked) as (lines, ended):
            append(recording, lines)
        _tell_forwarded(why, recording, time.monotonic_ns() - began_ns, asked)
        end_as(ended)
    _tell_forwarded(why, recording, 0, asked)  # we are another program from then on
    if asked.no_record:
        become([shutil.which(command[0]) or command[0], *command[1:]])
    become(forwarded_as(recording, command, asked).around(command))


def _tell_forwarded(why: str, recording: str, took_ns: int, asked: Asked) -> None:
    """Write the reports for programs; people were told already."""
    from tapproxy_viewers.replay_report import Found, Verdict

    verdict = Verdict(
        recording, "plugin", 0, 0, took_ns, {"forwarded": 1}, (Found("forwarded", why),)
    )
    if asked.form == "json":
        told(verdict, asked.form, asked.look)
    write_junit(verdict, asked.junit)


def keep(played: Played, plan: Plan, session: int) -> str | None:
    """Add what is new to the tape that was played; say what was done, if anything."""
    if not played.news:
        return None
    verdict = played.verdict
    if verdict.ended is not None or verdict.counts.get("miss"):
        return f"{verdict.recording} stays as it was, as the replay did not end well"
    from tapproxy.replay.keeping import grow

    grow(plan.recording, session, played.news)
    count = verdict.counts.get("forwarded", 0)
    return f"{count:,} of the host's messages added to {verdict.recording}, with their answers"


@contextmanager
def _recorded(command: Sequence[str], asked: Asked) -> Iterator[tuple[Iterator[bytes], Event]]:
    """Run a command in our place and record it; give its tape, and how it ended."""
    from tempfile import TemporaryDirectory

    with TemporaryDirectory(prefix="tap-") as folder:
        elsewhere = os.path.join(folder, "") if asked.no_record else None
        path = place_for(command[0], asked.output or elsewhere)
        code = _run(["-o", path, "--ingest", "later", "--", *command])
        with opened(path) as recording:
            (session,) = recording.sessions()
            if not _has_ended(recording, session):
                why = session.outcome or "no end is on record"
                raise TapError(f"nothing is kept of a session that ended so: {why}")
            ended = {"code": code} if code >= 0 else {"signal": signal.Signals(-code).name}
            yield tape_lines(recording), Event(0, 0, 0, "exit", ended)


def _has_ended(recording: Recording, session: Session) -> bool:
    """Tell whether the plugin has ended, and not its recorder."""
    if session.outcome is not None:
        return session.outcome.startswith(OWN_ENDS)
    ends = (it for it in recording.records(session.id) if isinstance(it, Event))
    return any(it.kind == "exit" for it in ends)  # another process has its stdout open, still


def _run(arguments: Sequence[str]) -> int:
    """Start `tap run`, hand it all that is ours, and return what it ended with."""
    from tapproxy.replay.stages import CAUGHT

    command = tap_command("run", *arguments)
    try:
        child = subprocess.Popen(command, preexec_fn=_die_with_us)  # noqa: PLW1509  one thread
    except OSError as error:
        raise TapError(f"cannot start {command[0]}: {error.strerror}", COULD_NOT_RUN) from error
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1):  # the host sees their ends when the plugin closes them
        os.dup2(nothing, descriptor)

    def pass_on(number: int, _: object) -> None:
        if number != signal.SIGINT or not _has_terminal():  # which tells all of us
            with suppress(ProcessLookupError):
                child.send_signal(number)

    for name in CAUGHT:
        signal.signal(getattr(signal, name), pass_on)
    return child.wait()


def _die_with_us() -> None:
    die_with_parent(signal.SIGKILL)


def _has_terminal() -> bool:
    """Tell whether we are in the foreground of a terminal, whose Ctrl-C goes to all there."""
    try:
        terminal = os.open("/dev/tty", os.O_RDONLY | os.O_NOCTTY)
    except OSError:
        return False
    try:
        return os.tcgetpgrp(terminal) == os.getpgrp()
    except OSError:
        return False
    finally:
        os.close(terminal)
