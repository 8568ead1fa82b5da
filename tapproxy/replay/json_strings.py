"""The text between a JSON string's quotes, raw and plain: bytes with escapes, bytes without."""

import json
import re

ESCAPE = re.compile(
    rb"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|[^u])"
)
"""One escape; the two halves of a surrogate pair are one."""

_SHORT = {
    rb"\"": b'"',
    rb"\\": b"\\",
    rb"\/": b"/",
    rb"\b": b"\b",
    rb"\f": b"\f",
    rb"\n": b"\n",
    rb"\r": b"\r",
    rb"\t": b"\t",
}
_TO_ESCAPE = re.compile(rb'["\\\x00-\x1f]')


def plain(escape: bytes) -> bytes:
    """Return what an escape stands for, UTF-8 (half a surrogate pair as if it were a character)."""
    short = _SHORT.get(escape)
    if short is not None:
        return short
    text: str = json.loads(b'"%s"' % escape)
    return text.encode(errors="surrogatepass")


def unescaped(raw: bytes) -> bytes:
    """Return a string's text; bytes that are not UTF-8 stay as they are."""
    return ESCAPE.sub(lambda it: plain(it[0]), raw) if b"\\" in raw else raw


def escaped(text: bytes) -> bytes:
    """Return a text as it stands between the quotes of a JSON string."""
    return _TO_ESCAPE.sub(lambda it: json.dumps(it[0].decode())[1:-1].encode(), text)
