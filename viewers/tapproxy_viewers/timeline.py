"""What a timeline says: frames and events as rows of plain values, which `drawing` draws."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from tapproxy_store.records import Event, Frame, Stream
from tapproxy_viewers import visible, words
from tapproxy_viewers.happenings import tell

SILENCE_NS = words.SECOND
"""Nothing for longer than this is drawn as a gap."""

SLOW_NS = words.SECOND // 10
"""A frame that needs longer than this from its first byte to its last is marked."""

CHECKED_SIZE = 1 << 20
"""As many bytes of each frame are looked at to tell whether it is UTF-8."""

FLAW_WORDS = {"gap": "bytes missing"}
HIDDEN_EVENTS = {"end"}
"""The session's orderly end follows the exit at once and says nothing more."""

Payload = Callable[[Frame, int], bytes]
"""A frame's body, at most so many bytes of it."""


@dataclass(frozen=True, slots=True)
class FrameRow:
    """One frame as the timeline tells it."""

    t_ns: int  # since the session's start, at its last byte
    since_ns: int | None  # since the frame before it; None for the first
    stream: Stream
    size: int  # bytes on the wire
    notes: tuple[str, ...]  # what is wrong or odd: unfinished, junk, not UTF-8
    text: str  # the body's beginning; invalid bytes as lone surrogates
    more: bool  # whether the body goes on after `text`


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


Row = FrameRow | EventRow | SilenceRow


def rows(entries: Iterable[Frame | Event], payload: Payload, text_size: int) -> Iterator[Row]:
    """Turn a session's entries into rows; `text_size` is how many bytes of a body are wanted."""
    last_ns: int | None = None
    last_frame_ns: int | None = None
    row: FrameRow | EventRow
    for entry in entries:
        if isinstance(entry, Event):
            if entry.kind in HIDDEN_EVENTS:
                continue
            row = event_row(entry)
        else:
            row = frame_row(entry, last_frame_ns, payload(entry, CHECKED_SIZE), text_size)
            last_frame_ns = row.t_ns
        if last_ns is not None and row.t_ns - last_ns > SILENCE_NS:
            yield SilenceRow(row.t_ns - last_ns)
        last_ns = row.t_ns
        yield row


def open_rows(frames: Iterable[Frame], payload: Payload, text_size: int) -> Iterator[Row]:
    """Turn what has come of frames that are not over yet into rows, for a session that lives."""
    for frame in frames:
        yield frame_row(frame, None, payload(frame, CHECKED_SIZE), text_size, is_open=True)


def event_row(event: Event) -> EventRow:
    """Turn one event into its row."""
    weight, said = tell(event)
    return EventRow(event.t_ns, weight, said)


def frame_row(
    frame: Frame, before_ns: int | None, body: bytes, text_size: int, *, is_open: bool = False
) -> FrameRow:
    """Turn one frame into its row; `body` may be cut at CHECKED_SIZE."""
    head = body[:text_size]
    whole = len(body) < CHECKED_SIZE and not is_open
    is_utf8 = body.isascii() or visible.is_utf8(body, whole=whole)
    return FrameRow(
        t_ns=frame.last_ns,
        since_ns=None if before_ns is None else max(frame.last_ns - before_ns, 0),
        stream=frame.stream,
        size=frame.size,
        notes=_notes(frame, is_utf8=is_utf8, is_open=is_open),
        text=visible.decoded(head, whole=len(head) == len(body) and whole),
        more=len(head) < len(body) or not whole,
    )


def _notes(frame: Frame, *, is_utf8: bool, is_open: bool) -> tuple[str, ...]:
    took_ns = frame.last_ns - frame.first_ns
    if is_utf8 and not is_open and frame.flaw is None and took_ns <= SLOW_NS:
        return ()
    notes = []
    if is_open:
        notes.append("still open")
    elif frame.flaw:
        notes.append(FLAW_WORDS.get(frame.flaw, frame.flaw))
    if not is_utf8:
        notes.append("not UTF-8")
    if took_ns > SLOW_NS:
        notes.append(f"took {words.duration(took_ns)} to arrive")
    return tuple(notes)
