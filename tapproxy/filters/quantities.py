"""Amounts with units: `3s`, `1.5ms`, `64k`, `12`."""

import re
from dataclasses import dataclass
from fractions import Fraction

from tapproxy.filters.letters import Word, named, plain, wrong

LARGEST = 2**62
"""SQLite's integers have 63 bits and a sign."""

_NUMBER = re.compile(r"([0-9]{1,30}(?:\.[0-9]{1,30})?)([^0-9.].*)?", re.ASCII | re.DOTALL)


_MICRO = str.maketrans({"\u00b5": "u", "\u03bc": "u"})
"""The micro sign and the Greek letter: keyboards have either."""


@dataclass(frozen=True, slots=True)
class Scale:
    """What a quantity is counted in: its units, and how many of the smallest each one is."""

    units: dict[str, int]
    example: str
    bare: bool = False  # a number without a unit counts the smallest
    folds_case: bool = False
    takes_exact: bool = True  # false: one exact value is never what was meant


TIME = Scale(
    {
        "ns": 1,
        "us": 1_000,
        "ms": 1_000_000,
        "s": 1_000_000_000,
        "m": 60_000_000_000,
        "h": 3_600_000_000_000,
    },
    example="3s",
    takes_exact=False,
)

SIZE = Scale(
    {
        "B": 1,
        "k": 1_000,
        "kB": 1_000,
        "KiB": 1 << 10,
        "M": 1_000_000,
        "MB": 1_000_000,
        "MiB": 1 << 20,
        "G": 1_000_000_000,
        "GB": 1_000_000_000,
        "GiB": 1 << 30,
    },
    example="64k",
    bare=True,
    folds_case=True,
)

NUMBER = Scale({}, example="12", bare=True)


def quantity(word: Word, scale: Scale, within: Word) -> Fraction:
    """Read an amount, in the scale's smallest unit; where it is empty, an error points `within`."""
    text = plain(word)
    if not text:
        raise wrong(f"a quantity is missing; write it as in {scale.example}", within)
    found = _NUMBER.fullmatch(text)
    if found is None:
        raise wrong(f"{named(word)} is no quantity; write it as in {scale.example}", word)
    number, unit = Fraction(found[1]), found[2] or ""
    if number and not unit and not scale.bare:
        raise wrong(f"{text} has no unit; {_units(scale)}, as in {scale.example}", word)
    total = number * (_factor(word[len(found[1]) :], scale) if unit else 1)
    if total >= LARGEST:
        raise wrong(f"{text} is more than there can be", word)
    return total


def _factor(unit: Word, scale: Scale) -> int:
    name = plain(unit).translate(_MICRO)
    for known, factor in scale.units.items():
        if name == known or (scale.folds_case and name.lower() == known.lower()):
            return factor
    raise wrong(f"{named(unit)} is no unit; {_units(scale)}", unit)


def _units(scale: Scale) -> str:
    return f"units are {', '.join(scale.units)}" if scale.units else "a plain number is wanted"
