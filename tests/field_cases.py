"""The cases from the field as recordings: what happened in each, as our recorder writes it down.

`python -m tests.field_cases` (with PYTHONPATH=.:store:viewers) draws the golden timelines anew.
"""

import json
import os
import shlex
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC
from errno import ENOENT
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from tapproxy.ingest.tapes import import_file
from tapproxy_store.reading import Recording, open_recording
from tapproxy_store.records import STREAMS, Chunk, Event, Session, Stream
from tapproxy_viewers.lines import plain
from tapproxy_viewers.screen import View, screen

CASES = Path(__file__).parent.parent / "fixtures" / "cases"
FIELD = CASES / "field.jsonl"
TIMELINES = CASES / "timelines.txt"

WIDTH = 100
MS = 1_000_000
"""Nanoseconds."""
STARTED_NS = 1_796_070_605_000_000_000
"""2026-11-30 20:30:05 UTC."""

WAITED_NS = 30_000 * MS
"""How long a recorder goes on in vain where a case ends with somebody who does nothing more."""

STUCK = ("child_stall", "child_stops_reading", "child_blocks_on_stdin")
"""Events after which nothing happens: only the time that passes tells of them."""

SIDES: dict[str, Stream] = {"h2c": "in", "c2h": "out", "err": "err"}
PIPES = {"pipe_open": "pipe"}
"""Kinds of stdin that our recorder has another word for."""

NOT_FOUND = 127

Step = dict[str, Any]
Told = tuple[str, dict[str, Any]]
"""Kind and detail of an event."""


class Case(NamedTuple):
    """One line of the cases, as far as recordings are made of it."""

    id: str
    title: str  # its class
    essence: str
    protocol: str
    spawn: dict[str, Any]
    steps: Sequence[Step]


def field_cases() -> list[Case]:
    """Return all cases in their order."""
    return [_case(json.loads(line)) for line in FIELD.read_bytes().splitlines()]


def record(case: Case, path: Path) -> None:
    """Make the recording `path` of a case: frames and messages come from the ingester."""
    import_file(str(FIELD), str(path), lambda *_: records(case))


def shown(recording: Recording) -> str:
    """Return what `tap show` draws of a recording."""
    view = View(WIDTH, STARTED_NS, UTC, verbose=True)
    return "".join(f"{plain(line)}".rstrip() + "\n" for line in screen(recording, view))


def golden(case: Case, timeline: str) -> str:
    """Return a case's part of the file of timelines."""
    return f"== {case.id} {case.title}\n{case.essence}\n\n{timeline}\n"


def records(case: Case) -> Iterator[Session | Chunk | Event]:
    """Yield the session, then its chunks and events."""
    yield session_of(case)
    sizes = dict.fromkeys(STREAMS, 0)
    largest = 0  # chunk of the host
    for seq, step in enumerate(_steps(case), 1):
        t_ns = step["t"] * MS
        if "ev" in step:
            yield Event(seq, 1, t_ns, *_event(step, largest))
            continue
        stream, data = SIDES[step["dir"]], bytes_of(step)
        yield Chunk(seq, 1, stream, t_ns, sizes[stream], data)
        sizes[stream] += len(data)
        if stream == "in":
            largest = max(largest, len(data))


def session_of(case: Case) -> Session:
    """Return the run: what a recorder knows of it, and how long it went on."""
    last = case.steps[-1]
    waited_ns = WAITED_NS if last.get("ev") in STUCK else 0
    duration_ns = last["t"] * MS + waited_ns
    return Session(1, case.id, STARTED_NS, 0, duration_ns, _outcome(case), "auto", _facts(case))


def bytes_of(step: Step) -> bytes:
    """Return the bytes of a step, which are one chunk."""
    if "hex" in step:
        return bytes.fromhex(step["hex"])
    text: str = step["b"] if "b" in step else step["repeat"] * step["times"]
    return text.encode()


def _case(line: dict[str, Any]) -> Case:
    members = (line[key] for key in ("id", "class", "essence", "protocol", "spawn", "steps"))
    return Case(*members)


def _steps(case: Case) -> list[Step]:
    """Return what the recorder writes down; the others are facts of the run."""
    steps = [it for it in case.steps if it.get("ev") != "stdin_is"]
    has_start = any(it.get("ev") in ("spawn", "spawn_error") for it in steps)
    return steps if has_start else [{"t": 0, "ev": "spawn"}, *steps]


def _facts(case: Case) -> dict[str, Any]:
    facts: dict[str, Any] = {}
    for it in (case.spawn, *case.steps):
        if "cmdline" in it:
            facts["argv"] = shlex.split(it["cmdline"])
        if it.get("ev") == "spawn_error":
            facts["argv"] = [it["command"]]
            facts["environment"] = {"names": ["PATH"], "values": {"PATH": it["path"]}}
        elif it.get("ev") == "stdin_is":
            kind = PIPES.get(it["kind"], it["kind"])
            facts["descriptors"] = {"in": {"kind": kind}}
        elif "argv" in it:
            facts["argv"] = it["argv"]
    return facts


def _outcome(case: Case) -> str:
    """Return how the run ended; `unknown` where the case does not say."""
    for step in case.steps:
        if step.get("ev") == "child_exit":
            signal = step.get("signal")
            return f"signal SIG{signal}" if signal else f"exit {step['code']}"
        if step.get("ev") == "spawn_error":
            return "not started"
    return "unknown"


def _event(step: Step, largest: int) -> Told:
    """Return an event as the recorder has it; of a kind that it has not, as the case tells it."""
    kind: str = step["ev"]
    detail = {key: value for key, value in step.items() if key not in ("t", "ev")}
    match kind:
        case "host_close_stdin":
            kind, detail = "eof", {"stream": "in", "by": "host"}
        case "child_exit":
            kind, detail = "exit", _by_name(detail)
        case "host_kill":
            forwarded = detail.get("signal") != "KILL"
            kind = "signal"
            detail = {**_by_name(detail), "from": "host", "forwarded": forwarded}
        case "child_stops_reading":
            kind, detail = "stall", {"stream": "in", "reader": "plugin", "size": largest}
        case "epipe":
            kind, detail = "broken-pipe", {"stream": "in", "by": "plugin", "unsent": largest}
        case "no_eof":
            kind, detail = "lingering", {"streams": ["out"], "unread": []}
        case "spawn":
            detail.pop("argv", None)
        case "spawn_error":
            kind = "spawn-error"
            detail = {**detail, "message": os.strerror(ENOENT), "status": NOT_FOUND}
            del detail["command"]
    return kind, detail


def _by_name(detail: dict[str, Any]) -> dict[str, Any]:
    if "signal" not in detail:
        return detail
    return {**detail, "signal": f"SIG{detail['signal']}"}


def _draw_all() -> Iterator[str]:
    with TemporaryDirectory() as folder:
        for case in field_cases():
            path = Path(folder) / f"{case.id}.tap"
            record(case, path)
            with open_recording(str(path)) as recording:
                yield golden(case, shown(recording))


if __name__ == "__main__":
    sys.stdout.write(f"{TIMELINES}\n")
    TIMELINES.write_text("".join(_draw_all()))
