"""Makes the script of a replay out of a recording.

A pure function, read as a stream: memory does not grow with the session. An answer waits for its
own question, the rest of a frame for its beginning; what nobody asked for follows what came before
it, from either side.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tapproxy.ingest.bodies import LARGEST_BODY, Bodies
from tapproxy.replay.causes import Causes
from tapproxy.replay.script import (
    OTHER,
    STREAMS,
    Act,
    Expected,
    Item,
    OwnFrame,
    Role,
    Step,
    Write,
    is_own_event,
    is_seen,
)
from tapproxy.replay.spoken import abridged
from tapproxy_store.records import Chunk, Event, Frame, Stream, Told
from tapproxy_store.rows import TERMINATORS

MOST_HELD = 1 << 25
"""Bytes of an open frame that are held until it is whole; a larger one is sent as it was."""

MOST_DRAFTS = 10_000
"""What comes while a frame is open is held, too, so much of it at most."""


def script(
    records: Iterator[Chunk | Event], told: Iterator[Told], role: Role, *, strict: bool = False
) -> Iterator[Item]:
    """Yield the items in the total order of the recording.

    `told`: the session's frames, each by the chunk that holds its last byte. `strict`: each step
    waits for all that was before it.
    """
    writer = _Drafting(role, strict=strict)
    coming = next(told, None)
    for record in records:
        ended = []
        while coming is not None and coming.frame.last_chunk <= record.seq:
            ended.append(coming)
            coming = next(told, None)
        item = writer.whole(record, ended[0]) if len(ended) == 1 else None
        if item is not None:
            yield item
        else:
            yield from writer.take(record, ended)
    yield from writer.close()


@dataclass(slots=True)
class _OwnChunk:
    """A chunk of the played side on its way to become a step."""

    chunk: Chunk
    frames: list[OwnFrame] = field(default_factory=list)
    is_whole: bool = False  # all frames that it has a part in are known, or not waited for
    goes_on: bool = False  # with a frame that is not waited for

    @property
    def end(self) -> int:
        return self.chunk.start_offset + len(self.chunk.data)


_Heard = tuple[Told, bytes]
"""A frame of the other side, and its body."""


class _Drafting:
    """Holds what came until it is known which frames it is of."""

    def __init__(self, role: Role, *, strict: bool) -> None:
        self._role = role
        self._answering = STREAMS[role][0]
        self._asking = STREAMS[OTHER[role]][0]
        self._bodies = Bodies()
        self._drafts: deque[_OwnChunk | _Heard | Event] = deque()
        self._unframed: dict[Stream, list[_OwnChunk]] = {it: [] for it in STREAMS[role]}
        self._held: dict[Stream, int] = dict.fromkeys(STREAMS[role], 0)  # bytes of those
        self._causes = Causes(strict=strict, is_host=role == "host")
        self._exit: Event | None = None  # of the plugin that is played, until its place is known
        self._number = 0

    def whole(self, record: Chunk | Event, told: Told) -> Item | None:
        """Take a chunk that is one frame and comes while none is open, as most do; else None."""
        frame = told.frame
        if self._drafts or isinstance(record, Event) or not _is_all_of(frame, record):
            return None
        _, _, stream, t_ns, start, data = record
        if stream in self._unframed:
            if self._unframed[stream]:
                return None
            own = OwnFrame(frame, told.messages, data)
            return self._step(t_ns, Write(stream, start, data, (own,)))
        end = len(data) - TERMINATORS[frame.terminator]
        if stream != self._asking or end > LARGEST_BODY:
            return None
        return self._heard(told, data[frame.header_size : end])

    def take(self, record: Chunk | Event, ended: Sequence[Told]) -> Iterator[Item]:
        if isinstance(record, Event):
            self._take_event(record)
        elif record.stream in self._unframed:
            self._hold(record)
        elif record.stream == self._asking:
            self._bodies.feed(record.start_offset, record.data)
        for told in ended:
            if told.frame.stream in self._unframed:
                self._frame(told)
            elif told.frame.stream == self._asking:
                self._drafts.append((told, self._body(told.frame)))
        if len(self._drafts) > MOST_DRAFTS:
            for stream in self._unframed:
                self._release(stream)
            self._place_exit()
        return self._known()

    def _take_event(self, event: Event) -> None:
        is_own = is_own_event(event, self._role)
        if is_own or is_seen(event, self._role):
            self._drafts.append(event)
        if is_own and event.kind == "exit":
            self._exit = event

    def close(self) -> Iterator[Item]:
        for drafts in self._unframed.values():
            for draft in drafts:
                draft.is_whole = True
        self._place_exit()
        return self._known()

    def _hold(self, chunk: Chunk) -> None:
        draft = _OwnChunk(chunk, is_whole=chunk.stream != self._answering)
        self._drafts.append(draft)
        self._unframed[chunk.stream].append(draft)
        self._held[chunk.stream] += len(chunk.data)
        if self._held[chunk.stream] > MOST_HELD:
            self._release(chunk.stream)

    def _place_exit(self) -> None:
        """Have the exit come after the plugin's last words: they may have been read after it."""
        if self._exit is None:
            return
        drafts, place = self._drafts, self._drafts.index(self._exit)
        own = [at for at, it in enumerate(drafts) if isinstance(it, _OwnChunk) and at > place]
        drafts.remove(self._exit)
        drafts.insert(max(own, default=place), self._exit)
        self._exit = None

    def _release(self, stream: Stream) -> None:
        """Wait for the end of the open frame no more."""
        for draft in self._unframed[stream]:
            draft.is_whole = True
            draft.goes_on = stream == self._answering
        self._unframed[stream] = []
        self._held[stream] = 0

    def _frame(self, told: Told) -> None:
        """Give a frame to the chunks that it is in; those before its end are whole."""
        frame = told.frame
        drafts = self._unframed[frame.stream]
        if len(drafts) == 1 and _is_all_of(frame, drafts[0].chunk):
            (draft,) = drafts
            draft.frames.append(OwnFrame(frame, told.messages, draft.chunk.data))
            draft.is_whole = True
            self._unframed[frame.stream], self._held[frame.stream] = [], 0
            return
        touched = [
            it
            for it in drafts
            if it.chunk.start_offset < frame.end_offset and it.end > frame.start_offset
        ]
        data = _cut([it.chunk for it in touched], frame)
        own = OwnFrame(frame, told.messages, data if len(data) == frame.size else b"")
        for draft in touched:
            draft.frames.append(own)
            draft.goes_on = draft.end < frame.end_offset
        for draft in drafts:
            draft.is_whole = draft.is_whole or draft.end <= frame.end_offset
        self._unframed[frame.stream] = [it for it in drafts if it.end > frame.end_offset]
        self._held[frame.stream] = sum(len(it.chunk.data) for it in self._unframed[frame.stream])

    def _body(self, frame: Frame) -> bytes:
        begin, end = (
            frame.start_offset + frame.header_size,
            frame.end_offset - TERMINATORS[frame.terminator],
        )
        body = self._bodies.take(begin, end, frame.end_offset)
        if body is None:
            body = abridged(*self._bodies.edges(begin, end), end - begin)
            self._bodies.forget(frame.end_offset)
        return body

    def _known(self) -> Iterator[Item]:
        while self._drafts:
            first = self._drafts[0]
            is_known = first.is_whole if isinstance(first, _OwnChunk) else first is not self._exit
            if not is_known:
                return
            yield self._item(self._drafts.popleft())

    def _item(self, draft: _OwnChunk | _Heard | Event) -> Item:
        if isinstance(draft, _OwnChunk):
            _, _, stream, t_ns, start, data = draft.chunk
            return self._step(t_ns, Write(stream, start, data, tuple(draft.frames), draft.goes_on))
        if isinstance(draft, Event):
            return self._happened(draft)
        return self._heard(*draft)

    def _step(self, t_ns: int, write: Write) -> Step:
        number = self._number = self._number + 1
        return Step(number, t_ns, write, self._causes.of_write(write, (number, t_ns)))

    def _happened(self, event: Event) -> Item:
        number = self._number = self._number + 1
        place = (number, event.t_ns)
        if is_own_event(event, self._role):
            return Step(number, event.t_ns, Act(event), self._causes.of_act(place))
        self._causes.saw(place)
        return Expected(number, event.t_ns, event)

    def _heard(self, told: Told, body: bytes) -> Expected:
        number = self._number = self._number + 1
        t_ns = told.frame.last_ns
        self._causes.heard(told.messages, (number, t_ns))
        return Expected(number, t_ns, told, body)


def _is_all_of(frame: Frame, chunk: Chunk) -> bool:
    """Tell whether a chunk is one frame and nothing else, as most are."""
    start = chunk.start_offset
    return frame.start_offset == start and frame.end_offset == start + len(chunk.data)


def _cut(chunks: Sequence[Chunk], frame: Frame) -> bytes:
    """Return the frame's bytes out of the chunks that it is in."""
    begin, end = frame.start_offset, frame.end_offset
    return b"".join(
        it.data[max(begin - it.start_offset, 0) : max(end - it.start_offset, 0)] for it in chunks
    )
