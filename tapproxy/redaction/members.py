"""Finds values by the name that stands before them: `"password": …` in JSON, and what text has.

What is broken is read as well, up to where it breaks: a malformed message has secrets too.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from tapproxy.redaction.assignments import Assignments
from tapproxy.redaction.coats import MARK
from tapproxy.redaction.names import Names, either_of

_SPACE = rb"[ \t\r\n]*+"
_TEXT = rb'(?:[^"\\\n\0]|\\[^\n\0])*+'
_STRING = re.compile(rb'"(%s)' % _TEXT)
_NUMBER = rb"-?[0-9][0-9.eE+-]*+"
_SCALAR = re.compile(_NUMBER)
_WORD = re.compile(rb'("%s"?)(%s:)?|[{}\[\]\0]|%s' % (_TEXT, _SPACE, _NUMBER))
_SCHEMA = re.compile(
    rb'\{[^{}\0]{0,1000}?"(?:\$ref"|type"%s:%s\[?%s"(?:string|number|integer|boolean|object|array'
    rb'|null)")' % (_SPACE, _SPACE, _SPACE)
)
"""How JSON Schema (2020-12, "Validation", section 6.1.1) describes a value, in place of one."""
_MEMBER = (
    rb'(?i)"(--?)?(?:%(names)s)"%(space)s(?(1),%(space)s(?!"-)|(?::|,%(space)s"value"%(space)s:))'
    rb"%(space)s"
)
"""A name before its value: `"token": …`, `{"name": "token", "value": …}`, `["--token", …]`."""

LONGEST_MEMBER = 1000
"""Bytes of a member's name before the part that it is known by."""

MOST_NAMES = 4096
"""Names of which is remembered what looks for them."""

Kind = Literal["string", "number", "text"]
"""What a value is: a string of JSON with its escapes, a number of JSON, or text as it is."""


class Value(NamedTuple):
    """A value at its place in a text: what is between a string's quotes, or a number."""

    start: int
    end: int
    kind: Kind
    names: Names


class Members:
    """Finds the values of members by their names, and of `name=value` in text."""

    def __init__(self, names: Sequence[Names]) -> None:
        self._names = names
        either = b"|".join(b"(%s)" % b"|".join(it.patterns) for it in names)
        self._name = re.compile(rb"(?i)(?:%s)" % either)
        self._member = re.compile(_MEMBER % {b"names": either, b"space": _SPACE})
        self._in_text = Assignments(names, self.named)
        self._hint = either_of([hint for it in names for hint in it.hints])
        self._named = lru_cache(MOST_NAMES)(self._look_up)

    def find(self, text: bytes) -> Iterator[Value]:
        """Yield the values of a text, those of JSON before what else there is."""
        if not self._names:
            return
        end = 0
        for match in self._members(text):
            if match.start() >= end:
                names = self._names[(match.lastindex or 2) - 2]  # after the group of the dashes
                values, end = self._values(text, match.end(), names)
                yield from values
        for found in self._in_text.find(text):
            yield Value(found.start, found.end, "text", found.names)

    def named(self, name: bytes) -> Names | None:
        """Return what looks for a name, if anything does."""
        return self._named(name)

    def _look_up(self, name: bytes) -> Names | None:
        match = self._name.fullmatch(name) if self._names else None
        return None if match is None else self._names[(match.lastindex or 1) - 1]

    def _members(self, text: bytes) -> Iterator[re.Match[bytes]]:
        """Yield the names of members, in their order.

        To look at what has one of the hints alone is several times as fast as to look at all.
        """
        if self._hint is None:
            yield from self._member.finditer(text)
            return
        before = -1
        for hint in self._hint.finditer(text.lower()):
            least = max(hint.start() - LONGEST_MEMBER, 0)
            start = text.rfind(b'"', least, hint.start() + 1)
            if start > before:
                before = start
                if (match := self._member.match(text, start)) is not None:
                    yield match

    def _values(self, text: bytes, at: int, names: Names) -> tuple[list[Value], int]:
        """Return what is secret in the value that begins there, and where that ends."""
        first = text[at : at + 1]
        if first in (b"{", b"["):
            is_value = names.only in ("all", "values") and _SCHEMA.match(text, at) is None
            return within(text, at, names) if is_value else ([], at)
        if first == b'"' and names.only != "values" and (match := _STRING.match(text, at)):
            return [Value(*match.span(1), "string", names)], match.end()
        if names.only in ("all", "scalars") and (match := _SCALAR.match(text, at)):
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
            values.append(Value(*match.span(), "number", names))
        elif match[2] is not None:
            name = match[1]
        elif names.only != "values" or name != b'"name"':
            start, end = match.span(1)
            closed = end > start + 1 and text[end - 1 : end] == b'"'
            values.append(Value(start + 1, end - closed, "string", names))
    return values, len(text)
