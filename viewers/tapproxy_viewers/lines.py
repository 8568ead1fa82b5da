"""A line as a viewer makes it, (style, text) by (style, text), then plain text or colour."""

from collections.abc import Callable
from functools import cache

from tapproxy_viewers.cells import Segment
from tapproxy_viewers.palette import THEMES

Line = list[Segment]


def plain(line: Line) -> str:
    """Return the line without colours."""
    return "".join([text for _, text in line])


@cache
def painter(theme: str) -> Callable[[Line], str]:
    """Return what gives a line the terminal's colours; `theme` is one of palette.THEMES."""
    escapes = {style: _escapes(colours) for style, colours in THEMES[theme].items()}

    def paint(line: Line) -> str:
        pieces = []
        for style, text in line:
            before, after = escapes[style]
            pieces.append(before + text + after)
        return "".join(pieces)

    return paint


def _escapes(colours: str) -> tuple[str, str]:
    from rich.color import ColorSystem
    from rich.style import Style

    around = Style.parse(colours).render("|", color_system=ColorSystem.STANDARD)
    before, _, after = around.partition("|")
    return before, after
