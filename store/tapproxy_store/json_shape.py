"""Tells of JSON, before it is read, whether it would take memory or depth beyond all reason.

An empty list takes two characters, and thirty times as much once it is read; and what is nested too
deep can be read in one place and not written in another.
"""

import re

DEEPEST = 200
"""Levels: some writers of JSON give up at 250."""

MOST_VALUES = 200_000
"""Members and items together. What tap writes has some hundred; the bytes of a chunk are one."""

_STRING = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
_BRACKET = re.compile(r"[\[{\]}]")


def flaw_of(text: str) -> str | None:
    """Return what forbids to read the text, None where nothing does (it need not be JSON)."""
    opened = text.count("[") + text.count("{")
    if opened <= DEEPEST and text.count(",") <= MOST_VALUES:
        return None
    bare = _STRING.sub("", text)
    if bare.count("[") + bare.count("{") + bare.count(",") > MOST_VALUES:
        return f"it has more than {MOST_VALUES:,} values"
    return "brackets are nested too deep" if _depth_of(bare) > DEEPEST else None


def _depth_of(bare: str) -> int:
    """Return how deep the brackets are nested; `bare` has no strings."""
    depth = deepest = 0
    for bracket in _BRACKET.findall(bare):
        depth += 1 if bracket in "[{" else -1
        deepest = max(deepest, depth)
    return deepest
