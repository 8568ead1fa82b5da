"""Finds values by the name that stands before them: `"password": …` in JSON, `password=…` in text.

What is broken is read as well, up to where it breaks: a malformed message has secrets too.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from tapproxy.redaction.coats import MARK

_SPACE = rb"[ \t\r\n]*+"
_TEXT = rb'(?:[^"\\\n\0]|\\[^\n\0])*+'
_STRING = re.compile(rb'"(%s)' % _TEXT)
_NUMBER = rb"-?[0-9][0-9.eE+-]*+"
_SCALAR = re.compile(_NUMBER)
_WORD = re.compile(rb'("%s"?)(%s:)?|[{}\[\]\0]|%s' % (_TEXT, _SPACE, _NUMBER))
_SCHEMA = re.compile(
    rb'\{[^{}\0]{0,1000}?"type"%s:%s\[?%s"(?:string|number|integer|boolean|object|array|null)"'
    % (_SPACE, _SPACE, _SPACE)
)
"""How JSON Schema (2020-12, "Validation", section 6.1.1) describes a value, in place of one."""
_NAME = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-")
_AFTER_EQUALS = re.compile(rb"""["']?([^\s"'`&;,<>()\\\x00-\x1f]{1,65536}+)""")

LONGEST_NAME = 100
"""Characters of a name before an equals sign."""

Only = Literal["all", "strings", "values"]
"""Which values: strings and numbers, also within objects and lists; strings alone; or every string
within an object or a list (of `{"name": …, "value": …}` the value)."""


Kind = Literal["string", "number", "text"]
"""What a value is: a string of JSON with its escapes, a number of JSON, or text as it is."""


@dataclass(frozen=True, slots=True)
class Names:
    """Names that one rule looks for; each a regular expression without groups."""

    rule: str
    patterns: tuple[bytes, ...]
    only: Only
    shortest: int  # bytes of a value from which on it is a secret elsewhere, too
    hints: tuple[bytes, ...] = (b"",)  # without one of them, in small letters, no name is there
    least: int = 1  # bytes of a value that is a secret at all


class Value(NamedTuple):
    """A value at its place in a text: what is between a string's quotes, or a number."""

    start: int
    end: int
    kind: Kind
    names: Names


def glob(name: str) -> bytes:
    """Return the expression of a name with `*` and `?` in it."""
    signs = {"*": rb'[^"\\]{0,100}', "?": rb'[^"\\]'}
    return b"".join(signs.get(it) or re.escape(it).encode(errors="surrogateescape") for it in name)


class Members:
    """Finds the values of members by their names, and of `name=value` in text."""

    def __init__(self, names: Sequence[Names]) -> None:
        self._names = names
        either = b"|".join(b"(%s)" % b"|".join(it.patterns) for it in names)
        self._name = re.compile(rb"(?i)(?:%s)" % either)
        self._member = re.compile(rb'(?i)"(?:%s)"%s:%s' % (either, _SPACE, _SPACE))
        self._hints = [hint for it in names for hint in it.hints]

    def find(self, text: bytes) -> Iterator[Value]:
        """Yield the values of a text, those of JSON before what else there is."""
        if not self._names or not self._may_have(text):
            return
        end = 0
        for match in self._member.finditer(text):
            if match.start() >= end:
                names = self._names[(match.lastindex or 1) - 1]
                values, end = self._values(text, match.end(), names)
                yield from values
        if b"=" in text:
            yield from self._find_in_text(text)

    def named(self, name: bytes) -> Names | None:
        """Return what looks for a name, if anything does."""
        match = self._name.fullmatch(name) if self._names else None
        return None if match is None else self._names[(match.lastindex or 1) - 1]

    def _may_have(self, text: bytes) -> bool:
        folded = text.lower()
        return any(hint in folded for hint in self._hints)

    def _find_in_text(self, text: bytes) -> Iterator[Value]:
        at = text.find(b"=")
        while at >= 0:
            names = self._named_before(text, at)
            at += 1
            if names is not None and (after := _AFTER_EQUALS.match(text, at)):
                yield Value(*after.span(1), "text", names)
                at = after.end()
            at = text.find(b"=", at)

    def _named_before(self, text: bytes, at: int) -> Names | None:
        """Return what looks for the name that ends there."""
        start = at
        while start > 0 and text[start - 1] in _NAME and at - start < LONGEST_NAME:
            start -= 1
        names = self.named(text[start:at].lstrip(b"-")) if start < at else None
        return None if names is None or names.only == "values" else names

    def _values(self, text: bytes, at: int, names: Names) -> tuple[list[Value], int]:
        """Return what is secret in the value that begins there, and where that ends."""
        first = text[at : at + 1]
        if first in (b"{", b"["):
            is_value = names.only != "strings" and _SCHEMA.match(text, at) is None
            return within(text, at, names) if is_value else ([], at)
        if first == b'"' and names.only != "values" and (match := _STRING.match(text, at)):
            return [Value(*match.span(1), "string", names)], match.end()
        if names.only == "all" and (match := _SCALAR.match(text, at)):
            return [Value(*match.span(), "number", names)], match.end()
        return [], at


def within(text: bytes, at: int, names: Names) -> tuple[list[Value], int]:
    """Return the values within the object or list that begins there, and where that ends."""
    values: list[Value] = []
    depth = 0
    name = b""
    for match in _WORD.finditer(text, at):
        word = match[0]
        if word in (b"{", b"["):
            depth += 1
        elif word in (b"}", b"]"):
            depth -= 1
            if depth == 0:
                return values, match.end()
        elif word == MARK:  # the string that it is in ends before it does
            return values, match.start()
        elif match[1] is None:
            if names.only == "all":
                values.append(Value(*match.span(), "number", names))
        elif match[2] is not None:
            name = match[1]
        elif names.only != "values" or name != b'"name"':
            start, end = match.span(1)
            closed = end > start + 1 and text[end - 1 : end] == b'"'
            values.append(Value(start + 1, end - closed, "string", names))
    return values, len(text)
