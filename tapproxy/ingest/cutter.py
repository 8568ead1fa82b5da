"""Cuts the chunks of a session into frames: joins what the framing says to chunks and times."""

from collections.abc import Iterator
from itertools import count

from tapproxy.framing import Cut, make_framer
from tapproxy_store.records import STREAMS, Chunk

FrameRow = tuple[int, int, str, int, int, int, int, int, int, int, str, str | None]
"""The columns of the table `frames`, in order."""

_Mark = tuple[int, int, int]  # where a chunk starts in its stream, its seq, its t_ns


class SessionCutter:
    """Cuts all streams of a session and numbers the frames in order of completion."""

    def __init__(self, session: int, framing: str) -> None:
        numbers = count(1)
        self._cutters = {
            stream: StreamCutter(session, stream, framing, numbers) for stream in STREAMS
        }

    def feed(self, chunk: Chunk) -> list[FrameRow]:
        """Return the frames that are over with this chunk."""
        return self._cutters[chunk.stream].feed(
            chunk.seq, chunk.t_ns, chunk.start_offset, chunk.data
        )

    def close(self) -> list[FrameRow]:
        """Return the frames that the end of the session leaves unfinished."""
        return [row for cutter in self._cutters.values() for row in cutter.close()]


class StreamCutter:
    """Cuts one stream. Remembers only the chunks in which a frame may still begin or end."""

    def __init__(self, session: int, stream: str, framing: str, numbers: Iterator[int]) -> None:
        self._session = session
        self._stream = stream
        self._numbers = numbers
        self._framer = make_framer(framing)
        self._end = 0  # of the stream so far
        self._open = 0  # where the frame begins that is not over
        self._marks: list[_Mark] = []

    def feed(self, seq: int, t_ns: int, offset: int, data: bytes) -> list[FrameRow]:
        """Take a chunk; return the frames that are over."""
        rows: list[FrameRow] = []
        if offset > self._end:
            rows += self._located(self._framer.skip(offset - self._end))
            self._marks.clear()
            self._open = offset
        self._end = offset + len(data)
        self._marks.append((offset, seq, t_ns))
        rows += self._located(self._framer.feed(data))
        self._forget()
        return rows

    def close(self) -> list[FrameRow]:
        """Take the stream as over; return the frame that was open, if any."""
        rows = self._located(self._framer.close())
        self._marks.clear()
        return rows

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

    def _forget(self) -> None:
        """Drop the chunks between the open frame's beginning and where a cut may still come."""
        marks, undecided = self._marks, self._framer.undecided
        if self._open == self._end == undecided:
            marks.clear()
        elif len(marks) > 2:
            begin = _holding(marks, self._open)
            until = _holding(marks, max(undecided - 1, self._open))
            self._marks = [marks[begin], *marks[max(until, begin + 1) :]]


def _holding(marks: list[_Mark], offset: int) -> int:
    """Return the index of the chunk that holds `offset`, or of the last one."""
    at = 0
    while at + 1 < len(marks) and marks[at + 1][0] <= offset:
        at += 1
    return at
