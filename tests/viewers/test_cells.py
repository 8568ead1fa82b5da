"""Text is cut by the cells that it takes on a terminal."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from tapproxy_viewers.cells import Segment, clipped, fitted, width_of
from tapproxy_viewers.visible import decoded, shown

ANY_TEXT = st.text(max_size=60) | st.binary(max_size=60).map(decoded)


def joined(segments: list[Segment]) -> str:
    return "".join(text for _, text in segments)


@pytest.mark.parametrize(
    ("text", "width", "fit"),
    [
        ("plain", 5, "plain"),
        ("plain", 4, "pla…"),
        ("你好世界", 8, "你好世界"),
        ("你好世界", 7, "你好世…"),
        ("你好世界", 6, "你好…"),
        ("🎉🎉🎉", 5, "🎉🎉…"),
        ("e\u0301e\u0301e\u0301", 3, "e\u0301e\u0301e\u0301"),
        ("a\x1b[0m", 5, "a␛[0m"),
        ("ab\udcff", 5, "ab…"),
        ("ab\udcff", 6, "ab‹FF›"),
        ("plain", 1, "…"),
        ("plain", 0, ""),
        ("", 3, ""),
    ],
)
def test_text_is_cut_where_its_cells_end(text: str, width: int, fit: str) -> None:
    assert joined(fitted(text, width)) == fit


def test_symbols_have_a_style_of_their_own() -> None:
    assert fitted("ok\x00\x01!", 10) == [("text", "ok"), ("symbol", "␀␁"), ("text", "!")]


def test_an_ellipsis_tells_that_more_follows_what_was_given() -> None:
    assert fitted("head", 10, more=True) == [("text", "head"), ("quiet", "…")]
    assert joined(fitted("你好", 10, more=True)) == "你好…"
    assert joined(fitted("你好", 4, more=True)) == "你…"


def test_accents_cannot_be_piled_without_end() -> None:
    assert len(joined(fitted("a" + "\u0301" * 100_000, 10))) == 41


@given(text=ANY_TEXT, width=st.integers(0, 50), more=st.booleans())
def test_no_text_is_wider_than_its_place(text: str, width: int, *, more: bool) -> None:
    fit = joined(fitted(text, width, more=more))
    assert width_of(fit) <= width
    assert cell_len(fit) <= width
    assert shown(fit) == fit


@given(st.lists(ANY_TEXT.map(shown), max_size=5), st.integers(0, 50))
def test_no_line_is_wider_than_its_place(texts: list[str], width: int) -> None:
    fit = joined(clipped([("text", text) for text in texts], width))
    assert width_of(fit) <= width


def test_a_line_is_cut_across_its_segments() -> None:
    line = [("time", "12.000 s"), ("in", "──→"), ("text", "你好")]
    assert clipped(line, 15) == line
    assert clipped(line, 13) == [("time", "12.000 s"), ("in", "──→"), ("quiet", "…")]
    assert clipped(line, 9) == [("time", "12.000 s"), ("quiet", "…")]
