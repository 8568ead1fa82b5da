"""One file decides how tap looks, and every theme has every style."""

import pytest
from rich.cells import cell_len
from rich.style import Style

from tapproxy_viewers import palette
from tapproxy_viewers.lines import painter, plain

DULL = "yellow", "cyan"
"""Colours that are hard to read on white."""


def test_every_theme_has_the_same_styles() -> None:
    assert list(palette.THEMES) == ["dark", "light", "none"]
    for styles in palette.THEMES.values():
        assert set(styles) == set(palette.STYLES)


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_colours_are_the_terminals_own(theme: str) -> None:
    for style in palette.THEMES[theme].values():
        color = Style.parse(style).color
        assert color is None or (color.number is not None and color.number < 16)


def test_nothing_is_hard_to_read_on_white() -> None:
    dull = [name for name, style in palette.LIGHT.items() if any(it in style for it in DULL)]
    assert dull == []


def test_lanes_and_the_marks_of_events_are_three_cells_wide() -> None:
    signs = [*palette.ARROWS.values(), *palette.EVENT_MARKS.values()]
    assert {(len(sign), cell_len(sign)) for sign in signs} == {(3, 3)}


def test_every_other_glyph_is_one_cell_wide() -> None:
    glyphs = [
        *palette.MARKS.values(),
        palette.BAR,
        palette.BAR_GOES_ON,
        palette.TIMES,
        palette.DOTS,
        palette.ELLIPSIS,
        *palette.CODE_MARKS,
    ]
    assert {(len(glyph), cell_len(glyph)) for glyph in glyphs} == {(1, 1)}


@pytest.mark.parametrize(
    ("theme", "painted"),
    [
        ("dark", "\x1b[1;31m✗ \x1b[0m\x1b[33m3.2 s ▇▇▇\x1b[0mlate"),
        ("light", "\x1b[1;31m✗ \x1b[0m\x1b[1;35m3.2 s ▇▇▇\x1b[0mlate"),
        ("none", "✗ 3.2 s ▇▇▇late"),
    ],
)
def test_a_line_is_painted_in_the_colours_of_the_theme(theme: str, painted: str) -> None:
    line = [("bad", "✗ "), ("slow", "3.2 s ▇▇▇"), ("text", "late")]
    assert painter(theme)(line) == painted
    assert plain(line) == "✗ 3.2 s ▇▇▇late"
