"""How wide text is on a terminal, and how it is cut there: by cells, not by characters."""

from collections.abc import Iterable
from functools import lru_cache

from rich.cells import get_character_cell_size

from tapproxy_viewers.palette import ELLIPSIS
from tapproxy_viewers.visible import UNSAFE, is_harmless, pieces

Segment = tuple[str, str]
"""A style's name and the text in it."""

CHARACTERS_A_CELL = 4
"""No more characters than this are looked at for each cell: accents can be piled without end."""

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
    if is_harmless(text):
        if len(text) <= width and not more:
            return [(style, text)]
        return _cut([(style, text[: max(width - 1, 0)])], width)
    limit = CHARACTERS_A_CELL * width
    more = more or len(text) > limit
    if UNSAFE.search(text, 0, limit):
        return _fitted_pieces(text[:limit], width, style, more=more)
    fit = _fitting(map(character_width, text[:limit]), width)
    if fit == len(text) and not more:
        return [(style, text)]
    fit = _fitting(map(character_width, text[:fit]), width - 1)
    return _cut([(style, text[:fit])], width)


def _fitting(widths: Iterable[int], room: int) -> int:
    """Return how many of the first widths fit in the room."""
    number = 0
    for cells in widths:
        room -= cells
        if room < 0:
            break
        number += 1
    return number


def _fitted_pieces(text: str, width: int, style: str, *, more: bool) -> list[Segment]:
    units: list[Segment] = []  # what must not be torn: characters and symbols
    for piece, is_symbol in pieces(text):
        units += [("symbol", piece)] if is_symbol else [(style, character) for character in piece]
    widths = [width_of(unit) for _, unit in units]
    if _fitting(widths, width) == len(units) and not more:
        return _joined(units)
    return _cut(_joined(units[: _fitting(widths, width - 1)]), width)


def _cut(segments: list[Segment], width: int) -> list[Segment]:
    return [*(kept for kept in segments if kept[1]), ("quiet", ELLIPSIS[:width])]


def _joined(units: list[Segment]) -> list[Segment]:
    segments: list[Segment] = []
    for style, text in units:
        if segments and segments[-1][0] == style:
            segments[-1] = (style, segments[-1][1] + text)
        else:
            segments.append((style, text))
    return segments


def clipped(segments: list[Segment], width: int) -> list[Segment]:
    """Cut a whole line that is safe to show to `width` cells."""
    kept: list[Segment] = []
    for style, text in segments:
        cells = width_of(text)
        if cells > width:
            return [*kept, *fitted(text, width, style)]
        kept.append((style, text))
        width -= cells
    return kept
