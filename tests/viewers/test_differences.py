"""A difference takes one line where it has room there, else lines of its own for both values."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapproxy_viewers.cells import width_of
from tapproxy_viewers.differences import STEP, Difference, Totals, lines, title
from tapproxy_viewers.lines import plain

COMMON = "what both of them say at great length " * 100


def changed(a: Any, b: Any, path: str = "params.name", more: int = 0) -> Difference:
    about: dict[str, Any] = {"subject": "message", "stream": "in", "a": 2, "b": 3}
    return Difference(
        "changed", **about, method="tools/call", path=path, a_value=a, b_value=b, more=more
    )


def drawn(it: Difference, width: int) -> list[str]:
    """Draw one difference, without what stands around it."""
    return [plain(line).rstrip() for line in lines([it], Totals(), width)][1:-2]


def test_a_difference_that_has_room_is_one_line() -> None:
    assert drawn(changed(1, 2, more=3), 84) == [
        "changed    ──→      #2      #3  tools/call  params.name: 1 → 2 (and 3 more)"
    ]


def test_one_that_has_not_gets_a_line_for_the_path_and_for_each_value() -> None:
    assert drawn(changed("the first file", "the second file", more=3), 60) == [
        "changed    ──→      #2      #3  tools/call",
        "           params.name (and 3 more)",
        '           A  "the first file"',
        '           B  "the second file"',
    ]


def test_long_values_are_cut_around_their_first_difference() -> None:
    assert drawn(changed(COMMON + "red" + COMMON, COMMON + "blue"), 80)[2:] == [
        "           A  …at great length redwhat both of them say at great length what bo…",
        '           B  …at great length blue"',
    ]


def test_values_that_differ_early_are_shown_from_their_beginning() -> None:
    assert drawn(changed("red " + COMMON, "blue"), 50)[2:] == [
        '           A  "red what both of them say at great…',
        '           B  "blue"',
    ]


def test_of_a_long_path_the_end_is_shown() -> None:
    assert drawn(changed(1, 2, "a.very.long.path.to.the.place", more=1000), 40)[1:] == [
        "           …o.the.place (and 1,000 more)",
        "           A  1",
        "           B  2",
    ]


def test_the_whole_of_a_message_has_no_path() -> None:
    assert drawn(changed(b"\x1b[31m" + b"x" * 40, b"y", ""), 60)[1:] == [
        "           A  ␛[31mxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        "           B  y",
    ]


def test_the_first_line_says_which_recordings_they_are() -> None:
    assert title("one\n", "other", 80) == [("quiet", "A one␊ · B other")]


@given(
    st.text(max_size=40), st.text(max_size=200), st.text(max_size=200), st.text(max_size=200),
    st.integers(45, 120),
)  # fmt: skip
def test_no_line_is_too_wide_and_the_first_difference_is_seen(
    path: str, common: str, one: str, other: str, width: int
) -> None:
    found = drawn(changed(common + "x" + one, common + "y" + other, path), width)
    assert max(map(width_of, found)) <= width
    a, b = (it[len(STEP + "A") :] for it in found[-2:]) if len(found) > 1 else "xy"
    assert a != b


@pytest.mark.parametrize("width", [1, 5, 12, 15, 30])
def test_no_terminal_is_too_narrow(width: int) -> None:
    for line in lines([changed(COMMON, 1)], Totals(), width):
        assert width_of(plain(line)) <= max(width, 35)
