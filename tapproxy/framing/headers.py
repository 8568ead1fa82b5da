"""What one line can be in a Content-Length header block; pure functions on a line within bytes.

The form is that of LSP 3.17, "Base Protocol" (and DAP, "Base Protocol"): `Name: value` lines that
end with CRLF, then an empty line. What real peers get wrong and others still read is read here.
"""

import re

NAME = b"content-length"

LARGEST_BODY = (1 << 31) - 1
"""A length above this is no length: no peer could hold such a body, and believing it would swallow
the rest of the stream."""

PLAIN_BLOCK = re.compile(
    rb"Content-Length: ([0-9]{1,9})\r\n(?:Content-Type: [^:\r\n]{1,200}\r\n)?\r\n"
)
"""What nearly every block looks like: found at once, three times as fast as line by line, and with
the same result (no colon stands in it that could be a second header's)."""

_VALUE = re.compile(rb"[ \t]*([0-9]{1,20})[ \t]*\r*\n")
_HEADER = re.compile(rb"(?!content-length[ \t]*:)[a-z][a-z0-9_-]*[ \t]*:", re.IGNORECASE)
_BLANK = re.compile(rb"\r*\n")


def find_length(text: bytes, start: int, end: int) -> tuple[int, int] | None:
    """Return the offset of a Content-Length header that ends this line, and the length it gives.

    Other text may stand before the header: what another thread printed without a newline.
    """
    colon = text.rfind(b":", start, end)
    value = _VALUE.match(text, colon + 1, end)
    if colon < 0 or value is None:
        return None
    name_end = colon
    while name_end > start and text[name_end - 1] in b" \t":
        name_end -= 1
    name = name_end - len(NAME)
    length = int(value[1])
    if name < start or text[name:name_end].lower() != NAME or length > LARGEST_BODY:
        return None
    return name, length


def is_other_header(text: bytes, start: int, end: int) -> bool:
    """Tell whether the line has the form of a header (a Content-Length without use has not)."""
    return _HEADER.match(text, start, end) is not None


def is_blank(text: bytes, start: int, end: int) -> bool:
    """Tell whether the line is the empty one that ends a header block."""
    return _BLANK.match(text, start, end) is not None


def terminator(text: bytes, start: int, end: int) -> str:
    """Name the line's terminator."""
    if text.endswith(b"\r\r\n", start, end):
        return "CRCRLF"
    return "CRLF" if text.endswith(b"\r\n", start, end) else "LF"
