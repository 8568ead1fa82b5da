"""The script of a replay: what the played side does, and what each step of it waits for.

A pure function of a recording, read as a stream: memory does not grow with the session. An answer
waits for its own question; what nobody asked for follows what came before it, from either side.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from tapproxy_store.records import Chunk, Event, Frame, Message, Stream, Told

Role = Literal["plugin", "host"]

STREAMS: dict[Role, tuple[Stream, ...]] = {"plugin": ("out", "err"), "host": ("in",)}
"""What each side writes; the first of them is what the other answers to."""

OTHER: dict[Role, Role] = {"plugin": "host", "host": "plugin"}

DONE = {"eof", "broken-pipe", "exit", "signal", "stall", "stall-end"}
"""Kinds of events that one of the sides does."""
SEEN = {"eof", "exit", "signal"}
"""Those of them that the other side can see."""

Place = tuple[int, int]
"""An item's number in the script, and when it was, nanoseconds."""


@dataclass(frozen=True, slots=True)
class Wait:
    """One thing that must have been before a step is taken."""

    number: int  # the item's place in the script
    after_ns: int  # how long after it the step was taken, nanoseconds


@dataclass(frozen=True, slots=True)
class OwnFrame:
    """A frame of the played side, whole, so that values in it can be replaced."""

    frame: Frame
    messages: tuple[Message, ...]
    data: bytes  # header and terminator included


@dataclass(frozen=True, slots=True)
class Write:
    """Send the bytes of one recorded read."""

    stream: Stream
    start_offset: int  # in the recorded stream
    data: bytes
    frames: tuple[OwnFrame, ...]  # those that the bytes are of, in their order

    @property
    def end_offset(self) -> int:
        """Where the bytes end in the recorded stream."""
        return self.start_offset + len(self.data)


@dataclass(frozen=True, slots=True)
class Act:
    """Do what is not bytes: eof, exit, signal, stall, stall-end."""

    event: Event


@dataclass(frozen=True, slots=True)
class Step:
    """Something that the played side does."""

    number: int  # place in the script, from 1
    t_ns: int  # when it was done, since the session's start
    does: Write | Act
    waits: tuple[Wait, ...]


@dataclass(frozen=True, slots=True)
class Expected:
    """Something that the other side did."""

    number: int  # place in the script, from 1
    t_ns: int
    what: Told | Event


Item = Step | Expected


def script(
    records: Iterator[Chunk | Event], told: Iterator[Told], role: Role, *, strict: bool = False
) -> Iterator[Item]:
    """Yield the items in the total order of the recording.

    `told`: the session's frames, each by the chunk that holds its last byte. `strict`: each step
    waits for all that was before it.
    """
    writer = _ScriptWriter(role, strict=strict)
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
    is_whole: bool = False  # all frames that it has a part in are known

    @property
    def end(self) -> int:
        return self.chunk.start_offset + len(self.chunk.data)


class _ScriptWriter:
    def __init__(self, role: Role, *, strict: bool) -> None:
        self._role = role
        self._strict = strict
        self._drafts: deque[_OwnChunk | Told | Event] = deque()
        self._unframed: dict[Stream, list[_OwnChunk]] = {it: [] for it in STREAMS[role]}
        self._number = 0
        self._questions: dict[tuple[int, int], Place] = {}  # of the other side, not answered yet
        self._last_own: Place | None = None
        self._last_other: Place | None = None

    def take(self, record: Chunk | Event, ended: Sequence[Told]) -> Iterator[Item]:
        if isinstance(record, Event):
            if is_own_event(record, self._role) or record.kind in SEEN:
                self._drafts.append(record)
        elif record.stream in self._unframed:
            draft = _OwnChunk(record)
            self._drafts.append(draft)
            self._unframed[record.stream].append(draft)
        for told in ended:
            if told.frame.stream in self._unframed:
                self._frame(told)
            elif told.frame.stream in STREAMS[OTHER[self._role]][:1]:
                self._drafts.append(told)
        return self._known()

    def close(self) -> Iterator[Item]:
        for drafts in self._unframed.values():
            for draft in drafts:
                draft.is_whole = True
        return self._known()

    def _frame(self, told: Told) -> None:
        """Give a frame to the chunks that it is in; those before its end are whole."""
        frame = told.frame
        drafts = self._unframed[frame.stream]
        touched = [
            it
            for it in drafts
            if it.chunk.start_offset < frame.end_offset and it.end > frame.start_offset
        ]
        own = OwnFrame(frame, told.messages, _cut([it.chunk for it in touched], frame))
        for draft in touched:
            draft.frames.append(own)
        for draft in drafts:
            draft.is_whole = draft.end <= frame.end_offset
        self._unframed[frame.stream] = [it for it in drafts if not it.is_whole]

    def _known(self) -> Iterator[Item]:
        while self._drafts:
            first = self._drafts[0]
            if isinstance(first, _OwnChunk) and not first.is_whole:
                return
            yield self._item(self._drafts.popleft())

    def _item(self, draft: _OwnChunk | Told | Event) -> Item:
        self._number += 1
        if isinstance(draft, _OwnChunk):
            return self._write(draft)
        if isinstance(draft, Event) and is_own_event(draft, self._role):
            step = Step(self._number, draft.t_ns, Act(draft), self._follows(draft.t_ns))
            self._last_own = (self._number, draft.t_ns)
            return step
        t_ns = draft.t_ns if isinstance(draft, Event) else draft.frame.last_ns
        place = (self._number, t_ns)
        if isinstance(draft, Told):
            for message in draft.messages:
                if message.asks:
                    self._questions[message.frame, message.part] = place
        self._last_other = place
        return Expected(self._number, t_ns, draft)

    def _write(self, draft: _OwnChunk) -> Step:
        chunk = draft.chunk
        asked = [] if self._strict else self._asked(draft)
        waits = _waits(asked, chunk.t_ns) if asked else self._follows(chunk.t_ns)
        self._last_own = (self._number, chunk.t_ns)
        write = Write(chunk.stream, chunk.start_offset, chunk.data, tuple(draft.frames))
        return Step(self._number, chunk.t_ns, write, waits)

    def _asked(self, draft: _OwnChunk) -> list[Place]:
        """Return the questions that the frames of a chunk answer, if they do nothing else."""
        found = []
        for own in draft.frames:
            if own.frame.start_offset < draft.chunk.start_offset:
                return []  # the chunk goes on with a frame: it follows the chunk before it
            for message in own.messages:
                place = (message.answers or 0, message.answers_part or 0)
                question = self._questions.pop(place, None)
                if question is None:
                    return []
                found.append(question)
        return found

    def _follows(self, t_ns: int) -> tuple[Wait, ...]:
        before = [it for it in (self._last_own, self._last_other) if it is not None]
        return _waits(before, t_ns)


def is_own_event(event: Event, role: Role) -> bool:
    """Tell whether an event is the doing of that side."""
    if event.kind not in DONE:
        return False
    if event.kind == "signal":
        return role == "host"
    if event.kind == "exit":
        return role == "plugin"
    by = event.detail.get("by") or event.detail.get("reader")
    return bool(by == role)


def _waits(places: list[Place], t_ns: int) -> tuple[Wait, ...]:
    return tuple(Wait(number, max(t_ns - then, 0)) for number, then in dict.fromkeys(places))


def _cut(chunks: list[Chunk], frame: Frame) -> bytes:
    """Return the frame's bytes out of the chunks that it is in."""
    return b"".join(
        it.data[
            max(frame.start_offset - it.start_offset, 0) : max(
                frame.end_offset - it.start_offset, 0
            )
        ]
        for it in chunks
    )
