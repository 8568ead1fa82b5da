"""Frames and messages of one session, derived from its chunks and events in their order.

The same records make the same rows, however they are portioned, whoever derives them.
"""

from dataclasses import dataclass, field
from typing import Any, cast

from tapproxy.dialects.api import Heard, Side
from tapproxy.dialects.interpreter import Cut, Interpreter
from tapproxy.dialects.registry import dialects
from tapproxy.ingest.bodies import Bodies
from tapproxy.ingest.cutter import SessionCutter
from tapproxy_store.recording import FrameRow, MessageRow, TotalsRow
from tapproxy_store.records import STREAMS, Chunk, Event, Session
from tapproxy_store.rows import TERMINATORS

AUTO = "auto"
"""In place of a dialect's name: it is to be recognised, whatever was asked for before."""

_new = tuple.__new__  # half the cost of Heard(...), and there is one for every frame


@dataclass(slots=True)
class Derived:
    """Rows to be added, each with its table's columns in order."""

    frames: list[FrameRow] = field(default_factory=list)
    messages: list[MessageRow] = field(default_factory=list)


class Deriver:
    """Cuts and reads all streams of a session, and counts what they hold."""

    def __init__(self, session: Session, dialect: str | None = None) -> None:
        """`dialect` overrides what was asked for when the session was recorded; AUTO: nothing."""
        self._session = session.id
        self._cutter = SessionCutter(session.id, session.framing)
        self._bodies: dict[str, Bodies] = {"in": Bodies(), "out": Bodies()}
        self._last_chunks: dict[str, int] = {}  # where the last frame of each stream ended
        # chunks, bytes, frames
        self._totals: dict[str, list[int]] = {stream: [0, 0, 0] for stream in STREAMS}
        argv = arguments(session.facts)
        asked = None if dialect == AUTO else dialect or chosen(session)
        self.interpreter = Interpreter(session.id, argv, dialects(), asked)

    def feed(self, chunk: Chunk, derived: Derived) -> None:
        """Add what is over with this chunk."""
        _, _, stream, _, offset, data = chunk
        total = self._totals[stream]
        total[0] += 1
        total[1] += len(data)
        rows = self._cutter.feed(chunk)
        bodies = self._bodies.get(stream)
        if bodies is not None:
            if rows and offset > bodies.end:  # what a gap ends is read before it is let go
                ended = [row for row in rows if row[4] <= bodies.end]
                self._take(ended, derived)
                rows = rows[len(ended) :]
            bodies.feed(offset, data)
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
        messages, hear = derived.messages, self.interpreter.hear
        totals, bodies_of, last_chunks = self._totals, self._bodies, self._last_chunks
        for _, number, stream, start, end, first, last, _, t_ns, header, terminator, _ in rows:
            totals[stream][2] += 1
            bodies = bodies_of.get(stream)
            if bodies is None:
                continue
            shares_read = last_chunks.get(stream) == first
            last_chunks[stream] = last
            begin, stop = start + header, end - TERMINATORS[terminator]
            body = bodies.take(begin, stop, end)
            side = cast("Side", stream)
            if body is not None:
                messages += hear(_new(Heard, (side, body, number, t_ns, shares_read)))
                continue
            beginning, ending = bodies.edges(begin, stop)
            bodies.forget(end)
            heard = Heard(side, beginning, number, t_ns, shares_read)
            messages += self.interpreter.pass_over(heard, Cut(ending, stop - begin))


def arguments(facts: dict[str, Any]) -> list[str]:
    """Return the plugin's argv, with an empty text in place of an argument that is none."""
    argv = facts.get("argv")
    return [it if isinstance(it, str) else "" for it in argv] if isinstance(argv, list) else []


def chosen(session: Session) -> str | None:
    """Return the dialect that a person has asked for, if one did."""
    asked = session.asked_dialect or session.facts.get("dialect")
    return asked if isinstance(asked, str) else None
