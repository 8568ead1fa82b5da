"""A message without the values that differ from run to run."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

ANY = "*"
"""The step of a pattern that stands for any one key or index."""

Steps = tuple[tuple[str, ...], ...]
"""Patterns, each as what is left of its steps."""


def without_volatile(value: Any, patterns: Sequence[str]) -> Any:
    """Return the JSON value without the members at the paths; what is untouched is shared.

    A path is keys and indexes with dots between them. A list keeps its length: an item that is
    volatile becomes null. `value` itself is not changed.
    """
    return _pruned(value, _steps(tuple(patterns))) if patterns else value


@lru_cache(64)
def _steps(patterns: tuple[str, ...]) -> Steps:
    return tuple(tuple(pattern.split(".")) for pattern in patterns)


def _pruned(value: Any, patterns: Steps) -> Any:
    if isinstance(value, dict):
        changed = {key: value[key] for key in _touched(value, patterns)}
        if not changed:
            return value
        kept = dict(value)
        for key, member in changed.items():
            below = _below(key, patterns)
            if () in below:
                del kept[key]
            else:
                kept[key] = _pruned(member, below)
        return kept
    if isinstance(value, list):
        return [_pruned_item(item, _below(str(at), patterns)) for at, item in enumerate(value)]
    return value


def _touched(value: dict[str, Any], patterns: Steps) -> Sequence[str]:
    """Return the keys at which a pattern begins."""
    firsts = {pattern[0] for pattern in patterns}
    return list(value) if ANY in firsts else [key for key in firsts if key in value]


def _below(key: str, patterns: Steps) -> Steps:
    """Return the rest of the patterns that begin with the key; () is one that ends there."""
    return tuple([it[1:] for it in patterns if it[0] in (key, ANY)])


def _pruned_item(item: Any, below: Steps) -> Any:
    if not below:
        return item
    return None if () in below else _pruned(item, below)
