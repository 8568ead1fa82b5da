"""Finds values by the name before them in text: `password=…`, `token: "…"`, `--token …`, XML.

Prose has names, too, and programs have types after them: what stands there without an equals sign
and without quotes is a value only if it has a digit.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from tapproxy.redaction.names import Names, either_of
from tapproxy.redaction.secrets import LITERALS

LONGEST_NAME = 100
"""Characters of a name in text."""

_NAME = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-")
_COLOURS = rb"(?:\x1b\[[0-9;]{0,20}m){0,4}+"
_QUOTED = rb"""(?:"([^"\\\x00-\x20,:}\]][^"\\\x00-\x1f]{0,1000}+)"|'([^"'\\\x00-\x1f]{1,1000}+)')"""
"""Of JSON, in which the text may stand, a quote may be the end: what follows is no value then."""
_PLAIN = rb"""[^\s"'`&;,<>()\\\x00-\x1f]{1,65536}+"""
_BARE = rb"""([A-Za-z0-9._~+/=!@#%^*:-]{1,65536}+)(?=[\s"'`,;&\\\x1b]|\Z)"""

_AFTER_EQUALS = re.compile(rb"""%s(?:%s|["']?(%s))""" % (_COLOURS, _QUOTED, _PLAIN))
_AFTER_NAME = re.compile(
    rb"""["']?[ \t]*[:=][ \t]*%s%s|>([^<>\s]{1,1000}+)</""" % (_COLOURS, _QUOTED)
)
_AFTER_COLON = re.compile(rb"(?:%s:[ \t]|[ \t]+=[ \t])[ \t]*%s%s" % (_COLOURS, _COLOURS, _BARE))
_AFTER_OPTION = re.compile(rb"""[ \t]+(?!-)["']?(%s)""" % _PLAIN)


class Found(NamedTuple):
    """A value at its place in a text."""

    start: int
    end: int
    names: Names


class Assignments:
    """Finds the values of names in text; `named` tells what looks for a name."""

    def __init__(self, names: Sequence[Names], named: Callable[[bytes], Names | None]) -> None:
        self._named = named
        self._hint = either_of([hint for it in names if it.only != "values" for hint in it.hints])

    def find(self, text: bytes) -> Iterator[Found]:
        """Yield the values, not in their order."""
        folded = text.lower()
        if self._hint is None:  # a name that may be anything
            yield from self._after_equals(text)
            return
        if self._hint.search(folded) is None:
            return
        yield from self._after_equals(text)
        end = 0
        for match in self._hint.finditer(folded):
            if match.start() >= end:
                start, end = _name_around(text, *match.span())
                if (found := self._after_name(text, start, end)) is not None:
                    yield found

    def _after_equals(self, text: bytes) -> Iterator[Found]:
        at = text.find(b"=")
        while at >= 0:
            names = self._names_at(text, _name_around(text, at, at)[0], at)
            at += 1
            if names is not None and (after := _AFTER_EQUALS.match(text, at)):
                if after[after.lastindex or 0] not in LITERALS:
                    yield Found(*after.span(after.lastindex or 0), names)
                at = after.end()
            at = text.find(b"=", at)

    def _after_name(self, text: bytes, start: int, end: int) -> Found | None:
        names = self._names_at(text, start, end)
        if names is None:
            return None
        found = _AFTER_NAME.match(text, end)
        if found is None:
            is_option = text.startswith(b"--", start)
            found = (_AFTER_OPTION if is_option else _AFTER_COLON).match(text, end)
            if found is None or not (names.is_chosen or _has_digit(found[1])):
                return None
        return Found(*found.span(found.lastindex or 0), names)

    def _names_at(self, text: bytes, start: int, end: int) -> Names | None:
        names = self._named(text[start:end].lstrip(b"-")) if start < end else None
        return None if names is None or names.only == "values" else names


def _name_around(text: bytes, start: int, end: int) -> tuple[int, int]:
    """Return where the name begins and ends that holds this place, or ends there."""
    least, most = max(start - LONGEST_NAME, 0), min(end + LONGEST_NAME, len(text))
    while start > least and text[start - 1] in _NAME:
        start -= 1
    while end < most and text[end] in _NAME:
        end += 1
    return start, end


def _has_digit(value: bytes) -> bool:
    return any(48 <= it < 58 for it in value)
