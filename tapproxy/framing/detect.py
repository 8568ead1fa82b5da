"""The framing `auto`: recognised from a direction's first bytes, then left to the one that fits."""

import re

from tapproxy.framing.api import Cut, Framer
from tapproxy.framing.content_length import ContentLengthFramer
from tapproxy.framing.lines import LinesFramer
from tapproxy.framing.raw import RawFramer

PREFIX = 64
"""Bytes by which the framing is recognised at the latest, and the most that is held."""

BANNER = 1 << 16
"""Offset up to which lines may turn out to be a banner before Content-Length frames."""

_BINARY = rb"\x00-\x06\x0e-\x1a\x1c\x1d\x1f"
"""Control bytes that text has not: all but BEL, BS, TAB, LF, VT, FF, CR, ESC (terminal programs),
and RS (it begins each text of RFC 7464's JSON sequences, which end with LF)."""

_LINE_END_OR_BINARY = re.compile(rb"[\n" + _BINARY + rb"]")
_HEADER = re.compile(rb"content-(?:length|type)[ \t]*:", re.IGNORECASE)

_SPACES = PREFIX - len(b"content-length:")
_TELLING = rb"[{\[]|content-length[ \t]{0,%d}:" % _SPACES
_TELLING_FIRST = re.compile(rb"(" + _TELLING + rb")", re.IGNORECASE)
_TELLING_LATER = re.compile(rb"\n(" + _TELLING + rb")", re.IGNORECASE)
_COULD_TELL = re.compile(rb"content-length[ \t]{0,%d}" % _SPACES, re.IGNORECASE)


def recognise(prefix: bytes) -> str | None:
    """Return the framing of a stream that begins so, None while more bytes are needed to tell.

    Once it is told, no further bytes change it. A leading LF tells nothing yet: esbuild's packets
    begin with a length in four bytes, the lowest first, and 10 is a length like any other.
    """
    head = prefix[:PREFIX]
    if _HEADER.match(head):
        return "content-length"
    telling = head[1:2] if head.startswith(b"\n") else head
    found = _LINE_END_OR_BINARY.search(telling)
    if found and found[0] != b"\n":
        return "raw"
    if found or len(head) == PREFIX or (head.startswith(b"\n") and telling):
        return "lines"
    return None


class AutoFramer:
    """Holds up to 64 bytes until the framing is recognised, then is that framing.

    Lines may turn out to be a banner: as long as no line began with `{` or `[`, a line that begins
    with a Content-Length header (in the first 64 KiB) makes it `content-length` from that line on.
    Bytes that are too few to recognise anything by are lines, at the end as before missing bytes;
    after these, the next bytes are looked at as if the stream began with them.
    """

    def __init__(self) -> None:
        self.name = "auto"
        self._framer: Framer = LinesFramer()
        self._feed = self._recognise
        self._held = b""  # while not recognised, all bytes; in a banner, the open line's beginning
        self._at_line_start = True  # what follows the bytes seen, less those held, begins a line

    def feed(self, data: bytes) -> list[Cut]:
        """Return the frames that are now known to be over; none while nothing is recognised."""
        return self._feed(data)

    def skip(self, size: int) -> list[Cut]:
        """End what is open; what follows is at a line's beginning, as far as anybody knows."""
        cuts = self._release() + self._framer.skip(size)
        self._held = b""
        self._at_line_start = True
        return cuts

    def close(self) -> list[Cut]:
        """End what is open."""
        return self._release() + self._framer.close()

    @property
    def undecided(self) -> int:
        """Where the held bytes begin, else what the framing says."""
        fed = len(self._held) if self.name == "lines" else 0
        return self._framer.undecided - fed

    def _release(self) -> list[Cut]:
        return self._framer.feed(self._held) if self.name == "auto" else []

    def _recognise(self, data: bytes) -> list[Cut]:
        text = self._held + data if self._held else data
        name = recognise(text[:PREFIX])
        if name is None:
            self._held = text
            return []
        self.name = name
        self._held = b""
        self._feed = self._feed_banner
        if name == "raw":
            self._become(RawFramer(self._framer.undecided))
        elif name == "content-length":
            self._become(ContentLengthFramer(self._framer.undecided))
        return self._feed(text)

    def _become(self, framer: Framer) -> None:
        self._framer = framer
        self._feed = framer.feed

    def _feed_banner(self, data: bytes) -> list[Cut]:
        """Feed lines until one begins in a way that settles the framing."""
        text = self._held + data if self._held else data
        found = _TELLING_FIRST.match(text) if self._at_line_start else None
        found = found or _TELLING_LATER.search(text)
        begins = self._framer.undecided - len(self._held)
        if found is None and begins + len(text) < BANNER + PREFIX:
            self._remember_line_start(text)
            return self._framer.feed(data)
        if found and text[found.start(1)] not in b"{[" and begins + found.start(1) < BANNER:
            return self._leave_banner(text, found.start(1))
        self._held = b""
        self._feed = self._framer.feed
        return self._feed(data)

    def _remember_line_start(self, text: bytes) -> None:
        """Hold the open line's beginning while a header may become of it."""
        line = text.rfind(b"\n") + 1
        beginning = text[line : line + PREFIX]
        self._at_line_start = _could_tell(beginning) and (line > 0 or self._at_line_start)
        self._held = beginning if self._at_line_start else b""

    def _leave_banner(self, text: bytes, line: int) -> list[Cut]:
        """Read lines up to the offset `line` of the text, and Content-Length frames from there."""
        held = len(self._held)
        start = self._framer.undecided - held + line
        cuts = self._framer.feed(text[held:line])
        self.name = "content-length"
        self._held = b""
        self._become(ContentLengthFramer(start))
        return cuts + self._feed(text[line:])


def _could_tell(beginning: bytes) -> bool:
    name = b"content-length"
    return name.startswith(beginning.lower()) or _COULD_TELL.fullmatch(beginning) is not None
