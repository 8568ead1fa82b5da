"""Frames and messages of one session, derived from its chunks and events in their order.

The same records make the same rows, however they are portioned, whoever derives them.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, cast

from tapproxy.dialects.api import Heard, Side
from tapproxy.dialects.interpreter import Interpreter
from tapproxy.dialects.registry import dialects
from tapproxy.ingest.bodies import Bodies
from tapproxy.ingest.cutter import SessionCutter
from tapproxy_store.recording import FrameRow, MessageRow, TotalsRow
from tapproxy_store.records import STREAMS, Chunk, Event, Session

_new = tuple.__new__  # half the cost of Heard(...), and there is one for every frame


@dataclass(slots=True)
class Derived:
    """Rows to be added, each with its table's columns in order."""

    frames: list[FrameRow] = field(default_factory=list)
    messages: list[MessageRow] = field(default_factory=list)


class Deriver:
    """Cuts and reads all streams of a session, and counts what they hold."""

    def __init__(self, session: Session, dialect: str | None = None) -> None:
        """`dialect` overrides what was asked for when the session was recorded."""
        self._session = session.id
        self._cutter = SessionCutter(session.id, session.framing)
        self._bodies: dict[str, Bodies] = {"in": Bodies(), "out": Bodies()}
        self._last_chunks: dict[str, int] = {}  # where the last frame of each stream ended
        self._totals = {stream: [0, 0, 0] for stream in STREAMS}  # chunks, bytes, frames
        argv = arguments(session.facts)
        self.interpreter = Interpreter(session.id, argv, dialects(), dialect or chosen(session))

    def feed(self, chunk: Chunk, derived: Derived) -> None:
        """Add what is over with this chunk."""
        _, _, stream, _, offset, data = chunk
        total = self._totals[stream]
        total[0] += 1
        total[1] += len(data)
        bodies = self._bodies.get(stream)
        if bodies is not None:
            bodies.feed(offset, data)
        rows = self._cutter.feed(chunk)
        if rows:
            self._take(rows, derived)

    def happened(self, event: Event, derived: Derived) -> None:
        """Add the frame that is over because the event ends its stream."""
        self._take(self._cutter.happened(event), derived)

    def close(self, derived: Derived) -> None:
        """Add what the end of the session leaves unfinished, and what was not understood yet."""
        self._take(self._cutter.close(), derived)
        derived.messages += self.interpreter.finish()

    def totals(self) -> list[TotalsRow]:
        """Return how much each stream held so far."""
        return [
            (self._session, stream, chunks, size, frames)
            for stream, (chunks, size, frames) in self._totals.items()
        ]

    def _take(self, rows: list[FrameRow], derived: Derived) -> None:
        derived.frames += rows
        for row in rows:
            stream = row[2]
            self._totals[stream][2] += 1
            bodies = self._bodies.get(stream)
            if bodies is not None:
                derived.messages += self._read(row, bodies)

    def _read(self, row: FrameRow, bodies: Bodies) -> Iterable[MessageRow]:
        _, number, stream, start, end, first_chunk, last_chunk, _, t_ns, _, _, _ = row
        shares_read = self._last_chunks.get(stream) == first_chunk
        self._last_chunks[stream] = last_chunk
        body = bodies.body(row)
        bodies.forget(end)
        side = cast("Side", stream)
        if body is None:
            return self.interpreter.pass_over(number, end - start)
        return self.interpreter.hear(_new(Heard, (side, body, number, t_ns, shares_read)))


def arguments(facts: dict[str, Any]) -> list[str]:
    """Return the plugin's argv as far as it is text."""
    argv = facts.get("argv")
    return [it for it in argv if isinstance(it, str)] if isinstance(argv, list) else []


def chosen(session: Session) -> str | None:
    """Return the dialect that a person has asked for, if one did."""
    asked = session.asked_dialect or session.facts.get("dialect")
    return asked if isinstance(asked, str) else None
