"""What would change in a file, as `diff -u` shows it."""

from collections.abc import Iterator
from difflib import unified_diff

NO_NEWLINE = "\\ No newline at end of file"
TAB = 4
"""Columns, of the tabs that most of these files are indented with."""


def difference(before: str, after: str, path: str) -> Iterator[str]:
    """Yield the lines of a unified diff, without their ends; none where nothing differs."""
    old, new = (text.splitlines(keepends=True) for text in (before, after))
    for line in unified_diff(old, new, path, f"{path} (as it would be)"):
        yield line.removesuffix("\n").removesuffix("\r").expandtabs(TAB)
        if not line.endswith("\n"):
            yield NO_NEWLINE
