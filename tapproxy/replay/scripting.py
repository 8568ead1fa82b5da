"""Makes the script of a replay out of a recording.

A pure function, read as a stream: memory does not grow with the session. An answer waits for its
own question, the rest of a frame for its beginning; what nobody asked for follows what came before
it, from either side.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tapproxy.ingest.bodies import Bodies
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

MOST_HELD = 1 << 24
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
        self._causes = Causes(strict=strict)
        self._number = 0

    def take(self, record: Chunk | Event, ended: Sequence[Told]) -> Iterator[Item]:
        if isinstance(record, Event):
            if is_own_event(record, self._role) or is_seen(record, self._role):
                self._drafts.append(record)
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
        return self._known()

    def close(self) -> Iterator[Item]:
        for drafts in self._unframed.values():
            for draft in drafts:
                draft.is_whole = True
        return self._known()

    def _hold(self, chunk: Chunk) -> None:
        draft = _OwnChunk(chunk, is_whole=chunk.stream != self._answering)
        self._drafts.append(draft)
        self._unframed[chunk.stream].append(draft)
        self._held[chunk.stream] += len(chunk.data)
        if self._held[chunk.stream] > MOST_HELD:
            self._release(chunk.stream)

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
            if isinstance(first, _OwnChunk) and not first.is_whole:
                return
            yield self._item(self._drafts.popleft())

    def _item(self, draft: _OwnChunk | _Heard | Event) -> Item:
        self._number += 1
        number, causes = self._number, self._causes
        if isinstance(draft, _OwnChunk):
            _, _, stream, t_ns, start, data = draft.chunk
            write = Write(stream, start, data, tuple(draft.frames), draft.goes_on)
            return Step(number, t_ns, write, causes.of_write(write, (number, t_ns)))
        if isinstance(draft, Event):
            place = (number, draft.t_ns)
            if is_own_event(draft, self._role):
                return Step(number, draft.t_ns, Act(draft), causes.of_act(place))
            causes.saw(place)
            return Expected(number, draft.t_ns, draft)
        told, body = draft
        causes.heard(told.messages, (number, told.frame.last_ns))
        return Expected(number, told.frame.last_ns, told, body)


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
