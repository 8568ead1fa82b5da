"""JSON within JSON strings: as text with its quotes escaped, or as base64 (Swift's `Data`)."""

import re
from binascii import a2b_base64, b2a_base64
from collections.abc import Sequence
from typing import NamedTuple, Protocol

from tapproxy.replay.json_strings import ESCAPE, escaped, plain, unescaped

_BEGINNING = re.compile(rb"[ \t\n\r]*+[{\[]")
_BEGINNING_OF_DATA = re.compile(rb'[ \t\n\r]*+"?[ \t\n\r]*+[{\[]')


class Edit(NamedTuple):
    """Bytes that take the place of others."""

    start: int
    end: int
    new: bytes


def applied(body: bytes, edits: Sequence[Edit]) -> bytes:
    """Return a body with its edits made, which are in order and apart; itself without edits."""
    if not edits:
        return body
    pieces = []
    at = 0
    for edit in edits:
        pieces += [body[at : edit.start], edit.new]
        at = edit.end
    return b"".join([*pieces, body[at:]])


class Layer(Protocol):
    """A text that a JSON string holds in some coat."""

    inner: bytes

    def outward(self, edits: Sequence[Edit]) -> list[Edit]:
        """Return what edits of the inner text are between the string's quotes."""
        ...


def find_layer(raw: bytes) -> Layer | None:
    """Return what seems to be JSON in the raw text between a string's quotes: an object or list.

    In base64 it may be the text of a string once more: what a tool of LingXi says is one.
    """
    text = unescaped(raw)
    if _BEGINNING.match(text):
        return TextLayer(raw, text)
    try:
        inner = a2b_base64(text, strict_mode=True)
    except ValueError:
        return None
    return DataLayer(raw, inner) if _BEGINNING_OF_DATA.match(inner) else None


class TextLayer:
    """JSON as a string's text; what is not edited keeps its escapes."""

    def __init__(self, raw: bytes, inner: bytes) -> None:
        self._raw = raw
        self.inner = inner

    def outward(self, edits: Sequence[Edit]) -> list[Edit]:
        """Return the edits at their places in the raw text, escaped once more."""
        offsets = _raw_offsets(self._raw, [at for it in edits for at in (it.start, it.end)])
        return [
            Edit(offsets[it.start], offsets[it.end], _with_slashes_of(self._raw, escaped(it.new)))
            for it in edits
        ]


class DataLayer:
    """JSON as base64 text, strict: standard alphabet, padding, no whitespace."""

    def __init__(self, raw: bytes, inner: bytes) -> None:
        self._raw = raw
        self.inner = inner

    def outward(self, edits: Sequence[Edit]) -> list[Edit]:
        r"""Return one edit of the whole, its slashes escaped as they were, or as in the JSON.

        Swift's JSONEncoder writes `\/` in both (Foundation's `.withoutEscapingSlashes` is not its
        default), and not every base64 text has a slash.
        """
        text = b2a_base64(applied(self.inner, edits), newline=False)
        example = self._raw if b"/" in self._raw else self.inner
        return [Edit(0, len(self._raw), _with_slashes_of(example, text))] if edits else []


def _with_slashes_of(example: bytes, raw: bytes) -> bytes:
    return raw.replace(b"/", rb"\/") if rb"\/" in example else raw


def _raw_offsets(raw: bytes, wanted: Sequence[int]) -> dict[int, int]:
    """Return where offsets of the unescaped text, in ascending order, are in the raw one."""
    offsets: dict[int, int] = {}
    waiting = iter(wanted)
    target = next(waiting, None)
    shift = 0  # bytes by which escapes are longer than what they stand for, so far
    for escape in ESCAPE.finditer(raw):
        while target is not None and target + shift <= escape.start():
            offsets[target] = target + shift
            target = next(waiting, None)
        if target is None:
            return offsets
        shift += len(escape[0]) - len(plain(escape[0]))
    while target is not None:
        offsets[target] = target + shift
        target = next(waiting, None)
    return offsets
