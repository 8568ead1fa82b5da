"""The live conversation, read as the ingester would read it: what each frame says, as it comes."""

from collections.abc import Iterable, Sequence
from typing import cast

from tapproxy.dialects.api import Heard, Side
from tapproxy.dialects.interpreter import Cut, Interpreter
from tapproxy.dialects.registry import dialects
from tapproxy.ingest.bodies import EDGE, Bodies
from tapproxy.ingest.cutter import SessionCutter
from tapproxy.ingest.deriving import arguments
from tapproxy.replay.script import Write
from tapproxy.replay.spoken import BATCH, Spoken, abridged
from tapproxy.replay.twins import twin_id
from tapproxy_store.recording import FrameRow, MessageRow
from tapproxy_store.records import Chunk, Event, Frame, Session, Stream
from tapproxy_store.rows import TERMINATORS

SESSION = 1

MOST_UNREAD = 1000
"""Questions that are left unread until their answers have gone."""

_new = tuple.__new__  # half the cost of Heard(...), and there is one for every frame


class Conversation:
    """Fed with the bytes of both sides in the order in which they cross; stderr says nothing."""

    def __init__(self, recorded: Session, dialect: str) -> None:
        """Read as the recorded session was: by its framing, in its dialect."""
        self._cutter = SessionCutter(SESSION, recorded.framing)
        self._bodies: dict[Stream, Bodies] = {"in": Bodies(), "out": Bodies()}
        self._ends: dict[Stream, int] = {"in": 0, "out": 0}  # of the last frame
        self._last_chunks: dict[Stream, int] = {}  # where it ended
        known = dialects()
        self._interpreter = Interpreter(SESSION, arguments(recorded.facts), known, dialect)
        self._forgets = any(it.forgets_exchanges for it in known if it.name == dialect)
        self._unread: dict[int, Heard] = {}  # questions, by the frames that they are twins of
        self._seq = 0
        self.with_length: dict[Stream, bool] = {}  # whether the last frame had a Content-Length

    def said(
        self, stream: Stream, data: bytes, t_ns: int, twins: Iterable[Spoken] = ()
    ) -> list[Spoken]:
        """Take bytes; return the frames that are over with them.

        `twins`: what was recorded in their places, as far as they come in that order. A question
        that is its twin but for the id is not read, as long as nothing that comes depends on it.
        """
        bodies = self._bodies.get(stream)
        if bodies is None:
            return []
        self._seq += 1
        chunk = Chunk(self._seq, SESSION, stream, t_ns, bodies.end, data)
        rows = self._cutter.feed(chunk)
        bodies.feed(chunk.start_offset, data)
        spoken, waiting = [], iter(twins)
        for row in rows:
            live = self._spoken(stream, row, bodies, next(waiting, None))
            spoken.append(live)
            if live.twin is None:  # what comes after it need not be in recorded order
                waiting = iter(())
        return spoken

    def passes(self, write: Write) -> bool:
        """Take an answer of ours to a question that is not read: neither needs to be, from now on.

        False where it is anything else, and has to be `said`.
        """
        own = write.frames[0] if len(write.frames) == 1 and self._unread else None
        if own is None or len(own.messages) != 1 or own.frame.size != len(write.data):
            return False
        (answer,) = own.messages
        is_regular = answer.flags is None and answer.note is None
        bodies = self._bodies[write.stream]
        if not is_regular or self._ends[write.stream] != bodies.end or not bodies.end:
            return False
        return self._unread.pop(answer.answers or 0, None) is not None

    def ended(self, stream: Stream, t_ns: int) -> list[Spoken]:
        """Take a stream as over; return the frame that was open."""
        bodies = self._bodies.get(stream)
        if bodies is None:
            return []
        self._seq += 1
        rows = self._cutter.happened(Event(self._seq, SESSION, t_ns, "eof", {"stream": stream}))
        return [self._spoken(stream, row, bodies, None) for row in rows]

    def is_open_with(self, frame: Frame, body: bytes) -> bool:
        """Tell whether what no frame has yet, of a stream, is that recorded frame to its end."""
        bodies, start = self._bodies[frame.stream], self._ends[frame.stream]
        if bodies.end - start != frame.size:
            return False
        head, tail = bodies.edges(start + frame.header_size, bodies.end)
        return head == body[:EDGE] and tail.endswith(body[-EDGE:])

    def _spoken(
        self, stream: Stream, row: FrameRow, bodies: Bodies, recorded: Spoken | None
    ) -> Spoken:
        _, number, _, start, end, first, last, _, t_ns, header, terminator, _ = row
        side = cast("Side", stream)
        shares_read = self._last_chunks.get(stream) == first
        self._last_chunks[stream], self._ends[stream] = last, end
        self.with_length[stream] = header > 0
        begin, stop = start + header, end - TERMINATORS[terminator]
        body = bodies.take(begin, stop, end)
        if body is not None:
            heard = _new(Heard, (side, body, number, t_ns, shares_read))
            twin = None if recorded is None else self._find_twin(heard, recorded)
            if twin is not None:
                return twin
            self._catch_up()
            return _spoken(stream, number, body, self._interpreter.hear(heard))
        self._catch_up()
        edges = bodies.edges(begin, stop)
        bodies.forget(end)
        heard = Heard(side, edges[0], number, t_ns, shares_read)
        rows = self._interpreter.pass_over(heard, Cut(edges[1], stop - begin))
        return _spoken(stream, number, abridged(*edges, stop - begin), rows)

    def _find_twin(self, heard: Heard, recorded: Spoken) -> Spoken | None:
        """Return what a question says where it is the recorded one but for the id; note it so."""
        number, _, _, kind, method, _, asks, *_ = recorded
        frame = recorded.frame or 0
        if not (self._forgets and asks and recorded.is_regular) or frame in self._unread:
            return None
        key = twin_id(recorded, heard.body) if len(self._unread) < MOST_UNREAD else None
        if key is None:
            return None
        self._unread[frame] = heard
        side, body, live, _, _ = heard
        return Spoken(live, side, body, kind, method, key, asks=True, twin=number)

    def _catch_up(self) -> None:
        """Read what was left unread."""
        for heard in self._unread.values():
            self._interpreter.hear(heard)
        self._unread.clear()


def _spoken(stream: Stream, number: int, body: bytes, rows: Sequence[MessageRow]) -> Spoken:
    """Return a frame with what it says, of rows of its messages."""
    if not rows:
        return Spoken(number, stream, body, None)
    if len(rows) > 1:
        return Spoken(number, stream, body, BATCH, asks=any(row[6] for row in rows))
    _, _, _, kind, method, key, asks, _, answers, *_, decoded = rows[0]
    return Spoken(number, stream, body, kind, method, key, bool(asks), answers, decoded)
