"""`tap replay`: plays the plugin or the host of a recording, against the other one, live."""

import os
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

import click

from tapproxy.commands.asking import instant
from tapproxy.commands.output import Look, columns, look_options, write_lines
from tapproxy.commands.replay_line import WithWords, check_program, checked, recorded_command
from tapproxy.commands.replayable import candidates
from tapproxy.commands.replaying import Recorded, lines_of, recorded_as, told, write_junit
from tapproxy.errors import COULD_NOT_RUN, TapError
from tapproxy.opening import opened
from tapproxy.replay.candidates import Candidate, find_session
from tapproxy.replay.choosing import fitting, next_for_host, numbered
from tapproxy.replay.engine import Options
from tapproxy.replay.matching import LEVELS, Level
from tapproxy.replay.playing import Plan, play_host, play_plugin
from tapproxy.replay.schedule import Pace
from tapproxy.replay.script import Role
from tapproxy.replay.stages import end_as
from tapproxy_store.recording import command_line

DIFFERS = 1

EXAMPLES = """\b
Examples:
  tap replay bug.tape --as plugin                    where the host names the plugin's command
  tap replay bug.tape --as host -- ./my-plugin       does the plugin answer as it did?
  tap replay bug.tape --as host --pace 0 --junit r.xml -- ./my-plugin
  tap replay bug.tape --as plugin --print            what would be done, step by step
  tap replay calls/ --as plugin -- interface install_packages --args '{}'
"""


@click.command("replay", cls=WithWords, epilog=EXAMPLES)
@click.argument("recordings", metavar="RECORDING...", nargs=-1)
@click.option(
    "--as",
    "role",
    type=click.Choice(["plugin", "host"]),
    help="The side that is played; the other is live.",
)
@click.option(
    "--recorded-command",
    is_flag=True,
    help="As host: start the recorded command. It is shown first.",
)
@click.option(
    "--session",
    "number",
    type=click.IntRange(1),
    metavar="N",
    help="The Nth session of those that fit; by default, as plugin, the next that this host "
    "has not had, and as host the first.",
)
@click.option(
    "--pace",
    type=click.FloatRange(0),
    default=1.0,
    show_default=True,
    metavar="N",
    help="N times as fast as recorded; 0 waits for the other side alone.",
)
@click.option("--max-gap", metavar="TIME", help="No recorded pause is longer: 2s.")
@click.option(
    "--order",
    type=click.Choice(["causal", "strict"]),
    default="causal",
    show_default=True,
    help="causal: an answer waits for its own question; strict: all in recorded order.",
)
@click.option(
    "--chunks",
    type=click.Choice(["recorded", "any"]),
    default="recorded",
    show_default=True,
    help="recorded: each write is read as such; any: as fast as can be.",
)
@click.option(
    "--match",
    "level",
    type=click.Choice(LEVELS),
    default="semantic",
    show_default=True,
    help="How like a recorded question a live one must be to get its answer.",
)
@click.option(
    "--ignore",
    multiple=True,
    metavar="PATH",
    help="A value that may differ, such as params.cwd; repeatable.",
)
@click.option(
    "--on-miss",
    type=click.Choice(["error", "silent", "exit"]),
    default="error",
    show_default=True,
    help="What a question gets that the recording cannot answer.",
)
@click.option(
    "--patience",
    default="10s",
    show_default=True,
    metavar="TIME",
    help="How much longer than recorded to wait for the other side.",
)
@click.option(
    "--late",
    type=click.FloatRange(1),
    metavar="N",
    help="An answer that takes N times as long as recorded is a difference.",
)
@click.option("--print", "only_print", is_flag=True, help="Show the script, and run nothing.")
@click.option(
    "--report",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="The report's form, on stderr.",
)
@click.option("--junit", metavar="FILE", help="Write the report as JUnit XML, too.")
@click.option("-o", "--output", metavar="FILE", help="Where the replay is recorded.")
@click.option("--no-record", is_flag=True, help="Do not record the replay.")
@click.option("--recorded-in", hidden=True)
@click.option("--chosen", type=(str, int), hidden=True)
@look_options
def command(
    recordings: tuple[str, ...],
    words: tuple[str, ...],
    role: Role | None,
    look: Look,
    **options: Any,
) -> None:
    """Play one side of RECORDING again: its plugin before a live host, or its host before a plugin.

    What was recorded is sent as it was, byte for byte and at the same pace: answers when their
    question has come, with its id in place of the recorded one; the rest after what came before it.
    What the other side does is compared: exit 0 if it is the same, 1 if it differs.

    As plugin, tap ends as the recorded plugin did; put it where the host names the plugin's
    command. RECORDING may be several, and folders of them: each time a host starts its plugin, it
    gets the next session, and the last again once it had them all. WORDs are what the host adds to
    the command, where that is its request: then only sessions that were started with them fit (JSON
    in any spelling, and --args-file FILE as --args with what is in it).

    As host, the WORDs are the plugin's command, which is started. The replay is recorded too.
    """
    side = checked(role, recordings, words, options)
    if options["chosen"] is not None:  # we were started to play it, and are recorded
        path, session = options["chosen"]
        _play_plugin(session, _plan(path, side, options), options)
    chosen = _chosen(recordings, words, side, options)
    plan = _plan(chosen.path, side, options)
    if options["only_print"]:
        with opened(chosen.path) as it:
            write_lines(lines_of(it, find_session(it, chosen.session.id), plan, columns()), look)
    elif side == "plugin":
        _as_plugin(chosen, plan, options)
    else:
        _as_host(chosen, plan, options, words)


