"""Ranges of whole numbers: `>3s`, `1k..64k`, `12`."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from tapproxy.filters.letters import Word, plain, wrong
from tapproxy.filters.quantities import LARGEST, Scale, quantity


@dataclass(frozen=True, slots=True)
class Range:
    """Whole numbers from `low` to `high`, both included."""

    low: int = -LARGEST
    high: int = LARGEST

    def sql(self, expression: str) -> tuple[str, tuple[int, ...]]:
        """Return a condition on an expression of SQL, and its parameters."""
        if self.low == self.high:
            return f"{expression} = ?", (self.low,)
        return f"{expression} BETWEEN ? AND ?", (self.low, self.high)

    def holds(self) -> Callable[[int], bool]:
        """Return the test whether a number lies within."""
        low, high = self.low, self.high
        return lambda number: low <= number <= high


def number_range(word: Word, scale: Scale) -> Range:
    """Read a range; FilterError where it is none, or holds nothing."""
    letters = tuple(letter for letter in word if letter.character)
    text = plain(letters)
    for sign, bounded in _COMPARISONS.items():
        if text.startswith(sign):
            return bounded(quantity(letters[len(sign) :], scale, within=word))
    if ".." in text:
        at = text.index("..")
        return _from_to(letters[:at], letters[at + len("..") :], scale, word)
    if dashed := _DASHED.fullmatch(text):
        raise wrong(f"a range is written {dashed[1]}..{dashed[2]}", word)
    number = quantity(letters, scale, within=word)
    if not scale.takes_exact:
        raise wrong(f"exactly {text} is hardly ever met; write >{text}, <{text} or a range", word)
    if number.denominator != 1:
        raise wrong(f"{text} is no whole number", word)
    return Range(int(number), int(number))


_DASHED = re.compile(r"([0-9][^-]{0,30})-([0-9][^-]{0,30})", re.ASCII | re.DOTALL)
"""`2-5`, as other languages have it."""

_COMPARISONS: dict[str, Callable[[Fraction], Range]] = {
    ">=": lambda number: Range(low=ceil(number)),
    "<=": lambda number: Range(high=floor(number)),
    ">": lambda number: Range(low=floor(number) + 1),
    "<": lambda number: Range(high=ceil(number) - 1),
}
"""What begins with one sign may begin with another: the longer ones come first."""


def _from_to(first: Word, last: Word, scale: Scale, word: Word) -> Range:
    if not first and not last:
        raise wrong(f"a range needs an end; write {scale.example}.. or ..{scale.example}", word)
    low = ceil(quantity(first, scale, within=word)) if first else -LARGEST
    high = floor(quantity(last, scale, within=word)) if last else LARGEST
    if low > high:
        raise wrong(f"{plain(word)} holds nothing: it ends before it begins", word)
    return Range(low, high)
