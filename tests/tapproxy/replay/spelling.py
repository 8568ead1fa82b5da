"""Writes JSON in odd ways: spaces, escapes and numbers as no one serialiser would have them."""

import json
import random
from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

from tapproxy.replay.json_patterns import Path

SPACES = ["", "", "", " ", "\n\t", "\r\n  "]
MUST = {'"': r"\"", "\\": "\\\\", "\b": r"\b", "\f": r"\f", "\n": r"\n", "\r": r"\r", "\t": r"\t"}
MAY = {**MUST, "/": r"\/"}

NAMES = st.text(alphabet='ab0.*/" \né😀', max_size=3)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8, alphabet=st.characters(exclude_categories=["Cs"]))
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=24,
)
OUTERMOST = st.lists(VALUES, max_size=5) | st.dictionaries(NAMES, VALUES, max_size=5)
HANDS = st.randoms(use_true_random=False)


def spelled(value: Any, hand: random.Random) -> str:
    """Return a value as JSON, each choice by chance; digits are never escaped."""
    if isinstance(value, str):
        return f'"{"".join(_character(it, hand) for it in value)}"'
    if isinstance(value, float):
        return hand.choice([repr(value), f"{value:.17e}", f"{value:.17E}"])
    if isinstance(value, list):
        return _between("[", [spelled(it, hand) for it in value], "]", hand)
    if isinstance(value, dict):
        members = [
            f"{spelled(name, hand)}{_space(hand)}:{_space(hand)}{spelled(it, hand)}"
            for name, it in value.items()
        ]
        return _between("{", members, "}", hand)
    return json.dumps(value)


def places(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Yield all values within a value, with their paths."""
    inner: list[tuple[str | int, Any]] = []
    if isinstance(value, dict):
        inner += value.items()
    elif isinstance(value, list):
        inner += enumerate(value)
    for key, it in inner:
        yield (*path, key), it
        yield from places(it, (*path, key))


def pattern(path: Path) -> str:
    """Return the pattern of one path."""
    steps = [str(it).replace(".", r"\.") for it in path]
    return ".".join(r"\*" if it == "*" else it for it in steps)


def with_value(value: Any, path: Path, new: Any) -> Any:
    """Return a copy of a value with another one at a path."""
    if not path:
        return new
    copy = value.copy()
    copy[path[0]] = with_value(value[path[0]], path[1:], new)
    return copy


def _space(hand: random.Random) -> str:
    return hand.choice(SPACES)


def _between(opening: str, items: list[str], closing: str, hand: random.Random) -> str:
    text = ",".join(f"{_space(hand)}{it}{_space(hand)}" for it in items)
    return f"{opening}{text or _space(hand)}{closing}"


def _character(it: str, hand: random.Random) -> str:
    units = it.encode("utf-16-be")
    code = "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))
    ways = [code] if it < " " or it in MUST else [it, it, it] + [code] * (not it.isdecimal())
    return hand.choice([*ways, MAY[it]] if it in MAY else ways)
