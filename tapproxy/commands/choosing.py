"""Which entries of a recording a command is about: a filter, and a range in time or in number."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tapproxy.filters import Filter
from tapproxy_store.pages import Selection
from tapproxy_store.reading import Recording
from tapproxy_store.records import Event, Frame, Message, Told

EVERYTHING = Selection()


@dataclass(frozen=True, slots=True)
class Candidate:
    """A frame and one of its messages, as a filter asks about them."""

    recording: Recording
    frame: Frame
    message: Message | None
    gap_ns: int | None

    @property
    def answered(self) -> bool:
        """Whether the message was answered."""
        return self.message is not None and self.message.answered_after_ns is not None

    def body(self) -> bytes:
        """Return the frame's body."""
        return self.recording.payload(self.frame)

    def decoded(self) -> bytes | None:
        """Return the message's JSON, where it is not the body."""
        return None if self.message is None else self.recording.decoded(self.message)


def chosen(
    recording: Recording, session_id: int, wanted: Filter, within: Selection = EVERYTHING
) -> Iterator[Told | Event]:
    """Yield the frames that a filter wants, within a selection, and the events of the selection."""
    where, values = wanted.sql()
    both = " AND ".join(f"({it})" for it in (within.where, where) if it)
    selection = within._replace(where=both, values=(*within.values, *values))
    if wanted.is_complete:
        yield from recording.entries(session_id, selection)
    elif "gap" in wanted.keys:
        gap = Gap()
        entries = recording.entries(session_id, within)
        yield from matching(recording, ((it, gap.before(it)) for it in entries), wanted)
    else:
        entries = recording.entries(session_id, selection)
        yield from matching(recording, ((it, None) for it in entries), wanted)


class Gap:
    """Knows when the last frame was."""

    def __init__(self) -> None:
        self._last_ns: int | None = None

    def before(self, entry: Told | Event) -> int | None:
        """Return the time since the frame before this one; None for the first, and for events."""
        if isinstance(entry, Event):
            return None
        before, self._last_ns = self._last_ns, entry.frame.last_ns
        return None if before is None else max(self._last_ns - before, 0)


def matching(
    recording: Recording, entries: Iterable[tuple[Told | Event, int | None]], wanted: Filter
) -> Iterator[Told | Event]:
    """Yield those frames, and those messages of a frame, that the filter wants; and all events."""
    for entry, gap_ns in entries:
        if isinstance(entry, Event):
            yield entry
            continue
        frame = entry.frame
        if not entry.messages:
            if wanted.matches(Candidate(recording, frame, None, gap_ns)):
                yield entry
            continue
        messages = tuple([
            it for it in entry.messages if wanted.matches(Candidate(recording, frame, it, gap_ns))
        ])  # fmt: skip
        if messages:
            yield Told(frame, messages)