def _chosen(
    names: Sequence[str], words: Sequence[str], role: Role, options: dict[str, Any]
) -> Candidate:
    found = candidates(names)
    fit = fitting(found, words if role == "plugin" else ())
    if options["number"] is not None:
        return numbered(fit, options["number"])
    if role == "host" or options["only_print"]:
        return fit[0]
    chosen, is_new = next_for_host(found, fit)
    if not is_new:
        click.echo(
            f"tap: this host has had all {len(fit)} sessions; the last is played again "
            "(--session N plays another)",
            err=True,
        )
    return chosen


def _plan(path: str, role: Role, options: dict[str, Any]) -> Plan:
    gap = options["max_gap"]
    level: Level = options["level"]
    return Plan(
        path,
        role,
        Options(
            pace=Pace(options["pace"], None if gap is None else instant(gap, "--max-gap")),
            level=level,
            ignored=options["ignore"],
            on_miss=options["on_miss"],
            patience_ns=instant(options["patience"], "--patience"),
            late_times=options["late"],
        ),
        strict=options["order"] == "strict",
        apart=options["chunks"] == "recorded",
        replay=options["recorded_in"],
    )


def _as_plugin(chosen: Candidate, plan: Plan, options: dict[str, Any]) -> NoReturn:
    if not options["no_record"]:
        place = recorded_as(chosen, plan.role, options["output"])
        _become(place.around([sys.executable, "-m", "tapproxy", *_once_more(chosen, place)]))
    _play_plugin(chosen.session.id, plan, options)


def _play_plugin(session: int, plan: Plan, options: dict[str, Any]) -> NoReturn:
    with opened(plan.recording) as it:  # closed before the end, which may be by a signal
        played = play_plugin(it, find_session(it, session), plan)
    if played.verdict.differs or options["form"] == "json":
        told(played.verdict, options["form"])
    write_junit(played.verdict, options["junit"])
    if played.verdict.differs:
        os._exit(DIFFERS)
    if played.ended is not None:
        end_as(played.ended)
    os._exit(0)


def _as_host(
    chosen: Candidate, plan: Plan, options: dict[str, Any], command: Sequence[str]
) -> NoReturn:
    if options["recorded_command"]:
        command = recorded_command(chosen)
        click.echo(f"starting {command_line(command)}", err=True)
    check_program(command)
    if not options["no_record"]:
        place = recorded_as(chosen, plan.role, options["output"])
        plan = place.noted(plan)
        command = place.around(command)
    with opened(chosen.path) as it:
        played = play_host(it, find_session(it, chosen.session.id), plan, command)
    told(played.verdict, options["form"])
    write_junit(played.verdict, options["junit"])
    sys.exit(DIFFERS if played.verdict.differs else 0)


def _once_more(chosen: Candidate, place: Recorded) -> list[str]:
    """Return our own arguments, so that the replay that is recorded does not record itself."""
    session = ["--chosen", os.path.abspath(chosen.path), str(chosen.session.id)]
    return ["replay", "--no-record", "--recorded-in", place.path, *session, *sys.argv[2:]]


def _become(command: list[str]) -> NoReturn:
    try:
        os.execv(command[0], command)
    except OSError as error:
        raise TapError(f"cannot start {command[0]}: {error.strerror}", COULD_NOT_RUN) from error
