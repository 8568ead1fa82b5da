"""Newline-delimited frames: any terminator, any length, nothing held but the last two bytes."""

from tapproxy.framing.api import Cut

_CR = 13
_new = tuple.__new__  # half the cost of Cut(...), and this is done for every line


class LinesFramer:
    """A frame ends at its LF; up to two carriage returns before it belong to the terminator.

    An empty line is a frame. The first frame after a gap is flawed `gap` whatever ends it, because
    nobody knows whether it began before the gap.
    """

    name = "lines"

    def __init__(self, start: int = 0) -> None:
        self._start = start  # of the open frame
        self._total = start  # the end of the bytes seen
        self._tail = b""  # the last two bytes since the start or a gap: a CR may be among them
        self._flaw: str | None = None  # of the open frame

    def feed(self, data: bytes) -> list[Cut]:
        """Return the lines that end in these bytes."""
        base = self._total
        self._total = base + len(data)
        find = data.find
        lf = find(b"\n")
        if lf < 0:
            self._tail = data[-2:] if len(data) > 1 else (self._tail + data)[-2:]
            return []
        terminator = "LF"
        if lf < 2 or data[lf - 1] == _CR:
            terminator = _terminator(self._tail + data[max(lf - 2, 0) : lf])
        end = base + lf + 1
        cuts = [_new(Cut, (self._start, end, 0, terminator, self._flaw))]
        while (lf := find(b"\n", lf + 1)) >= 0:
            terminator = "LF" if data[lf - 1] != _CR else _terminator(data[lf - 2 : lf])
            start, end = end, base + lf + 1
            cuts.append(_new(Cut, (start, end, 0, terminator, None)))
        self._start = end
        self._flaw = None
        self._tail = data[-2:]
        return cuts

    def skip(self, size: int) -> list[Cut]:
        """End the open frame at the gap; the next one is flawed too."""
        cuts = self._end("gap")
        self._total += size
        self._start = self._total
        self._tail = b""
        self._flaw = "gap"
        return cuts

    def close(self) -> list[Cut]:
        """Return the line that no LF ended, if there is one."""
        return self._end(self._flaw or "unfinished")

    @property
    def undecided(self) -> int:
        """The end of the bytes seen."""
        return self._total

    def _end(self, flaw: str) -> list[Cut]:
        if self._start == self._total:
            return []
        return [Cut(self._start, self._total, 0, "none", flaw)]


def _terminator(before: bytes) -> str:
    """Name the terminator by what stands before the LF (of this frame, or an LF before it)."""
    if before.endswith(b"\r\r"):
        return "CRCRLF"
    return "CRLF" if before.endswith(b"\r") else "LF"
