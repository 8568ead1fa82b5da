"""JSON as the standard has it, with times to the nanosecond, and errors that name the column."""

import json
import math
from decimal import Decimal
from typing import Any, NoReturn

from tapproxy_store.instants import SECOND
from tapproxy_store.json_shape import flaw_of

LARGEST_NS = (1 << 63) - 1
"""Nanoseconds: 292 years."""

SECONDS = "a number of seconds, with at most nine digits after the point"

LONGEST_SHOWN = 40
"""Characters of what is wrong that an error message shows."""


class BadLine(Exception):
    """A line is not what it should be: in this column, from 1, for this reason."""

    def __init__(self, column: int, words: str) -> None:
        super().__init__(words)
        self.column = column
        self.words = words


def refuse(constant: str) -> NoReturn:
    """Refuse NaN and Infinity, which JSON does not have; raises ValueError."""
    raise ValueError(f"JSON has no {constant}")


def finite(digits: str) -> float:
    """Return the number; raises ValueError where it is too large to be written again."""
    value = float(digits)
    if not math.isfinite(value):
        raise ValueError(f"{digits} is too large")
    return value


_PLAIN = json.JSONDecoder(parse_constant=refuse, parse_float=finite)
_EXACT = json.JSONDecoder(parse_constant=refuse, parse_float=Decimal)


def plain(line: str) -> Any:
    """Return the value with floats for fractions; raises BadLine."""
    return _decoded(_PLAIN, line)


def exact(line: str) -> Any:
    """Return the value with a Decimal for each fraction; raises BadLine."""
    return _decoded(_EXACT, line)


def is_text(value: object) -> bool:
    """Tell whether this is text that UTF-8 can hold: no lone surrogates."""
    if not isinstance(value, str):
        return False
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def nanoseconds(seconds: Any) -> int | None:
    """Return seconds, as `exact` reads them, as nanoseconds; None where they are no such number."""
    if type(seconds) is not int and not isinstance(seconds, Decimal):
        return None
    if not 0 <= seconds <= Decimal(LARGEST_NS).scaleb(-9):
        return None
    exponent = Decimal(seconds).as_tuple().exponent
    if not isinstance(exponent, int) or exponent < -9:
        return None
    return int(Decimal(seconds).scaleb(9))


def shown(value: object) -> str:
    """Return the value for an error message: on one line, short, nothing that a terminal obeys."""
    text = str(value) if isinstance(value, Decimal) else json.dumps(value, default=str)
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"


def in_seconds(ns: int) -> str:
    """Return nanoseconds as a decimal number of seconds with nine digits after the point."""
    whole, rest = divmod(ns, SECOND)
    return f"{whole}.{rest:09d}"


def column_of_element(line: str, index: int) -> int:
    """Return the column at which an element of the array begins; of the one past the last, `]`."""
    place = _after_space(line, line.index("[") + 1)
    for _ in range(index):
        _, place = _PLAIN.raw_decode(line, place)
        place = _after_space(line, place)
        if line[place] == ",":
            place = _after_space(line, place + 1)
    return place + 1


def column_of_key(line: str, key: str) -> int:
    """Return the column at which the object's key seems to stand."""
    return line.find(json.dumps(key)) + 1 or 1


def _decoded(decoder: json.JSONDecoder, line: str) -> Any:
    flaw = flaw_of(line)
    if flaw is not None:
        raise BadLine(1, flaw)
    try:
        return decoder.decode(line)
    except json.JSONDecodeError as error:
        raise BadLine(error.colno, f"this is not JSON: {error.msg}") from error
    except ValueError as error:
        raise BadLine(1, f"unreadable number: {error}") from error
    except RecursionError as error:
        raise BadLine(1, "brackets are nested too deep") from error


def _after_space(line: str, place: int) -> int:
    while line[place : place + 1] in (" ", "\t"):
        place += 1
    return place
