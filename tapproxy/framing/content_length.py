"""Content-Length frames: a header block and as many bytes as it says; what fits nowhere is junk."""

from tapproxy.framing import headers
from tapproxy.framing.api import Cut

LIMIT = 16 << 10
"""Largest header block, and largest piece of a junk line, bytes. (No peer sends a hundredth.)"""

_WINDOW = LIMIT + len(headers.NAME)
"""How much of an endless line is looked at before a piece is cut off: a header's name that begins
within the piece is seen whole, so that no name is cut through."""


class ContentLengthFramer:
    r"""Reads header lines one at a time and jumps over bodies.

    A header block is lines of the form `Name: value`, one of them a Content-Length with a usable
    number, then an empty line. Any other line is junk, one frame a line; so are the header lines
    before it that it leaves without an end. A Content-Length begins a new block where the block has
    one already or where text stands before it on its line (that text is junk); a header line whose
    terminator differs from that of the lines before it begins a new block as long as no length was
    seen (`INFO: ready\n` is a log line when the headers end with CRLF).

    Where the stream ends or bytes are missing within a header block, header_size is 0. After a gap
    within a body that is longer than the gap, the body's rest is a frame with the flaw `gap`;
    after any other gap, a header block is looked for at once.
    """

    name = "content-length"

    def __init__(self, start: int = 0) -> None:
        self._total = start  # the end of the bytes seen
        self._start = start  # of the open frame, or of what may become one
        self._body_end: int | None = None  # while in a body
        self._header_size = 0  # of the frame whose body is open
        self._flaw: str | None = None  # of the frame whose body is open
        self._block: list[tuple[int, str]] = []  # end and terminator of each header line so far
        self._length: int | None = None  # as the block says
        self._line = start  # where the open line begins
        self._held = b""  # the open line so far, less than _WINDOW

    def feed(self, data: bytes) -> list[Cut]:
        """Return the frames and the junk that end in these bytes."""
        cuts: list[Cut] = []
        base, at, size = self._total, 0, len(data)
        self._total = total = base + size
        while True:
            body_end = self._body_end
            if body_end is not None:
                if body_end > total:
                    return cuts
                cuts.append(Cut(self._start, body_end, self._header_size, "none", self._flaw))
                self._start = self._line = body_end
                self._body_end = None
                at = body_end - base
            if at == size:
                return cuts
            at = self._take_plain_block(data, at) or self._take_line(data, at, cuts)

    def skip(self, size: int) -> list[Cut]:
        """End the open frame at the gap, and find the place where the next one begins."""
        cuts = self._end("gap")
        self._total += size
        self._start = self._line = self._total
        self._forget_block()
        self._held = b""
        if self._body_end is not None and self._body_end > self._total:
            self._header_size, self._flaw = 0, "gap"
        else:
            self._body_end = None
        return cuts

    def close(self) -> list[Cut]:
        """Return what was open: a frame where a length or its beginning was seen, else junk."""
        if self._body_end is not None:
            return self._end(self._flaw or "unfinished")
        beginning = self._held[: len(headers.NAME)].lower()
        if self._length is not None or (beginning and headers.NAME.startswith(beginning)):
            return self._end("unfinished")
        cuts: list[Cut] = []
        self._give_up_block(cuts)
        return cuts + self._end("junk")

    @property
    def undecided(self) -> int:
        """In a body the end of the bytes seen, else the end of the first line not yet judged."""
        if self._body_end is not None:
            return self._total
        return self._block[0][0] if self._block else self._line

    def _end(self, flaw: str) -> list[Cut]:
        if self._start == self._total:
            return []
        header_size = 0 if self._body_end is None else self._header_size
        return [Cut(self._start, self._total, header_size, "none", flaw)]

    def _begin_body(self, at: int, length: int) -> None:
        self._header_size = at - self._start
        self._body_end = at + length
        self._flaw = None

    def _take_plain_block(self, data: bytes, at: int) -> int | None:
        """Take a whole header block of the usual form; return where the bytes after it begin."""
        if self._held or self._block:
            return None
        plain = headers.PLAIN_BLOCK.match(data, at)
        if plain is None:
            return None
        after = plain.end()
        self._begin_body(self._start + after - at, int(plain[1]))
        return after

    def _take_line(self, data: bytes, at: int, cuts: list[Cut]) -> int:
        """Take the open line's next bytes, and return where the bytes after them begin."""
        stop = at + _WINDOW - len(self._held)
        lf = data.find(b"\n", at, stop)
        after = lf + 1 if lf >= 0 else min(stop, len(data))
        line, begin, end = data, at, after
        if self._held or lf < 0:
            line = self._held + data[at:after]
            begin, end = 0, len(line)
        self._held = b""
        if lf >= 0:
            self._judge(line, begin, end, cuts)
        elif after == stop:
            self._cut_piece(line, cuts)
        else:
            self._held = line
        return after

    def _cut_piece(self, line: bytes, cuts: list[Cut]) -> None:
        name = line.lower().rfind(headers.NAME)
        size = name if name > 0 else LIMIT
        self._give_up_block(cuts)
        self._junk(self._start + size, "none", cuts)
        self._line = self._start
        self._held = line[size:]

    def _judge(self, text: bytes, begin: int, end: int, cuts: list[Cut]) -> None:
        """Decide what a whole line is, and what that means for the block so far."""
        start = self._line
        self._line = after = start + end - begin
        terminator = headers.terminator(text, begin, end)
        found = headers.find_length(text, begin, end)
        if found is not None:
            at, length = found
            if at > begin:
                self._give_up_block(cuts)
                self._junk(start + at - begin, "none", cuts)
            self._add_header(after, terminator, length, cuts)
        elif headers.is_other_header(text, begin, end):
            self._add_header(after, terminator, None, cuts)
        elif headers.is_blank(text, begin, end) and self._fits(after) and self._length is not None:
            self._begin_body(after, self._length)
            self._forget_block()
        else:
            self._give_up_block(cuts)
            self._junk(after, terminator, cuts)

    def _add_header(self, end: int, terminator: str, length: int | None, cuts: list[Cut]) -> None:
        if self._block and self._begins_block(end, terminator, length):
            self._give_up_block(cuts)
        self._block.append((end, terminator))
        self._length = self._length if length is None else length

    def _begins_block(self, end: int, terminator: str, length: int | None) -> bool:
        if not self._fits(end):
            return True
        if self._length is None:
            return terminator != self._block[-1][1]
        return length is not None

    def _fits(self, block_end: int) -> bool:
        return block_end - self._start <= LIMIT

    def _give_up_block(self, cuts: list[Cut]) -> None:
        for end, terminator in self._block:
            self._junk(end, terminator, cuts)
        self._forget_block()

    def _forget_block(self) -> None:
        self._block.clear()
        self._length = None

    def _junk(self, end: int, terminator: str, cuts: list[Cut]) -> None:
        cuts.append(Cut(self._start, end, 0, terminator, "junk"))
        self._start = end
