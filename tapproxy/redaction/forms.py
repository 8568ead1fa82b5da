"""The forms in which a secret stands in bytes besides its own: UTF-16, hexadecimal, base64."""

from binascii import b2a_base64
from collections.abc import Iterator
from typing import NamedTuple

from tapproxy.redaction.coats import decoded

ALIGNMENTS = (0, 1, 2)
"""Where in a group of three bytes, which are four characters of base64, a text may begin."""

_FIRST_WHOLE = (0, 2, 3)
"""The first character of that group that holds nothing of what is before the text."""
_ALPHABET = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")


class Core(NamedTuple):
    """A text within base64: the characters that hold nothing but it."""

    text: bytes
    placeholder: bytes
    alignment: int
    old: bytes
    new: bytes


def other_forms(text: bytes, placeholder: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield a text in other forms in which its bytes stand apart, with its placeholder in them."""
    try:
        pair = text.decode(), placeholder.decode()
    except UnicodeDecodeError:
        pass
    else:
        for coding in ("utf-16-le", "utf-16-be"):
            yield pair[0].encode(coding), pair[1].encode(coding)
    old, new = text.hex().encode(), placeholder.hex().encode()
    yield old, new
    yield old.upper(), new.upper()


def cores(text: bytes, placeholder: bytes) -> Iterator[Core]:
    """Yield a text as it stands within longer base64, at each alignment."""
    for alignment in ALIGNMENTS:
        old, new = _core(text, alignment), _core(placeholder, alignment)
        yield Core(text, placeholder, alignment, old, new)


def _core(text: bytes, alignment: int) -> bytes:
    bits = 8 * (alignment + len(text))
    coded = b2a_base64(b"\0" * alignment + text, newline=False)
    return coded[_FIRST_WHOLE[alignment] : bits // 6]


def without_core(text: bytes, core: Core) -> tuple[bytes, int]:
    """Return the base64 around with the placeholder inside, and how often it was there."""
    pieces: list[bytes] = []
    at = count = 0
    while (found := text.find(core.old, at)) >= 0:
        begin = max(found - _FIRST_WHOLE[core.alignment], at)
        end = found + len(core.old)
        groups = (
            _groups(text, begin, core) if begin + _FIRST_WHOLE[core.alignment] == found else None
        )
        if groups is None:  # what is around is no base64: the characters that are the text's alone
            pieces += [text[at:found], core.new]
        else:
            pieces += [text[at:begin], groups]
            end = begin + len(groups)
        at = end
        count += 1
    return b"".join([*pieces, text[at:]]), count


def _groups(text: bytes, begin: int, core: Core) -> bytes | None:
    """Return the groups of characters that hold the text, with its placeholder in them."""
    size = -(-(core.alignment + len(core.text)) // 3) * 4
    old = text[begin : begin + size]
    length = next((at for at, it in enumerate(old) if it not in _ALPHABET), len(old))
    old = old[:length]
    inner = decoded(old)
    stop = core.alignment + len(core.text)
    if inner[core.alignment : stop] != core.text:
        return None
    new = inner[: core.alignment] + core.placeholder + inner[stop:]
    return b2a_base64(new, newline=False)[:length]
