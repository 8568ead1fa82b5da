"""Both sides of a recording played against each other, in memory, on a clock that only we move."""

from collections import deque
from dataclasses import dataclass, field

from tapproxy.dialects.registry import get_dialect
from tapproxy.replay.engine import Engine, Options, Over, Perform, Send, Sleep
from tapproxy.replay.findings import Findings
from tapproxy.replay.script import OTHER, SEEN, Role
from tapproxy.replay.source import Source
from tapproxy_store.reading import Recording
from tapproxy_store.records import Chunk, Event, Session, Stream

MOST_TURNS = 1_000_000

Crossed = tuple[Stream, bytes] | tuple[str, str]


@dataclass(slots=True)
class Side:
    role: Role
    engine: Engine
    over: Over | None = None


@dataclass(slots=True)
class Played:
    """What two replays of one session have done to each other."""

    crossed: list[tuple[int, Crossed]] = field(default_factory=list)  # when, what
    findings: dict[Role, Findings] = field(default_factory=dict)
    over: dict[Role, Over] = field(default_factory=dict)


def play(recording: Recording, session: Session, options: Options) -> Played:
    """Play a session's host against its plugin until both are over."""
    source = Source(recording, session)
    dialect = get_dialect(session.dialect or "raw")
    sides: dict[Role, Side] = {}
    for role in ("host", "plugin"):
        engine = Engine(source.items(role), session, role, dialect, source.spoken, options, 0)
        sides[role] = Side(role, engine)
    played, now_ns = Played(), 0
    for _ in range(MOST_TURNS):
        wakes: deque[int] = deque()
        acted = False
        for side in sides.values():
            if side.over is None and _turn(side, sides[OTHER[side.role]], now_ns, played, wakes):
                acted = True
        if all(side.over for side in sides.values()):
            break
        if not acted:
            now_ns = max(now_ns, min(wakes, default=now_ns))
    else:
        raise AssertionError("it does not end")
    for role, side in sides.items():
        played.findings[role] = side.engine.conclude()
        assert side.over is not None
        played.over[role] = side.over
    return played


def _turn(side: Side, other: Side, now_ns: int, played: Played, wakes: deque[int]) -> bool:
    """Do the one thing that is due; tell whether there was any."""
    due = side.engine.next(now_ns)
    if isinstance(due, Sleep):
        wakes.append(due.until_ns)
        return False
    if isinstance(due, Over):
        side.over = due
        return True
    if isinstance(due, Send):
        played.crossed.append((now_ns, (due.stream, due.data)))
        other.engine.heard(due.stream, due.data, now_ns)
        side.engine.sent(due, now_ns)
    else:
        assert isinstance(due, Perform)
        event = due.event
        detail = event.detail
        played.crossed.append(
            (now_ns, (event.kind, str(detail.get("stream") or detail.get("signal"))))
        )
        if event.kind in SEEN:
            other.engine.happened(event, now_ns)
        side.engine.performed(due.step, now_ns)
    return True


def recorded(recording: Recording, session: Session) -> list[tuple[int, Crossed]]:
    """Return what crossed in the recording itself."""
    crossed: list[tuple[int, Crossed]] = []
    for record in recording.records(session.id):
        if isinstance(record, Chunk):
            crossed.append((record.t_ns, (record.stream, record.data)))
    return crossed


def chunks(crossed: list[tuple[int, Crossed]], stream: str) -> list[bytes]:
    """Return the writes of one stream, each by itself."""
    return [it[1] for _, it in crossed if it[0] == stream and isinstance(it[1], bytes)]


__all__ = ["Event", "Played", "chunks", "play", "recorded"]
