"""Values in a few words."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapproxy.dialects.brief import (
    ROOM,
    brief,
    clipped,
    counted,
    inner,
    joined,
    listed,
    members,
    plain,
    some,
)

SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
VALUES = st.recursive(
    SCALARS, lambda it: st.lists(it) | st.dictionaries(st.text(), it), max_leaves=30
)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (None, "null"),
        (True, "true"),
        (1, "1"),
        (1.5, "1.5"),
        ("a", '"a"'),
        ([], "[]"),
        ({}, "{}"),
        ([1, "b"], '[1, "b"]'),
        ([1, 2, 3, 4], "[4 items]"),
        ({"a": 1, "b": {"c": [1]}}, "{a=1 b={c=[1 item]}}"),
        ({"a": {"b": {"c": 1}}}, "{a={b={1 member}}}"),
        (10**100, "1" + "0" * 58 + "…"),
    ],
)
def test_any_value_is_said_in_a_few_words(value: Any, said: str) -> None:
    assert brief(value) == said


def test_a_long_text_ends_in_an_ellipsis_within_its_limit() -> None:
    assert clipped("abcdef", 6) == "abcdef"
    assert clipped("abcdefg", 6) == "abcde…"


def test_members_are_said_while_there_is_room_for_them() -> None:
    value = {f"key{number}": "x" * 30 for number in range(9)}
    first = " ".join(f'key{number}="{"x" * 30}"' for number in range(3))
    assert members(value) == first + " …"


def test_of_an_object_the_plain_values_are_said_first() -> None:
    value = {"b": {"y": [], "x": None}, "a": 1, "d": [2], "c": "3"}
    assert members(value) == 'a=1 c="3" b={x=null y=[]} d=[2]'


def test_the_name_of_a_member_is_clipped_as_well() -> None:
    assert members({"k" * 1000: 1}) == "k" * 39 + "…=1"


@given(VALUES)
def test_no_value_is_said_at_length(value: Any) -> None:
    assert len(brief(value)) < 10 * ROOM


def test_an_inner_value_is_found_by_its_path_or_is_none() -> None:
    value = {"a": [{"b": 1}]}
    assert inner(value, "a", 0, "b") == 1
    assert inner(value, "a", 1, "b") is None
    assert inner(value, "a", "b") is None
    assert inner(value, 0) is None
    assert inner(None, "a") is None


def test_words_are_put_together_without_those_that_are_empty() -> None:
    assert joined("a", "", "b") == "a b"
    assert joined("a", "b", by=": ") == "a: b"
    assert plain(None) == ""
    assert plain("text") == "text"
    assert plain([]) == "[]"
    assert listed("no list") == []


def test_several_things_are_counted_and_the_first_are_named() -> None:
    assert counted(1, "item") == "1 item"
    assert counted(0, "item") == "0 items"
    assert counted(2, "capability", "capabilities") == "2 capabilities"
    assert some(["a", "b", "c"]) == "a, b, c"
    assert some(["a", "b", "c", "d"]) == "a, b, c, …"
