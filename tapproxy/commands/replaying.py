"""What `tap replay` shows, and where it is recorded itself."""

import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tapproxy.commands.output import columns
from tapproxy.commands.replayable import REPLAY_OF, TAPE
from tapproxy.errors import COULD_NOT_RUN, TapError
from tapproxy.replay.candidates import Candidate
from tapproxy.replay.playing import Plan
from tapproxy.replay.script import Role
from tapproxy.replay.source import Source
from tapproxy.replay.telling import planned
from tapproxy_store import locate
from tapproxy_store.reading import Recording
from tapproxy_store.records import Session
from tapproxy_viewers.jsonl import dumped
from tapproxy_viewers.layout import layout
from tapproxy_viewers.lines import Line, plain
from tapproxy_viewers.naming import called
from tapproxy_viewers.replay_junit import junit
from tapproxy_viewers.replay_report import Verdict, report, report_object
from tapproxy_viewers.replay_script import script_lines

REPLAYED_AS = "replayed-as"
"""The tag that says which side was played; REPLAY_OF says of which recording."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """How a replay is recorded."""

    path: str
    name: str
    original: str  # the recording that is replayed
    role: Role

    def around(self, command: Sequence[str]) -> list[str]:
        """Return a command that records another."""
        return [
            sys.executable, "-m", "tapproxy", "run", "-o", self.path, "--name", self.name,
            "--tag", f"{REPLAY_OF}={self.original}", "--tag", f"{REPLAYED_AS}={self.role}",
            "--", *command,
        ]  # fmt: skip

    def noted(self, plan: Plan) -> Plan:
        """Return the plan with the place in it, for the report."""
        return replace(plan, replay=self.path)


def recorded_as(it: Candidate, role: Role, output: str | None) -> Recorded:
    """Say where the replay of a session is recorded: in FILE, or where all recordings go."""
    original = called(it.path)
    name = it.session.name or original.removesuffix(TAPE)
    path = output or os.path.join(locate.recordings_folder(), locate.recording_name(name))
    return Recorded(path, name, original, role)


def lines_of(it: Recording, session: Session, plan: Plan, width: int) -> Iterator[Line]:
    """Draw the script."""
    counts = it.counts(session.id)
    place = layout(width, session.duration_ns or 0, sum(counts.frames.values()))
    items = Source(it, session).items(plan.role, strict=plan.strict)
    return script_lines(planned(items, it.payload), place)


def told(verdict: Verdict, form: str) -> None:
    """Write the report to stderr."""
    if form == "json":
        text = dumped(report_object(verdict))
    else:
        text = "".join(f"{plain(line)}\n" for line in report(verdict, columns())).encode()
    try:
        while text:
            text = text[os.write(2, text) :]
    except OSError:  # nobody reads it: the exit code has to do
        return


def write_junit(verdict: Verdict, path: str | None) -> None:
    """Write the report as JUnit XML, if it is wanted."""
    if path is None:
        return
    try:
        with open(path, "wb") as file:
            file.write(junit([verdict]))
    except OSError as error:
        raise TapError(f"cannot write {path}: {error.strerror}", COULD_NOT_RUN) from error
