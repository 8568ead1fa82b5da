"""Values in a few words: what stands beside a method in a timeline."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

LONGEST_TEXT = 60
"""Characters of one string value."""

LONGEST_KEY = 40
"""Characters of the name of one member."""

ROOM = 100
"""Characters after which an object's further members are left out; the last may stand beyond it."""

MOST_ITEMS = 3
DEPTH = 2
ELLIPSIS = "…"

_CONTAINERS = (dict, list)
_CONSTANTS = {True: "true", False: "false", None: "null"}


def clipped(text: str, longest: int = LONGEST_TEXT) -> str:
    """Return the text's beginning, with an ellipsis where it is cut."""
    return text if len(text) <= longest else text[: longest - 1] + ELLIPSIS


def counted(count: int, noun: str, plural: str = "") -> str:
    """Say a number of things: `1 item`, `2 items`; `plural` is for nouns that take no s."""
    return f"{count} {noun}" if count == 1 else f"{count} {plural or noun + 's'}"


def inner(value: Any, *path: str | int) -> Any:
    """Return what is at a path of names and indices within a JSON value; None if there is none."""
    for step in path:
        if isinstance(value, dict):
            value = value.get(step)
        elif isinstance(value, list) and isinstance(step, int) and -len(value) <= step < len(value):
            value = value[step]
        else:
            return None
    return value


def listed(value: Any) -> list[Any]:
    """Return a list as it is, anything else as an empty one."""
    return value if isinstance(value, list) else []


def plain(value: Any, longest: int = LONGEST_TEXT) -> str:
    """Say a string without quotes, nothing for null, and any other value in brief."""
    if value is None:
        return ""
    return clipped(value, longest) if isinstance(value, str) else brief(value, longest)


def joined(*said: str, by: str = " ") -> str:
    """Join words, without those that are empty."""
    return by.join(filter(None, said))


def some(said: Iterable[str], most: int = MOST_ITEMS) -> str:
    """Say the first of several things, with an ellipsis where there are more."""
    first = list(islice(said, most + 1))
    return ", ".join(first[:most]) + (f", {ELLIPSIS}" if len(first) > most else "")


def brief(value: Any, longest: int = LONGEST_TEXT, depth: int = DEPTH) -> str:
    """Say any JSON value in a few words: strings quoted, members as key=value, lists counted."""
    if isinstance(value, str):
        return f'"{value}"' if len(value) <= longest else f'"{clipped(value, longest)}"'
    if isinstance(value, dict):
        if not value or depth <= 0:
            return "{" + (counted(len(value), "member") if value else "") + "}"
        return "{" + members(value, longest, depth - 1) + "}"
    if isinstance(value, list):
        if not value or depth <= 0 or len(value) > MOST_ITEMS:
            return "[" + (counted(len(value), "item") if value else "") + "]"
        return "[" + ", ".join([brief(it, longest, depth - 1) for it in value]) + "]"
    constant = value is None or isinstance(value, bool)
    return _CONSTANTS[value] if constant else clipped(str(value), longest)


def members(value: dict[str, Any], longest: int = LONGEST_TEXT, depth: int = DEPTH) -> str:
    """Say an object as `key=value key=value`: as many members as have room, plain values first."""
    said = ""
    for key, member in _plain_first(value):
        if len(said) > ROOM:
            return said + ELLIPSIS
        name = key if len(key) <= LONGEST_KEY else clipped(key, LONGEST_KEY)
        said += f"{name}={brief(member, longest, depth)} "
    return said[:-1]


def _plain_first(value: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield an object's members: first those that have no members or items themselves."""
    containers = []
    for item in value.items():
        if isinstance(item[1], _CONTAINERS):
            containers.append(item)
        else:
            yield item
    yield from containers
