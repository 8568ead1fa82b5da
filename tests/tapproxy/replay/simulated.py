"""Both sides of a recording played against each other, in memory, on a clock that only we move."""

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import NamedTuple

from tapproxy.dialects.registry import get_dialect
from tapproxy.opening import opened
from tapproxy.replay.engine import Engine, Options, Over, Perform, Send, Sleep
from tapproxy.replay.findings import Findings
from tapproxy.replay.script import OTHER, SEEN, Role
from tapproxy.replay.source import Source
from tapproxy_store.reading import Recording, open_recording
from tapproxy_store.records import Chunk, Event, Session, Stream
from tests import field_cases

MOST_TURNS = 100_000

FIXTURES = Path(__file__).parents[3] / "fixtures"
TAPES = sorted(
    it for folder in ("dialects", "tapes", "imports") for it in (FIXTURES / folder).rglob("*.tape")
)


class Crossed(NamedTuple):
    """Bytes that one side wrote, at once."""

    t_ns: int
    stream: Stream
    data: bytes


class Taken(NamedTuple):
    """A recording that a side plays one session of."""

    recording: Recording
    session: Session


@dataclass(slots=True)
class Played:
    """What two replays have done to each other."""

    crossed: list[Crossed] = field(default_factory=list)
    findings: dict[Role, Findings] = field(default_factory=dict)
    over: dict[Role, Over] = field(default_factory=dict)

    @property
    def ended_well(self) -> bool:
        """Whether neither side has found anything, or left anything undone."""
        is_whole = all(it.why is None for it in self.over.values())
        return is_whole and not any(it.count for it in self.findings.values())


@contextmanager
def taken(tape: Path) -> Iterator[Taken]:
    """Open a fixture."""
    with opened(str(tape)) as recording:
        yield Taken(recording, recording.session())


@contextmanager
def case_taken(case: field_cases.Case, folder: Path) -> Iterator[Taken]:
    """Make the recording of a case from the field, and open it."""
    path = folder / f"{case.id}.tap"
    field_cases.record(case, path)
    with open_recording(str(path)) as recording:
        yield Taken(recording, recording.session())


def play(
    plugin: Taken,
    host: Taken,
    options: Options,
    *,
    strict: bool = False,
    hand: Random | None = None,
) -> Played:
    """Play the host of one recording against the plugin of the other until both are over.

    `hand`: who acts first is left to chance, and in what pieces bytes arrive, and when.
    """
    sides: dict[Role, _Side] = {}
    played: dict[Role, Taken] = {"host": host, "plugin": plugin}
    for role, (recording, session) in played.items():
        source = Source(recording, session)
        engine = Engine(
            source.items(role, strict=strict),
            session,
            role,
            get_dialect(session.dialect or "raw"),
            source.spoken,
            options,
            0,
        )
        sides[role] = _Side(role, engine)
    return _Table(sides, hand).play()


def recorded(it: Taken) -> list[Crossed]:
    """Return what crossed in a recording itself."""
    records = it.recording.records(it.session.id)
    return [
        Crossed(record.t_ns, record.stream, record.data)
        for record in records
        if isinstance(record, Chunk)
    ]


def without_times(crossed: list[Crossed], *streams: Stream) -> list[tuple[Stream, bytes]]:
    """Return the writes to some streams in their order."""
    return [(it.stream, it.data) for it in crossed if it.stream in streams]


@dataclass(slots=True)
class _Side:
    role: Role
    engine: Engine
    over: Over | None = None
    post: deque[tuple[Stream, bytes] | Event] = field(default_factory=deque)  # on its way to it
    wakes_ns: int | None = None


class _Table:
    """Where both sides sit, and the clock."""

    def __init__(self, sides: dict[Role, _Side], hand: Random | None) -> None:
        self._sides = sides
        self._hand = hand
        self._now_ns = 0
        self._played = Played()

    def play(self) -> Played:
        for _ in range(MOST_TURNS):
            if not self._turn():
                break
        else:
            raise AssertionError("it does not end")
        for role, side in self._sides.items():
            assert side.over is not None
            self._played.findings[role] = side.engine.conclude()
            self._played.over[role] = side.over
        return self._played

    def _turn(self) -> bool:
        """Have something happen; tell whether anything could."""
        sides = list(self._sides.values())
        if self._hand is not None:
            self._hand.shuffle(sides)
        moved = [self._deliver(side) or self._act(side) for side in sides]
        if any(moved):
            return True
        wakes = [it.wakes_ns for it in sides if it.over is None and it.wakes_ns is not None]
        self._now_ns = max(self._now_ns, min(wakes, default=0))
        return bool(wakes) or any(it.post for it in sides)

    def _deliver(self, side: _Side) -> bool:
        """Deliver the next of what is on its way, or a piece of it; or, by chance, nothing yet."""
        if not side.post or (self._hand is not None and self._hand.random() < 0.3):
            return False
        first = side.post.popleft()
        if isinstance(first, Event):
            side.engine.happened(first, self._now_ns)
            return True
        stream, data = first
        size = len(data) if self._hand is None else self._hand.randint(1, len(data) or 1)
        side.engine.heard(stream, data[:size], self._now_ns)
        if size < len(data):
            side.post.appendleft((stream, data[size:]))
        return True

    def _act(self, side: _Side) -> bool:
        """Do the one thing that is due; tell whether there was any, or might have been."""
        if side.over is not None:
            return False
        due = side.engine.next(self._now_ns)
        if isinstance(due, Sleep):
            side.wakes_ns = due.until_ns
            return bool(side.post)
        if isinstance(due, Over):
            side.over = due
            return True
        other = self._sides[OTHER[side.role]]
        if isinstance(due, Send):
            self._played.crossed.append(Crossed(self._now_ns, due.stream, due.data))
            other.post.append((due.stream, due.data))
            side.engine.sent(due, self._now_ns)
        else:
            assert isinstance(due, Perform)
            if due.event.kind in SEEN:
                other.post.append(due.event)
            side.engine.performed(due.step, self._now_ns)
        return True
