"""Text is cut by the cells that it takes on a terminal."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from tapproxy_viewers.cells import (
    LONGEST_MARKED,
    Segment,
    clipped,
    fitted,
    visible,
    width_of,
)
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
    assert fitted("ok\x00\x01!", 10) == [
        ("text", "ok"),
        ("symbol", "␀"),
        ("symbol", "␁"),
        ("text", "!"),
    ]


def test_an_ellipsis_tells_that_more_follows_what_was_given() -> None:
    assert fitted("head", 10, more=True) == [("text", "head"), ("quiet", "…")]
    assert joined(fitted("你好", 10, more=True)) == "你好…"
    assert joined(fitted("你好", 4, more=True)) == "你…"


def test_where_terminals_disagree_the_larger_width_counts() -> None:
    assert [*map(width_of, ["❤\ufe0f", "🇨🇿", "👍🏽", "e\u0301", "👨\u200d👩"])] == [2, 4, 4, 1, 4]
    assert joined(fitted("🇨🇿!", 4)) == "🇨…"
    assert joined(fitted("你好" + "e\u0301" * 3, 5)) == "你好…"


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
    assert clipped(line, 14) == [*line[:2], ("text", "你"), ("quiet", "…")]
    assert clipped(line, 9) == [("time", "12.000 s"), ("quiet", "…")]
    assert clipped(line, 0) == [("quiet", "")]


def test_a_line_that_is_cut_between_its_segments_says_so_too() -> None:
    line = [("time", "12.000 s"), ("method", "call"), ("text", "more")]
    assert joined(clipped(line, 12)) == "12.000 scal…"
    assert joined(clipped(line, 8)) == "12.000 …"
    assert joined(clipped([*line[:2], ("text", "")], 12)) == "12.000 scall"
    assert joined(clipped([("text", "你好"), ("text", "!")], 4)) == "你…"


def test_a_symbol_is_shown_whole_or_not_at_all() -> None:
    line = [("method", "a\x1b"), ("text", "\udcff end")]
    assert clipped(line, 7) == [
        ("method", "a"),
        ("symbol", "␛"),
        ("symbol", "‹FF›"),
        ("quiet", "…"),
    ]
    assert joined(clipped(line, 6)) == "a␛…"


def test_a_whole_line_is_shown_however_wide() -> None:
    assert visible([("key", "\u202e" * 2), ("text", "你" * 200)]) == [
        ("symbol", "‹U+202E›"),
        ("symbol", "‹U+202E›"),
        ("text", "你" * 200),
    ]


@given(st.lists(ANY_TEXT, max_size=4), st.integers(0, 60), st.booleans())
def test_what_is_left_of_a_line_is_its_beginning(
    texts: list[str],
    width: int,
    more: bool,  # noqa: FBT001  as hypothesis hands it over
) -> None:
    whole = joined(visible([("text", text) for text in texts]))
    fit = joined(clipped([("text", text) for text in texts], width, more=more))
    if fit != whole or more:
        assert fit.endswith("…"[:width])
        assert whole.startswith(fit.removesuffix("…"))
    assert shown(fit) == fit
    assert width_of(fit) <= width


def test_a_text_of_very_many_symbols_is_a_single_segment() -> None:
    text = "\x1b" * (LONGEST_MARKED + 1)
    assert visible([("title", text)]) == [("title", "␛" * len(text))]
