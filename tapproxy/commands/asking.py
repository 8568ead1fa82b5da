"""What a user asks to see of a recording: which one, which frames of it, or one frame whole."""

import os
import re
from dataclasses import dataclass

from tapproxy.errors import USAGE, TapError
from tapproxy.filters import Filter, FilterError, parse
from tapproxy.filters.letters import words
from tapproxy.filters.quantities import TIME
from tapproxy.filters.ranges import number_range
from tapproxy_store.errors import StoreError
from tapproxy_store.locate import find_recording, is_called

LAST = "last"

_ONE_FRAME = re.compile(r"#([0-9]{1,18})")
_FILTER = re.compile(r"#[0-9]|\(|not\b|[a-z]+:", re.ASCII)
"""What no recording is called like, unless a file is: a filter's first word."""

OPERATORS = {"and", "or", "not"}
"""Words of a filter that are not terms."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A recording's name and what of it is wanted."""

    recording: str
    wanted: Filter  # an empty one: everything
    frame: int | None = None  # the number of the one frame that is wanted whole


def asked(arguments: tuple[str, ...]) -> Asked:
    """Read `[RECORDING] [FILTER…]`, or `[RECORDING] #N`; raises FilterError."""
    recording, *rest = arguments or (LAST,)
    if _is_filter(recording):
        recording, rest = LAST, list(arguments)
    if len(rest) == 1 and (one := _ONE_FRAME.fullmatch(rest[0])):
        return Asked(recording, parse(""), int(one[1]))
    try:
        return Asked(recording, read_filter(" ".join(rest)))
    except TapError as error:
        if stray := next(filter(_is_recording, rest), None):
            said = f"{stray} is a recording: name one, and before the filter"
            raise TapError(said, USAGE) from error
        raise


def read_filter(text: str) -> Filter:
    """Read a filter; the error shows where it is wrong."""
    try:
        return parse(text)
    except FilterError as error:
        raise TapError(error.told(text), USAGE) from error


def instant(text: str, option: str) -> int:
    """Read a time since the session's start, such as 1.5s; nanoseconds."""
    try:
        return number_range(next(words(f"{text}..")), TIME).low
    except (FilterError, StopIteration) as error:
        reason = str(error).partition(": ")[2] or "write it as in 1.5s"
        raise TapError(f"{option}: {reason}", USAGE) from error


def _is_recording(word: str) -> bool:
    """Tell whether a word is all of a recording's name: the beginning of one may be anything."""
    if ":" in word or word in OPERATORS:
        return False
    try:
        path = find_recording(word)
    except StoreError:
        return False
    return path == word or word.startswith(LAST) or is_called(path, word)


def _is_filter(word: str) -> bool:
    return _FILTER.match(word) is not None and not os.path.exists(word)
