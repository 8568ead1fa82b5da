"""The characters of a filter with their places, cut into words and parentheses."""

from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from tapproxy.filters.errors import FilterError

QUOTE = '"'
BACKSLASH = "\\"

MOST_NAMED = 40
"""Characters of a word in a message."""


class Letter(NamedTuple):
    """One character of a word. In quotes, every character stands for itself."""

    character: str  # empty for an opening quote, so that "" is a word too
    quoted: bool
    column: int  # in the filter, from 1


Word = tuple[Letter, ...]
"""What stands together: a parenthesis, or a key with its value; or a part of that, even empty."""


def words(text: str) -> Iterator[Word]:
    """Yield the words and the parentheses in their order; FilterError for an open quote."""
    word: list[Letter] = []
    for letter in _letters(text):
        ends = not letter.quoted and (letter.character.isspace() or letter.character in "()")
        if not ends:
            word.append(letter)
            continue
        if word:
            yield tuple(word)
            word = []
        if not letter.character.isspace():
            yield (letter,)
    if word:
        yield tuple(word)


def plain(word: Word) -> str:
    """Return the word's characters, without quotes."""
    return "".join(letter.character for letter in word)


def named(word: Word) -> str:
    """Return the word for a message: between marks, and not at any length."""
    return f"'{shortened(plain(word))}'"


def shortened(text: str) -> str:
    """Return the beginning of a long text, for a message, which is one line."""
    return text if len(text) <= MOST_NAMED else f"{text[:MOST_NAMED]}…"


def is_quoted(word: Word) -> bool:
    """Tell whether any of the word is in quotes."""
    return any(letter.quoted for letter in word)


def split(word: Word, separator: str, most: int = -1) -> list[Word]:
    """Cut at unquoted separators (one character), `most` times at most; parts may be empty."""
    parts: list[list[Letter]] = [[]]
    for letter in word:
        if letter.character == separator and not letter.quoted and most:
            parts.append([])
            most -= 1
        else:
            parts[-1].append(letter)
    return [tuple(part) for part in parts]


def alternatives(values: Word, within: Word) -> list[Word]:
    """Cut at unquoted commas; FilterError, pointing at `within`, where a part is empty."""
    parts = split(values, ",")
    if not values:
        raise wrong("nothing follows =", within)
    if not all(parts):
        raise wrong("a value is missing beside a comma; quote a comma that is meant itself", values)
    return parts


def written(word: Word) -> str:
    """Return the word as a filter has it: what was quoted stands in quotes."""
    return "".join(
        _quoted(plain(tuple(run))) if quoted else plain(tuple(run))
        for quoted, run in groupby(word, lambda letter: letter.quoted)
    )


def wrong(reason: str, word: Word) -> FilterError:
    """Return the error that points at a word, from its first letter to its last."""
    first = word[0].column
    return FilterError(reason, first, word[-1].column - first + 1)


def _quoted(text: str) -> str:
    escaped = text.replace(BACKSLASH, BACKSLASH * 2).replace(QUOTE, BACKSLASH + QUOTE)
    return f"{QUOTE}{escaped}{QUOTE}"


def _letters(text: str) -> Iterator[Letter]:
    """Yield the characters without the quotes and the backslashes that escape."""
    opened = 0
    at = 0
    while at < len(text):
        character, column = text[at], at + 1
        if character == QUOTE:
            opened = 0 if opened else column
            if opened:
                yield Letter("", quoted=True, column=column)
        elif opened and character == BACKSLASH and text[at + 1 : at + 2] in (QUOTE, BACKSLASH):
            at += 1
            yield Letter(text[at], quoted=True, column=column)
        else:
            yield Letter(character, quoted=bool(opened), column=column)
        at += 1
    if opened:
        raise FilterError("the quote is not closed", opened)
