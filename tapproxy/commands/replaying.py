"""What `tap replay` shows, and where it is recorded itself.

Part of each replay's start: what draws is imported when there is something to draw.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import click

from tapproxy.commands.output import Look, columns, theme_of, wants_colour
from tapproxy.commands.replayable import TAPE
from tapproxy.errors import COULD_NOT_RUN, TapError
from tapproxy.own_path import tap_command
from tapproxy_store import locate
from tapproxy_store.tags import REPLAY_OF, REPLAYED_AS
from tapproxy_viewers.lines import Line, painter, plain
from tapproxy_viewers.naming import called

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tapproxy.commands.replay_asked import Asked
    from tapproxy.replay.candidates import Candidate
    from tapproxy.replay.playing import Plan
    from tapproxy.replay.script import Role
    from tapproxy_store.reading import Recording
    from tapproxy_store.records import Session
    from tapproxy_viewers.replay_report import Verdict

F = TypeVar("F", bound="Callable[..., Any]")

OUTPUT = click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="Where the replay is recorded: FILE, or a new file in it where it is a folder.",
)
NO_RECORD = click.option("--no-record", is_flag=True, help="Do not record the replay.")
REDACT = click.option(
    "--redact",
    multiple=True,
    metavar="RULE",
    help="Keep secrets out of the replay's recording, as `tap run --redact` does; repeatable.",
)
KEEP = click.option(
    "--keep",
    metavar="BOUNDS",
    help="How many replays are kept, as `tap run --keep` has it; by default all.",
)

REPLAY = "-replay"
"""How the name of a replay's session ends: the original's name alone still finds the original."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """How a replay is recorded."""

    path: str
    name: str
    original: str  # the recording that is replayed
    role: Role
    options: tuple[str, ...]  # further ones of `tap run`

    def around(self, command: Sequence[str]) -> list[str]:
        """Return a command that records another."""
        return tap_command(
            "run", "-o", self.path, "--name", self.name,
            "--tag", f"{REPLAY_OF}={self.original}", "--tag", f"{REPLAYED_AS}={self.role}",
            *self.options,
            "--", *command,
        )  # fmt: skip

    def noted(self, plan: Plan) -> Plan:
        """Return the plan with the place in it, for the report."""
        return replace(plan, replay=self.path)


def recording_options(command: F) -> F:
    """Add to a command what it has to say of how the replay is recorded."""
    for add in reversed((OUTPUT, NO_RECORD, REDACT, KEEP)):
        command = add(command)
    return command


def recorded_as(it: Candidate, role: Role, asked: Asked) -> Recorded:
    """Say where the replay of a session is recorded: in FILE, or where all recordings go."""
    original = called(it.path)
    name = (it.session.name or original.removesuffix(TAPE)).removesuffix(REPLAY)
    word = name[: locate.LONGEST_WORD - len(REPLAY)] + REPLAY
    path = place_for(word, asked.output)
    return Recorded(path, name + REPLAY, original, role, _run_options(asked))


def forwarded_as(recording: str, command: Sequence[str], asked: Asked) -> Recorded:
    """Say where a session of the real plugin is recorded that stands in a replay's place."""
    name = os.path.basename(command[0])
    path = place_for(name, asked.output)
    return Recorded(path, name, called(recording), "plugin", _run_options(asked))


def place_for(name: str, output: str | None) -> str:
    """Return the path of what is recorded: `output`, or a new file in it where it is a folder."""
    if output and not (output.endswith(os.sep) or os.path.isdir(output)):
        return output
    return os.path.join(output or locate.recordings_folder(), locate.recording_name(name))


def _run_options(asked: Asked) -> tuple[str, ...]:
    """Return those of `tap run`; raises TapError where they are wrong."""
    if asked.redact:
        from tapproxy.redaction.rules import read_rules

        read_rules(asked.redact)
    if asked.keep is not None:
        from tapproxy.retention.wording import read_bounds

        read_bounds(asked.keep)
    rules = tuple(it for rule in asked.redact for it in ("--redact", rule))
    return (*rules, *(() if asked.keep is None else ("--keep", asked.keep)))


def become(command: Sequence[str]) -> NoReturn:
    """Be that program from now on; raises TapError."""
    try:
        os.execv(command[0], list(command))
    except OSError as error:
        raise TapError(f"cannot start {command[0]}: {error.strerror}", COULD_NOT_RUN) from error


def lines_of(it: Recording, session: Session, plan: Plan, width: int) -> Iterator[Line]:
    """Draw the script."""
    from tapproxy.replay.source import Source
    from tapproxy.replay.telling import planned
    from tapproxy_viewers.layout import layout
    from tapproxy_viewers.replay_script import script_lines

    counts = it.counts(session.id)
    place = layout(width, session.duration_ns or 0, sum(counts.frames.values()))
    items = Source(it, session).items(plan.role, strict=plan.strict)
    return script_lines(planned(items, it.payload), place)


def told(verdict: Verdict, form: str, look: Look) -> None:
    """Write the report to stderr."""
    from tapproxy_viewers.jsonl import dumped
    from tapproxy_viewers.replay_report import report, report_object

    if form == "json":
        text = dumped(report_object(verdict))
    else:
        paint = painter(theme_of(look)) if wants_colour(look, None, sys.stderr) else plain
        text = "".join(f"{paint(line)}\n" for line in report(verdict, columns())).encode()
    try:
        while text:
            text = text[os.write(2, text) :]
    except OSError:  # nobody reads it: the exit code has to do
        return


def write_junit(verdict: Verdict, path: str | None) -> None:
    """Write the report as JUnit XML, if it is wanted."""
    if path is None:
        return
    from tapproxy_viewers.replay_junit import junit

    try:
        with open(path, "wb") as file:
            file.write(junit([verdict]))
    except OSError as error:
        raise TapError(f"cannot write {path}: {error.strerror}", COULD_NOT_RUN) from error
