"""Reads JSON that strict readers refuse: NaN, halves of surrogate pairs, raw control characters."""

import json
import math
from typing import Any, NamedTuple

import orjson

MOST_DIGITS = 300
"""Digits of an integer that is kept exactly: longer ones are beyond what strict readers take."""


class _Constant(NamedTuple):
    """What JavaScript and Python write for numbers that JSON does not have."""

    word: str  # NaN, Infinity, -Infinity


class Lenient(NamedTuple):
    """A JSON text, made such that a strict reader takes it."""

    value: Any
    text: bytes  # strict JSON; as it was, where it was strict
    oddities: tuple[tuple[str, str], ...]  # why it was refused: (flag, reason)


def read_leniently(text: str) -> Lenient:
    """Read one JSON text; raises JSONDecodeError where it is none, RecursionError where too deep.

    NaN and Infinity become strings; of half a surrogate pair, the string keeps the escape.
    """
    raw = text.encode("utf-8", "surrogatepass")
    try:
        return Lenient(orjson.loads(raw), raw, ())
    except ValueError:
        odd: dict[str, str] = {}
        value = _strict(LENIENT.decode(text), odd)
    if not _is_strict(text):
        odd["control-character"] = "raw control characters in a string"
    written = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
    return Lenient(value, written, tuple(odd.items()))


def _is_strict(text: str) -> bool:
    try:
        STRICT.decode(text)
    except ValueError:
        return False
    return True


def _strict(value: Any, odd: dict[str, str]) -> Any:
    """Return the value with what JSON has not said in words; say in `odd` what that was."""
    if isinstance(value, dict):
        return {_strict(key, odd): _strict(member, odd) for key, member in value.items()}
    if isinstance(value, list):
        return [_strict(item, odd) for item in value]
    if isinstance(value, str):
        sound = value.encode("utf-8", "backslashreplace").decode()
        if sound != value:
            odd["lone-surrogate"] = "half of a surrogate pair in a string"
        return sound
    if isinstance(value, _Constant):
        odd["nonfinite"] = f"{value.word}, which JSON does not have"
        return value.word
    if isinstance(value, float) and not math.isfinite(value):
        odd["huge-number"] = "a number too large for most readers"
        return json.dumps(value)
    return value


def _integer(digits: str) -> int | float:
    return int(digits) if len(digits) <= MOST_DIGITS else float(digits)


STRICT = json.JSONDecoder(parse_int=_integer)
LENIENT = json.JSONDecoder(strict=False, parse_int=_integer, parse_constant=_Constant)
