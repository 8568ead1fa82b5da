"""The live conversation, read as the ingester would read it: what each frame says, as it comes."""

from collections.abc import Sequence
from typing import cast

from tapproxy.dialects.api import Heard, Side
from tapproxy.dialects.interpreter import Cut, Interpreter
from tapproxy.dialects.registry import dialects
from tapproxy.ingest.bodies import EDGE, Bodies
from tapproxy.ingest.cutter import SessionCutter
from tapproxy.ingest.deriving import arguments
from tapproxy.replay.spoken import BATCH, Spoken, abridged
from tapproxy_store.recording import FrameRow, MessageRow
from tapproxy_store.records import Chunk, Event, Frame, Session, Stream
from tapproxy_store.rows import TERMINATORS

SESSION = 1

_new = tuple.__new__  # half the cost of Heard(...), and there is one for every frame


class Conversation:
    """Fed with the bytes of both sides in the order in which they cross; stderr says nothing."""

    def __init__(self, recorded: Session, dialect: str) -> None:
        """Read as the recorded session was: by its framing, in its dialect."""
        self._cutter = SessionCutter(SESSION, recorded.framing)
        self._bodies: dict[Stream, Bodies] = {"in": Bodies(), "out": Bodies()}
        self._ends: dict[Stream, int] = {"in": 0, "out": 0}  # of the last frame
        self._last_chunks: dict[Stream, int] = {}  # where it ended
        self._interpreter = Interpreter(SESSION, arguments(recorded.facts), dialects(), dialect)
        self._seq = 0
        self.with_length: dict[Stream, bool] = {}  # whether the last frame had a Content-Length

    def said(self, stream: Stream, data: bytes, t_ns: int) -> list[Spoken]:
        """Take bytes; return the frames that are over with them."""
        bodies = self._bodies.get(stream)
        if bodies is None:
            return []
        self._seq += 1
        chunk = Chunk(self._seq, SESSION, stream, t_ns, bodies.end, data)
        rows = self._cutter.feed(chunk)
        bodies.feed(chunk.start_offset, data)
        return [self._spoken(stream, row, bodies) for row in rows]

    def ended(self, stream: Stream, t_ns: int) -> list[Spoken]:
        """Take a stream as over; return the frame that was open."""
        bodies = self._bodies.get(stream)
        if bodies is None:
            return []
        self._seq += 1
        rows = self._cutter.happened(Event(self._seq, SESSION, t_ns, "eof", {"stream": stream}))
        return [self._spoken(stream, row, bodies) for row in rows]

    def is_open_with(self, frame: Frame, body: bytes) -> bool:
        """Tell whether what no frame has yet, of a stream, is that recorded frame to its end."""
        bodies, start = self._bodies[frame.stream], self._ends[frame.stream]
        if bodies.end - start != frame.size:
            return False
        head, tail = bodies.edges(start + frame.header_size, bodies.end)
        return head == body[:EDGE] and tail.endswith(body[-EDGE:])

    def _spoken(self, stream: Stream, row: FrameRow, bodies: Bodies) -> Spoken:
        _, number, _, start, end, first, last, _, t_ns, header, terminator, _ = row
        side = cast("Side", stream)
        shares_read = self._last_chunks.get(stream) == first
        self._last_chunks[stream], self._ends[stream] = last, end
        self.with_length[stream] = header > 0
        begin, stop = start + header, end - TERMINATORS[terminator]
        body = bodies.take(begin, stop, end)
        if body is not None:
            heard = _new(Heard, (side, body, number, t_ns, shares_read))
            return _spoken(stream, number, body, self._interpreter.hear(heard))
        edges = bodies.edges(begin, stop)
        bodies.forget(end)
        heard = Heard(side, edges[0], number, t_ns, shares_read)
        rows = self._interpreter.pass_over(heard, Cut(edges[1], stop - begin))
        return _spoken(stream, number, abridged(*edges, stop - begin), rows)


def _spoken(stream: Stream, number: int, body: bytes, rows: Sequence[MessageRow]) -> Spoken:
    """Return a frame with what it says, of rows of its messages."""
    if not rows:
        return Spoken(number, stream, body, None)
    if len(rows) > 1:
        return Spoken(number, stream, body, BATCH, asks=any(row[6] for row in rows))
    _, _, _, kind, method, key, asks, _, answers, *_, decoded = rows[0]
    return Spoken(number, stream, body, kind, method, key, bool(asks), answers, decoded)
