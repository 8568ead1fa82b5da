"""Breaks a line that must not be cut into several, between its words."""

import re
from collections.abc import Iterator

from tapproxy_viewers.cells import Segment, character_width, visible, width_of
from tapproxy_viewers.lines import Line

_WORD = re.compile(r"[^ ]+ *| +")

WIDEST = 2
"""Cells of the widest character."""


def wrapped(line: Line, width: int, indent: int) -> Iterator[Line]:
    """Make a line visible within `width` cells, four at least; all but the first are indented.

    A word that is longer than a line is broken. Where the indent leaves less than half of the
    width, it is less.
    """
    indent = min(indent, width // 2)
    current: Line = []
    room = width
    for style, piece in _pieces(visible(line), max(width - indent, WIDEST)):
        cells = width_of(piece.rstrip(" "))
        if cells > room and current:
            yield _trimmed(current)
            current, room = ([("text", " " * indent)] if indent else []), width - indent
        current.append((style, piece))
        room -= width_of(piece)
    yield _trimmed(current)


def _pieces(line: Line, most: int) -> Iterator[Segment]:
    """Yield words with the spaces behind them, in pieces of at most so many cells."""
    for style, text in line:
        for found in _WORD.finditer(text):
            word = found[0]
            while width_of(word.rstrip(" ")) > most:
                count = _count_fitting(word, most)
                yield style, word[:count]
                word = word[count:]
            yield style, word


def _count_fitting(text: str, most: int) -> int:
    """Return how many of the first characters fit; at least one does."""
    cells = 0
    for count, character in enumerate(text):
        cells += character_width(character)
        if cells > most:
            return count
    return len(text)


def _trimmed(line: Line) -> Line:
    """Return the line without the spaces at its end."""
    while line and not line[-1][1].strip(" "):
        line = line[:-1]
    return [*line[:-1], (line[-1][0], line[-1][1].rstrip(" "))] if line else []
