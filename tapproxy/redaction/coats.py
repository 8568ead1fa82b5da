"""What text may be wrapped in: JSON's escapes, percent signs, base64; opened, and closed again.

Closing takes an inner text of the same length, and yields an outer one of the same length: what
did not change inside stays as it was written.
"""

import re
from binascii import a2b_base64, b2a_base64
from collections.abc import Callable, Iterator
from typing import NamedTuple

from tapproxy.replay.json_strings import plain

ESCAPE = re.compile(
    rb"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}"
    rb'|["\\/bfnrt])'
)
"""One escape as JSON has it (RFC 8259, section 7); what else follows a backslash is none."""

PERCENT = re.compile(rb"%([0-9a-fA-F]{2})")
"""One byte as URLs have it (RFC 3986, section 2.1)."""

MARK = b"\0"
"""What stands for a quote that belongs to something around the text."""

_ESCAPE_OR_QUOTE = re.compile(ESCAPE.pattern + b'|"')
_PERCENT_OR_QUOTE = re.compile(PERCENT.pattern + b'|"')

SHORTEST_BASE64 = 16
"""Characters of a word from which on it is opened as base64."""

_BASE64 = re.compile(rb"[A-Za-z0-9+/]{%d,}" % SHORTEST_BASE64)
_URL_SAFE = re.compile(rb"[A-Za-z0-9_-]{%d,}" % SHORTEST_BASE64)
_TO_STANDARD = bytes.maketrans(b"-_", b"+/")
_TO_URL_SAFE = bytes.maketrans(b"+/", b"-_")
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
"""What text does not have; colours of terminals begin with 1b."""

_SHORT_ESCAPE = 2
_HALF = 6
"""Bytes of `\\n` and of `\\u000a`."""


def unescaped(text: bytes) -> bytes:
    """Return a text with its JSON escapes opened, wherever they stand."""
    return ESCAPE.sub(lambda it: plain(it[0]), text)


def outline_of_unescaped(text: bytes) -> bytes:
    """Return what `unescaped` does, with a mark in place of each quote that was none of the inside.

    Within a string of JSON, quotes are escaped: one that is not ends that string.
    """
    return _ESCAPE_OR_QUOTE.sub(lambda it: MARK if it[0] == b'"' else plain(it[0]), text)


def outline_of_unquoted(text: bytes) -> bytes:
    """Return the same of `unquoted`."""
    return _PERCENT_OR_QUOTE.sub(lambda it: MARK if it[0] == b'"' else unquoted(it[0]), text)


def escaped_again(text: bytes, inner: bytes) -> bytes:
    """Return the text of which `inner`, changed, is the inside: each escape stays one."""
    return _closed(text, inner, ESCAPE, plain, _as_escape)


def unquoted(text: bytes) -> bytes:
    """Return a text with its percent signs opened."""
    return PERCENT.sub(lambda it: bytes.fromhex(it[1].decode()), text)


def quoted_again(text: bytes, inner: bytes) -> bytes:
    """Return the text of which `inner`, changed, is the inside."""
    return _closed(text, inner, PERCENT, unquoted, lambda _, byte: b"%%%02X" % byte[0])


def _closed(
    text: bytes,
    inner: bytes,
    unit: re.Pattern[bytes],
    opened: Callable[[bytes], bytes],
    closed: Callable[[bytes, bytes], bytes],
) -> bytes:
    pieces = []
    at = inner_at = 0
    for match in unit.finditer(text):
        size = match.start() - at
        pieces.append(inner[inner_at : inner_at + size])
        inner_at += size
        before = opened(match[0])
        now = inner[inner_at : inner_at + len(before)]
        pieces.append(match[0] if now == before else closed(match[0], now))
        at = match.end()
        inner_at += len(before)
    return b"".join([*pieces, inner[inner_at:]])


def _as_escape(escape: bytes, text: bytes) -> bytes:
    """Write a text as an escape of the same length.

    One of two bytes cannot be anything else: such characters stay in a placeholder, and a slash of
    base64 that stays one costs the placeholder a bit.
    """
    if len(escape) == _SHORT_ESCAPE:
        return escape
    halves = len(escape) // _HALF
    units = text.decode("utf-8", "replace").encode("utf-16-be")
    if len(units) != 2 * halves:  # it was no character, but half of one
        units = "x".encode("utf-16-be") * halves
    return b"".join(
        b"\\u%04x" % int.from_bytes(units[at : at + 2], "big") for at in range(0, 2 * halves, 2)
    )


class Word(NamedTuple):
    """A word that may be base64, in a text."""

    start: int
    end: int
    inner: bytes
    is_text: bool  # UTF-8 without control characters
    is_url_safe: bool


def base64_words(text: bytes) -> Iterator[Word]:
    """Yield the words of a text that base64 may have made, with or without padding.

    One that holds no text when it is read from its beginning is read from its second, third and
    fourth character on, too: something else may stand before it.
    """
    for match in _BASE64.finditer(text):
        if not match[0].islower():  # a word or a path: no base64 of so many letters is
            yield _opened(match[0], match.start(), is_url_safe=False)
    if b"-" in text or b"_" in text:
        for match in _URL_SAFE.finditer(text):
            if b"-" in match[0] or b"_" in match[0]:
                yield _opened(match[0], match.start(), is_url_safe=True)


def base64_again(text: bytes, word: Word, inner: bytes) -> bytes:
    """Return the text with a word of which `inner`, changed, is the inside."""
    coded = b2a_base64(inner, newline=False)
    if word.is_url_safe:
        coded = coded.translate(_TO_URL_SAFE)
    old = text[word.start : word.end]
    new = bytearray(old)
    for at in range(0, len(inner), 3):
        if inner[at : at + 3] != word.inner[at : at + 3]:
            group = slice(at // 3 * 4, min(at // 3 * 4 + 4, len(old)))
            new[group] = coded[group]
    return text[: word.start] + bytes(new) + text[word.end :]


def decoded(word: bytes) -> bytes:
    """Return what a word of base64's standard alphabet holds, be it padded or not."""
    rest = len(word) % 4
    if rest == 1:  # no base64 ends so: what is before may be
        return a2b_base64(word[:-1])
    return a2b_base64(word + b"=" * (-rest % 4))


def _opened(word: bytes, start: int, *, is_url_safe: bool) -> Word:
    standard = word.translate(_TO_STANDARD) if is_url_safe else word
    end = start + len(word)
    for skipped in range(4):
        inner = decoded(standard[skipped:])
        if is_text(inner):
            return Word(start + skipped, end, inner, is_text=True, is_url_safe=is_url_safe)
    return Word(start, end, decoded(standard), is_text=False, is_url_safe=is_url_safe)


def is_text(data: bytes) -> bool:
    """Tell whether these bytes are text."""
    if _CONTROL.search(data):
        return False
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True
