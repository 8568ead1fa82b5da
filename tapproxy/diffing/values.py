"""Where two JSON values differ."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from tapproxy_viewers.differences import ABSENT


class Unequal(NamedTuple):
    """One place at which two values differ."""

    path: str  # keys and indexes with dots between them; empty: the whole
    a: Any  # ABSENT where there is nothing
    b: Any


def differing(a: Any, b: Any, path: str = "") -> Iterator[Unequal]:
    """Yield the places at which they differ: keys in their alphabet's order, then items in theirs.

    `1`, `1.0` and `true` are three values.
    """
    if isinstance(a, dict) and isinstance(b, dict):
        for key in sorted(a.keys() | b.keys()):
            yield from differing(a.get(key, ABSENT), b.get(key, ABSENT), _step(path, key))
    elif isinstance(a, list) and isinstance(b, list):
        for at in range(max(len(a), len(b))):
            one = a[at] if at < len(a) else ABSENT
            other = b[at] if at < len(b) else ABSENT
            yield from differing(one, other, _step(path, str(at)))
    elif type(a) is not type(b) or a != b:
        yield Unequal(path, a, b)


def _step(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key
