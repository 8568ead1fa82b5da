"""How wide text is on a terminal, and how it is cut there: by cells, not by characters."""

from collections.abc import Iterable
from functools import lru_cache

from rich.cells import get_character_cell_size

from tapproxy_viewers.palette import ELLIPSIS
from tapproxy_viewers.visible import UNSAFE, is_harmless, pieces, shown

Segment = tuple[str, str]
"""A style's name and the text in it."""

CHARACTERS_A_CELL = 4
"""No more characters than this are looked at for each cell: accents can be piled without end."""

SYMBOL = "symbol"
"""The style of what stands for a character that is not shown itself; never torn."""

LONGEST_MARKED = 1 << 16
"""Characters of a text in which symbols stand out: each is a segment, of some 150 bytes."""

_WIDENER = "\ufe0f"


@lru_cache(4096)
def character_width(character: str) -> int:
    """Cells of one character; where terminals disagree, the larger figure.

    Regional letters and skin tones join what stands before them in one terminal, and take two
    cells of their own in the next.
    """
    if character == _WIDENER:
        return 1
    if "\U0001f1e6" <= character <= "\U0001f1ff" or "\U0001f3fb" <= character <= "\U0001f3ff":
        return 2
    return get_character_cell_size(character)


def width_of(text: str) -> int:
    """Cells of text that is safe to show."""
    return len(text) if is_harmless(text) else sum(map(character_width, text))


def fitted(text: str, width: int, style: str = "text", *, more: bool = False) -> list[Segment]:
    """Make any text visible within `width` cells; an ellipsis tells that it, or `more`, is cut."""
    return clipped([(style, text)], width, more=more)


def clipped(line: list[Segment], width: int, *, more: bool = False) -> list[Segment]:
    """Make a whole line visible within `width` cells, as `fitted` does with text."""
    text = "".join([text for _, text in line])
    if not is_harmless(text):
        limit = CHARACTERS_A_CELL * max(width, 0)
        more = more or len(text) > limit
        line = visible(_beginning(line, limit))
        text_width = sum([width_of(text) for _, text in line])
    else:
        text_width = len(text)
    if text_width <= width and not more:
        return line
    return [*_fitting(line, width - 1), ("quiet", ELLIPSIS[: max(width, 0)])]


def visible(line: Iterable[Segment]) -> list[Segment]:
    """Show any line whole: what is unsafe in it becomes segments of symbols."""
    segments: list[Segment] = []
    for style, text in line:
        if is_harmless(text):
            segments.append((style, text))
        elif len(text) > LONGEST_MARKED or not UNSAFE.search(text):
            segments.append((style, shown(text)))
        else:
            segments += [(SYMBOL if is_symbol else style, it) for it, is_symbol in pieces(text)]
    return segments


def _beginning(line: list[Segment], limit: int) -> Iterable[Segment]:
    """Yield the first characters of a line, so many."""
    for style, text in line:
        yield style, text[:limit]
        limit -= len(text)
        if limit <= 0:
            return


def _fitting(line: list[Segment], room: int) -> list[Segment]:
    """Return what of a visible line fits in the room."""
    kept: list[Segment] = []
    for style, text in line:
        cells = width_of(text)
        if cells <= room:
            kept.append((style, text))
            room -= cells
            continue
        if style != SYMBOL and (begun := text[: _count_fitting(text, room)]):
            kept.append((style, begun))
        break
    return kept


def _count_fitting(text: str, room: int) -> int:
    """Return how many of the first characters fit in the room."""
    if is_harmless(text):
        return max(room, 0)
    number = 0
    for character in text:
        room -= character_width(character)
        if room < 0:
            break
        number += 1
    return number
