"""Cuts the chunks of a session into frames: joins what the framing says to chunks and times."""

from collections.abc import Iterator
from itertools import count

from tapproxy.framing import Cut, Framer, make_framer
from tapproxy_store.recording import FrameRow
from tapproxy_store.records import STREAMS, Chunk, Event

_ENDS = ("eof", "broken-pipe")
"""Events after which nothing comes on their stream."""

_Mark = tuple[int, int, int]  # where a chunk starts in its stream, its seq, its t_ns


class SessionCutter:
    """Cuts all streams of a session and numbers the frames in order of completion."""

    def __init__(self, session: int, framing: str) -> None:
        numbers = count(1)
        self._cutters: dict[str, StreamCutter] = {
            stream: StreamCutter(session, stream, framing, numbers) for stream in STREAMS
        }

    def feed(self, chunk: Chunk) -> list[FrameRow]:
        """Return the frames that are over with this chunk."""
        return self._cutters[chunk.stream].feed(chunk)

    def happened(self, event: Event) -> list[FrameRow]:
        """Return the frame that is over, unfinished, because the event ends its stream."""
        cutter = self._cutters.get(str(event.detail.get("stream")))
        return cutter.close() if cutter is not None and event.kind in _ENDS else []

    def close(self) -> list[FrameRow]:
        """Return the frames that the end of the session leaves unfinished."""
        return [row for cutter in self._cutters.values() for row in cutter.close()]


class StreamCutter:
    """Cuts one stream. Remembers only the chunks in which a frame may still begin or end."""

    def __init__(self, session: int, stream: str, framing: str, numbers: Iterator[int]) -> None:
        self._session = session
        self._stream = stream
        self._numbers = numbers
        self._framing = framing
        self._framer = make_framer(framing)
        self._end = 0  # of the stream so far
        self._open = 0  # where the frame begins that is not over
        self._marks: list[_Mark] = []

    def feed(self, chunk: Chunk) -> list[FrameRow]:
        """Take a chunk; return the frames that are over."""
        seq, _, _, t_ns, offset, data = chunk
        before = self._missing(offset) if offset > self._end else None
        end = self._end = offset + len(data)
        marks = self._marks
        marks.append((offset, seq, t_ns))
        cuts = self._framer.feed(data)
        rows = self._located(cuts) if cuts else []
        if self._open == end:
            marks.clear()
        elif len(marks) > 2:
            self._forget()
        return before + rows if before else rows

    def close(self) -> list[FrameRow]:
        """Take the stream as over; return the frame that was open, if any."""
        rows = self._located(self._framer.close())
        self._marks.clear()
        self._framer = self._after(self._end)
        return rows

    def _after(self, end: int) -> Framer:
        """Return a framer for what a tape may have after the end of its stream."""
        framer = make_framer(self._framing)
        framer.skip(end)
        return framer

    def _located(self, cuts: list[Cut]) -> list[FrameRow]:
        """Add to each cut the chunks that hold its first and last byte (both ascend)."""
        rows: list[FrameRow] = []
        session, stream, marks = self._session, self._stream, self._marks
        at, last = 0, len(marks) - 1
        for start, end, header_size, terminator, flaw in cuts:
            while at < last and marks[at + 1][0] <= start:
                at += 1
            _, first_chunk, first_ns = marks[at]
            while at < last and marks[at + 1][0] < end:
                at += 1
            _, last_chunk, last_ns = marks[at]
            rows.append((
                session, next(self._numbers), stream, start, end, first_chunk, last_chunk,
                first_ns, last_ns, header_size, terminator, flaw,
            ))  # fmt: skip
            self._open = end
        return rows

    def _missing(self, offset: int) -> list[FrameRow]:
        """Take note that the record has nothing of the stream up to `offset`."""
        rows = self._located(self._framer.skip(offset - self._end))
        self._marks.clear()
        self._open = offset
        return rows

    def _forget(self) -> None:
        """Drop the chunks between the open frame's beginning and where a cut may still come."""
        marks = self._marks
        begin = _holding(marks, self._open)
        until = _holding(marks, max(self._framer.undecided - 1, self._open))
        self._marks = [marks[begin], *marks[max(until, begin + 1) :]]


def _holding(marks: list[_Mark], offset: int) -> int:
    """Return the index of the chunk that holds `offset`, or of the last one."""
    at = 0
    while at + 1 < len(marks) and marks[at + 1][0] <= offset:
        at += 1
    return at
