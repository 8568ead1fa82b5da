"""What a timeline says, as rows of plain values, which `drawing` draws."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from tapproxy_store.records import Event, Frame, Message, Stream, Told
from tapproxy_viewers import visible, words
from tapproxy_viewers.happenings import tell
from tapproxy_viewers.on_the_wire import is_plain, wire_notes, wire_remarks

SLOW_NS = words.SECOND // 10
"""A frame that needs longer than this from its first byte to its last is marked."""

CHECKED_SIZE = 1 << 20
"""As many bytes of a frame that has no message are looked at to tell whether it is UTF-8."""

UNKNOWN = "unknown"
"""The kind of a message that its dialect could not read."""

HEARTBEAT = "heartbeat"

FLAW_WORDS = {"gap": "bytes missing"}
BATCH = "batch"
REMARKS = {
    "out-of-order": "out of order",
    "after-cancel": "after it was cancelled",
    BATCH: "in a batch",
    "not-ascii": "bytes ≠ characters",
}
"""What is worth telling of a message and is nothing wrong, by its flag."""

Payload = Callable[[Frame, int], bytes]
"""A frame's body, at most so many bytes of it."""


class FrameRow(NamedTuple):
    """One frame, or one of several messages in it, as the timeline tells it.

    A tuple, as a frame is: a session may have a million of them.
    """

    t_ns: int  # since the session's start, at its last byte
    since_ns: int | None  # since the frame before it; None for the first
    shares_read: bool  # came in one read with the frame before it on its stream
    stream: Stream
    number: int
    size: int  # bytes on the wire
    notes: tuple[str, ...]  # what is wrong or odd: unfinished, junk, not UTF-8, answers no request
    message: Message | None  # None where nothing is known of what it means
    remarks: tuple[str, ...] = ()  # what else is worth telling of the message
    text: str = ""  # without a message that was understood: the body's beginning
    more: bool = False  # whether the body goes on after `text`
    continues: bool = False  # the row before tells of the same frame


@dataclass(frozen=True, slots=True)
class FoldRow:
    """Consecutive messages of one run, as one."""

    first: FrameRow
    last: FrameRow
    count: int  # messages


@dataclass(frozen=True, slots=True)
class EventRow:
    """One event in words."""

    t_ns: int  # since the session's start
    weight: str  # event, notable, bad
    words: str


@dataclass(frozen=True, slots=True)
class SilenceRow:
    """A time without anything, nanoseconds."""

    duration_ns: int


Row = FrameRow | FoldRow | EventRow | SilenceRow


def event_row(event: Event) -> EventRow:
    """Turn one event into its row."""
    weight, said = tell(event)
    return EventRow(event.t_ns, weight, said)


@dataclass(frozen=True, slots=True)
class Source:
    """What rows are made with besides the entries."""

    payload: Payload
    text_size: int  # bytes of a body that are wanted
    no_answer: str | None = "no answer"  # the note on a question without one; None: not yet known


def frame_rows(told: Told, before: Frame | None, source: Source) -> list[FrameRow]:
    """Turn a frame into a row for each of its messages; `before` is the frame drawn before it."""
    frame, messages = told
    if not messages:
        return [bare_row(frame, before, source)]
    first = _message_row(frame, messages[0], before, source)
    if len(messages) == 1:
        return [first]
    others = [_message_row(frame, it, before, source) for it in messages[1:]]
    return [first, *map(_continuing, others)]


def _continuing(row: FrameRow) -> FrameRow:
    remarks = tuple([it for it in row.remarks if it != REMARKS[BATCH]])
    return row._replace(continues=True, remarks=remarks)


def _message_row(frame: Frame, message: Message, before: Frame | None, source: Source) -> FrameRow:
    notes = flaw_notes(frame, is_utf8=True, is_open=False)
    remarks: tuple[str, ...] = ()
    if message.note:
        notes = (*notes, message.note)
    if message.asks and message.answered_after_ns is None and source.no_answer:
        notes = (*notes, source.no_answer)
    if frame.last_ns - frame.first_ns > SLOW_NS:
        notes = (*notes, *time_notes(frame))
    if message.flags:
        remarks = tuple([REMARKS[it] for it in message.flags.split() if it in REMARKS])
    if not is_plain(frame):
        notes = (*wire_notes(frame, message, source.payload), *notes)
        remarks = (*remarks, *wire_remarks(frame))
    text, more = "", False
    if message.kind == UNKNOWN:
        head = source.payload(frame, source.text_size)
        more = len(head) == source.text_size
        text = visible.decoded(head, whole=not more)
    return FrameRow(
        frame.last_ns,
        _since(frame, before),
        _shares_read(frame, before),
        frame.stream,
        frame.number,
        frame.end_offset - frame.start_offset,
        notes,
        message,
        remarks,
        text,
        more,
    )


def bare_row(
    frame: Frame, before: Frame | None, source: Source, *, is_open: bool = False
) -> FrameRow:
    """Turn a frame of which only the bytes are known into its row."""
    body = source.payload(frame, CHECKED_SIZE)
    head = body[: source.text_size]
    whole = len(body) < CHECKED_SIZE and not is_open
    is_utf8 = body.isascii() or visible.is_utf8(body, whole=whole)
    return FrameRow(
        t_ns=frame.last_ns,
        since_ns=_since(frame, before),
        shares_read=_shares_read(frame, before),
        stream=frame.stream,
        number=frame.number,
        size=frame.size,
        notes=(*flaw_notes(frame, is_utf8=is_utf8, is_open=is_open), *time_notes(frame)),
        message=None,
        text=visible.decoded(head, whole=len(head) == len(body) and whole),
        more=len(head) < len(body) or not whole,
    )


def _since(frame: Frame, before: Frame | None) -> int | None:
    return None if before is None else max(frame.last_ns - before.last_ns, 0)


def _shares_read(frame: Frame, before: Frame | None) -> bool:
    if before is None or frame.number == 0:
        return False
    return frame.stream == before.stream and frame.first_chunk == before.last_chunk


def flaw_notes(frame: Frame, *, is_utf8: bool, is_open: bool) -> tuple[str, ...]:
    """Say what is wrong or odd about a frame's bytes, whatever they mean."""
    if is_utf8 and not is_open and frame.flaw is None:
        return ()
    notes = []
    if is_open:
        notes.append("still open")
    elif frame.flaw:
        notes.append(FLAW_WORDS.get(frame.flaw, frame.flaw))
    if not is_utf8:
        notes.append("not UTF-8")
    return tuple(notes)


def time_notes(frame: Frame) -> tuple[str, ...]:
    """Say of a frame that came slowly how long it took."""
    took_ns = frame.last_ns - frame.first_ns
    return (f"arrived over {words.duration(took_ns)}",) if took_ns > SLOW_NS else ()
