"""The live conversation, read as the ingester would read it: what each frame says, as it comes."""

from collections.abc import Sequence
from typing import cast

from tapproxy.dialects.api import Heard, Side
from tapproxy.dialects.interpreter import Interpreter
from tapproxy.dialects.registry import dialects
from tapproxy.ingest.bodies import Bodies
from tapproxy.ingest.cutter import SessionCutter
from tapproxy.ingest.deriving import arguments
from tapproxy.replay.spoken import BATCH, Spoken
from tapproxy_store.recording import FrameRow, MessageRow
from tapproxy_store.records import STREAMS, Chunk, Event, Session, Stream, Told
from tapproxy_store.rows import TERMINATORS

SESSION = 1

TAIL = 1 << 16
"""Bytes of a frame that is never finished by which it is known again."""


class Conversation:
    """Fed with the bytes of all streams in the order in which they cross."""

    def __init__(self, recorded: Session) -> None:
        """Read as the recorded session was: by its framing, in its dialect."""
        self._cutter = SessionCutter(SESSION, recorded.framing)
        self._bodies = {stream: Bodies() for stream in STREAMS}
        self._interpreter = Interpreter(
            SESSION, arguments(recorded.facts), dialects(), recorded.dialect or "raw"
        )
        self._seq = 0
        self._tails: dict[Stream, bytes] = dict.fromkeys(STREAMS, b"")

    def tail(self, stream: Stream) -> bytes:
        """Return the bytes of a stream since its last frame, the first TAIL of them."""
        return self._tails[stream]

    def said(self, stream: Stream, data: bytes, t_ns: int) -> list[Spoken]:
        """Take bytes; return the frames that are over with them."""
        bodies = self._bodies[stream]
        self._seq += 1
        chunk = Chunk(self._seq, SESSION, stream, t_ns, bodies.end, data)
        rows = self._cutter.feed(chunk)
        bodies.feed(chunk.start_offset, data)
        self._remember(stream, data, bodies.end - rows[-1][4] if rows else None)
        return [self._spoken(row, bodies) for row in rows]

    def ended(self, stream: Stream, t_ns: int) -> list[Spoken]:
        """Take a stream as over; return the frame that was open."""
        self._seq += 1
        rows = self._cutter.happened(Event(self._seq, SESSION, t_ns, "eof", {"stream": stream}))
        return [self._spoken(row, self._bodies[stream]) for row in rows]

    def _remember(self, stream: Stream, data: bytes, open_size: int | None) -> None:
        """Keep what no frame has; `open_size` of the last bytes, or all since the last frame."""
        tail = self._tails[stream]
        if open_size is not None:
            self._tails[stream] = (tail + data)[len(tail) + len(data) - open_size :][:TAIL]
        elif len(tail) < TAIL:
            self._tails[stream] = (tail + data)[:TAIL]

    def _spoken(self, row: FrameRow, bodies: Bodies) -> Spoken:
        _, number, stream, start, end, _, _, _, t_ns, header, terminator, _ = row
        body = bodies.take(start + header, end - TERMINATORS[terminator], end)
        if body is None:
            bodies.forget(end)
            return Spoken(number, cast("Stream", stream), b"", None)
        if stream == "err":
            return Spoken(number, "err", body, None)
        heard = Heard(cast("Side", stream), body, number, t_ns)
        return spoken(cast("Stream", stream), number, body, self._interpreter.hear(heard))


def spoken(stream: Stream, number: int, body: bytes, rows: Sequence[MessageRow]) -> Spoken:
    """Return a frame with what it says, of rows of its messages."""
    if not rows:
        return Spoken(number, stream, body, None)
    if len(rows) > 1:
        return Spoken(number, stream, body, BATCH, asks=any(row[6] for row in rows))
    _, _, _, kind, method, key, asks, _, answers, *_, decoded = rows[0]
    return Spoken(number, stream, body, kind, method, key, bool(asks), answers, decoded)


def recorded(number: int, told: Told, body: bytes, decoded: bytes | None) -> Spoken:
    """Return a recorded frame as a live one is; `number` is its place in the script."""
    if not told.messages:
        return Spoken(number, told.frame.stream, body, None)
    if len(told.messages) > 1:
        asks = any(it.asks for it in told.messages)
        return Spoken(number, told.frame.stream, body, BATCH, asks=asks)
    (it,) = told.messages
    return Spoken(
        number,
        told.frame.stream,
        body,
        it.kind,
        it.method,
        it.id,
        bool(it.asks),
        it.answers,
        decoded,
    )
