"""Bytes and text of a recording, made safe to show: nothing in it can steer a terminal or a page.

Control characters become their pictures (␛ ␍ ␀); an invalid byte, and what is invisible or turns
the direction of writing, its code between marks: FF, U+202E.
"""

import codecs
import re
from collections.abc import Iterator

from tapproxy_store.unseen import (
    CONTROLS,
    FORMATTING,
    LATE_CONTROLS,
    STRAY_JOINER,
    SURROGATES,
)
from tapproxy_viewers.palette import CODE_MARKS

UNSAFE = re.compile(f"[{CONTROLS}{FORMATTING}{SURROGATES}]|{STRAY_JOINER}")
_UNSAFE_IN_JSON = re.compile(f"[{LATE_CONTROLS}{FORMATTING}{SURROGATES}]|{STRAY_JOINER}")

_DELETE = 0x7F
_PICTURES = 0x2400
_DELETE_PICTURE = "\u2421"


def decoded(data: bytes, *, whole: bool = True) -> str:
    """Decode UTF-8, each invalid byte a lone surrogate; a character cut at the end is left out.

    The end is taken as cut unless `data` is the `whole` of what there is.
    """
    return codecs.utf_8_decode(data, "surrogateescape", whole)[0]


def is_utf8(data: bytes, *, whole: bool = True) -> bool:
    """Tell whether the bytes are UTF-8; where they are not the `whole`, a cut end is allowed."""
    try:
        codecs.utf_8_decode(data, "strict", whole)
    except UnicodeDecodeError:
        return False
    return True


def is_harmless(text: str) -> bool:
    """Tell whether all is printable ASCII: the fast way past everything else here."""
    return text.isascii() and text.isprintable()


def symbol(character: str) -> str:
    """Return what is shown in place of one unsafe character."""
    code = ord(character)
    if code < 0x20:
        return chr(_PICTURES + code)
    if code == _DELETE:
        return _DELETE_PICTURE
    opening, closing = CODE_MARKS
    if 0xDC80 <= code <= 0xDCFF:
        return f"{opening}{code - 0xDC00:02X}{closing}"
    return f"{opening}U+{code:04X}{closing}"


def shown(text: str) -> str:
    """Return the text with every unsafe character as its symbol."""
    return text if is_harmless(text) else UNSAFE.sub(lambda found: symbol(found[0]), text)


def pieces(text: str) -> Iterator[tuple[str, bool]]:
    """Split into what stands as it is, and symbols (marked True), in order."""
    at = 0
    for found in UNSAFE.finditer(text):
        if found.start() > at:
            yield text[at : found.start()], False
        yield symbol(found[0]), True
        at = found.end()
    if at < len(text):
        yield text[at:], False


def safe_json(line: str) -> str:
    r"""Return the same JSON with what a terminal might obey written as `\\uXXXX`."""
    if line.isascii() and "\x7f" not in line:
        return line
    return _UNSAFE_IN_JSON.sub(_json_escape, line)


def _json_escape(found: re.Match[str]) -> str:
    units = found[0].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))
