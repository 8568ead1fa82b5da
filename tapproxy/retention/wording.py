"""Reads bounds as people write them: `count=200,age=30d,size=1GiB`; `30d`, `64MB`."""

import re
from dataclasses import replace

from tapproxy.errors import USAGE, TapError
from tapproxy.retention.policy import USUAL, Bounds

DEFAULT, NONE = "default", "none"

_AGE = re.compile(r"(\d{1,9}(?:\.\d{1,3})?)(s|m|min|h|d|w)")
_SECONDS = {"s": 1, "m": 60, "min": 60, "h": 3600, "d": 86_400, "w": 7 * 86_400}
_SIZE = re.compile(r"(\d{1,12}(?:\.\d{1,3})?) ?([kMGT]?)(i?)B?", re.IGNORECASE)
_POWERS = {"": 0, "K": 1, "M": 2, "G": 3, "T": 4}
_COUNT = re.compile(r"\d{1,9}")


def read_bounds(text: str) -> Bounds:
    """Return the bounds, USUAL for `default`; raises TapError."""
    if text == DEFAULT:
        return USUAL
    bounds = Bounds()
    for part in [] if text == NONE else text.split(","):
        key, _, value = part.strip().partition("=")
        if key == "count" and _COUNT.fullmatch(value):
            bounds = replace(bounds, count=max(int(value), 1))
        elif key == "age":
            bounds = replace(bounds, age_s=read_age(value, "age"))
        elif key == "size":
            bounds = replace(bounds, size=read_size(value, "size"))
        else:
            raise TapError(f"--keep: {part!r} is none of count=200, age=30d, size=1GiB", USAGE)
    return bounds


def read_age(text: str, option: str) -> float:
    """Return seconds; raises TapError."""
    found = _AGE.fullmatch(text)
    if found is None:
        raise TapError(f"{option}: {text!r} is no age; write it as in 30d, 12h, 2w", USAGE)
    return float(found[1]) * _SECONDS[found[2]]


def read_size(text: str, option: str) -> int:
    """Return bytes; k, M, G are powers of 1000, Ki, Mi, Gi of 1024. Raises TapError."""
    found = _SIZE.fullmatch(text)
    if found is None:
        raise TapError(f"{option}: {text!r} is no size; write it as in 64MB, 1GiB", USAGE)
    power = _POWERS[found[2].upper()]
    return int(float(found[1]) * (1024 if found[3] else 1000) ** power)
