"""The bytes of each write: as recorded, or with live values, cut where the recording was cut."""

from collections.abc import Callable

from tapproxy.replay.script import OwnFrame, Step, Write
from tapproxy_store.records import Frame, Stream


class Pieces:
    """Keeps frames whole: until one has been sent to its end, nothing else goes on its stream."""

    def __init__(self, applied: Callable[[OwnFrame], bytes]) -> None:
        """Take what returns a frame's bytes with live values."""
        self._applied = applied
        self._open: dict[Stream, int] = {}  # where a stream must go on, in the recorded one
        self._held: list[Step] = []
        self._live: dict[tuple[Stream, int], bytes] = {}  # frames that are sent in several writes

    def may_send(self, write: Write) -> bool:
        """Tell whether a write would not fall into the middle of a frame."""
        return self._open.get(write.stream, write.start_offset) == write.start_offset

    def is_open(self, stream: Stream) -> bool:
        """Tell whether a frame has been begun and is not at its end."""
        return stream in self._open

    def hold(self, step: Step) -> None:
        """Keep a step until the open frame is sent."""
        self._held.append(step)

    def bytes_of(self, write: Write) -> bytes:
        """Return what is to be written."""
        if len(write.frames) == 1 and _is_all_of(write, write.frames[0].frame):
            return self._applied(write.frames[0]) or write.data
        pieces, at, is_changed = [], write.start_offset, False
        for own in write.frames:
            frame = own.frame
            start, end = max(frame.start_offset, at), min(frame.end_offset, write.end_offset)
            pieces.append(_recorded(write, at, start))
            live = self._whole(own, write)
            if live is own.data:
                pieces.append(_recorded(write, start, end))
            else:
                is_changed = True
                cut = Cut(own.data, live)
                begin, stop = start - frame.start_offset, end - frame.start_offset
                pieces.append(live[cut.place(begin) : cut.place(stop)])
            at = end
        pieces.append(_recorded(write, at, write.end_offset))
        return b"".join(pieces) if is_changed else write.data

    def sent(self, write: Write) -> list[Step]:
        """Take note that it was written; return the steps that may come now."""
        if write.goes_on:
            self._open[write.stream] = write.end_offset
            return []
        self._open.pop(write.stream, None)
        held, self._held = self._held, []
        return held

    def _whole(self, own: OwnFrame, write: Write) -> bytes:
        """Return the frame with live values: those of the moment at which its first part goes."""
        frame = own.frame
        key = (frame.stream, frame.number)
        live = self._live.pop(key, None)
        if live is None:
            live = self._applied(own)
        if frame.end_offset > write.end_offset:
            self._live[key] = live
        return live


class Cut:
    """Where a place in the recorded frame is in the live one: what was replaced counts as one."""

    def __init__(self, recorded: bytes, live: bytes) -> None:
        self._recorded, self._live = len(recorded), len(live)
        self._before = _common(recorded, live)
        room = min(self._recorded, self._live) - self._before
        self._after = min(_common(recorded[::-1], live[::-1]), room)

    def place(self, offset: int) -> int:
        """Return the offset in the live frame."""
        if offset <= self._before:
            return offset
        if offset >= self._recorded - self._after:
            return offset + self._live - self._recorded
        return min(offset, self._live - self._after)


def _is_all_of(write: Write, frame: Frame) -> bool:
    return frame.start_offset == write.start_offset and frame.end_offset == write.end_offset


def _common(one: bytes, other: bytes) -> int:
    """Return how many bytes both begin with."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[:middle] == other[:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _recorded(write: Write, start: int, end: int) -> bytes:
    return write.data[start - write.start_offset : end - write.start_offset]
