"""Values that text is compared with: exact ones, and globs with `*` and `?`."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from fnmatch import translate

import orjson

from tapproxy.filters.letters import Letter, Word, plain, wrong

WILDCARDS = "*?"

_IN_BRACKETS = {sign: f"[{sign}]" for sign in f"{WILDCARDS}["}

Holds = Callable[[str], bool]
"""Tells whether a text fits a pattern."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """A value. Case counts; `*` is any characters, `?` is one, and nothing else is special."""

    text: str  # as it was written, without quotes
    glob: str  # for SQLite's GLOB and for fnmatch: a sign that is meant itself is put in brackets
    is_glob: bool

    def sql(self, column: str) -> tuple[str, tuple[str, ...]]:
        """Return a condition on a column of text, and its parameter."""
        return (
            (f"{column} GLOB ?", (self.glob,)) if self.is_glob else (f"{column} = ?", (self.text,))
        )

    def holds(self) -> Holds:
        """Return the test whether a whole text fits."""
        return _fits(self.glob) if self.is_glob else self.text.__eq__

    def is_found(self) -> Holds:
        """Return the test whether something in a text fits, for a glob."""
        return _fits(f"*{self.glob}*")

    def in_json_quotes(self) -> "Pattern":
        """Return the pattern for the same text as a JSON string."""
        escaped = orjson.dumps(self.text).decode()
        return Pattern(escaped, f'"{self.glob}"', self.is_glob)


def pattern(word: Word) -> Pattern:
    """Read a value."""
    return Pattern(
        plain(word),
        "".join(map(_in_glob, word)),
        any(not it.quoted and it.character in WILDCARDS for it in word),
    )


def stored_pattern(word: Word) -> Pattern:
    """Read a value for a column of text; FilterError where no column can hold it."""
    value = pattern(word)
    try:
        value.text.encode()
    except UnicodeEncodeError as error:
        raise wrong("this is not UTF-8; only text: finds such bytes", word) from error
    return value


def _in_glob(letter: Letter) -> str:
    if letter.quoted or letter.character not in WILDCARDS:
        return _IN_BRACKETS.get(letter.character, letter.character)
    return letter.character


def _fits(glob: str) -> Holds:
    match = re.compile(translate(glob)).match
    return lambda text: match(text) is not None
