"""What is said to the real plugin and by it: frames with their very bytes, and what they mean."""

from collections.abc import Sequence
from itertools import count
from typing import NamedTuple

from tapproxy.dialects.api import Heard, Side
from tapproxy.dialects.interpreter import Cut, Interpreter
from tapproxy.dialects.registry import dialects
from tapproxy.ingest.bodies import EDGE, LARGEST_BODY
from tapproxy.ingest.cutter import StreamCutter
from tapproxy.ingest.deriving import arguments
from tapproxy_store.recording import FrameRow, MessageRow
from tapproxy_store.records import Chunk, Session
from tapproxy_store.rows import TERMINATORS

SESSION = 1


class Piece(NamedTuple):
    """What one read has of a frame."""

    read: int  # number of the read, from 1
    t_ns: int
    data: bytes


class Whole(NamedTuple):
    """A frame as it came."""

    pieces: tuple[Piece, ...]
    header_size: int  # bytes
    terminator_size: int  # bytes

    @property
    def data(self) -> bytes:
        """Its bytes, header and terminator included."""
        return b"".join(it.data for it in self.pieces)


class Words(NamedTuple):
    """What is written to the host at once: what the real plugin wrote at once of some frames."""

    read: int  # number of the read that it came in
    data: bytes
    ended: int  # frames that end with it


class Frames:
    """Cuts what one side says; a frame is held until it is whole."""

    def __init__(self, side: Side, framing: str) -> None:
        self._side = side
        self._cutter = StreamCutter(SESSION, side, framing, count(1))
        self._held: list[tuple[int, Piece]] = []  # by offset in the stream
        self._end = 0
        self._reads = 0

    def feed(self, data: bytes, t_ns: int) -> list[Whole]:
        """Take what was read at once; return the frames that are over with it."""
        self._reads += 1
        chunk = Chunk(self._reads, SESSION, self._side, t_ns, self._end, data)
        self._held.append((self._end, Piece(self._reads, t_ns, data)))
        self._end += len(data)
        return [self._taken(row) for row in self._cutter.feed(chunk)]

    def close(self) -> list[Whole]:
        """Take the stream as over; return the frame that was open."""
        return [self._taken(row) for row in self._cutter.close()]

    @property
    def unended(self) -> int:
        """How many bytes the open frame has so far."""
        return self._end - self._held[0][0] if self._held else 0

    def _taken(self, row: FrameRow) -> Whole:
        _, _, _, start, end, _, _, _, _, header_size, terminator, _ = row
        pieces = tuple(_within(self._held, start, end))
        self._held = [it for it in self._held if it[0] + len(it[1].data) > end]
        return Whole(pieces, header_size, TERMINATORS[terminator])


class Line(NamedTuple):
    """A frame, and what it says; of a batch what all its messages say."""

    number: int  # among the frames of both sides, from 1
    whole: Whole
    kinds: frozenset[str]
    methods: frozenset[str]
    asks: bool
    answers: frozenset[int]  # the frames whose questions it answers
    about: frozenset[int]  # the frames whose questions it concerns


class Dialogue:
    """Reads both sides as the ingester would; neither need be the one that was recorded."""

    def __init__(self, recorded: Session, dialect: str) -> None:
        """Read as the recorded session was: by its framing, in its dialect."""
        framing = recorded.framing
        self._frames = {"in": Frames("in", framing), "out": Frames("out", framing)}
        self._interpreter = Interpreter(SESSION, arguments(recorded.facts), dialects(), dialect)
        self._number = 0

    def said(self, side: Side, data: bytes, t_ns: int) -> list[Line]:
        """Take what a side has said at once; return the frames that are over with it."""
        return [self._line(side, it, t_ns) for it in self._frames[side].feed(data, t_ns)]

    def unended(self, side: Side) -> int:
        """Return how many bytes the open frame of a side has so far."""
        return self._frames[side].unended

    def _line(self, side: Side, whole: Whole, t_ns: int) -> Line:
        self._number += 1
        data = whole.data
        body = data[whole.header_size : len(data) - whole.terminator_size]
        if len(body) <= LARGEST_BODY:
            rows = self._interpreter.hear(Heard(side, body, self._number, t_ns))
        else:
            heard = Heard(side, body[:EDGE], self._number, t_ns)
            rows = self._interpreter.pass_over(heard, Cut(body[-EDGE:], len(body)))
        return _told(self._number, whole, rows)


def _told(number: int, whole: Whole, rows: Sequence[MessageRow]) -> Line:
    return Line(
        number,
        whole,
        frozenset(row[3] for row in rows),
        frozenset(row[4] for row in rows if row[4] is not None),
        any(row[6] for row in rows),
        frozenset(row[8] for row in rows if row[8] is not None),
        frozenset(row[11] for row in rows if row[11] is not None),
    )


def _within(held: Sequence[tuple[int, Piece]], start: int, end: int) -> list[Piece]:
    """Return the parts of what is held that are between two offsets."""
    found = []
    for offset, piece in held:
        data = piece.data[max(start - offset, 0) : max(end - offset, 0)]
        if data:
            found.append(piece._replace(data=data))
    return found
