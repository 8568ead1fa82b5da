"""Each place at which two values differ is named, with both values."""

from typing import Any

import pytest
from hypothesis import given

from tapproxy.diffing.values import differing
from tapproxy_viewers.differences import ABSENT
from tests.tapproxy.diffing.test_volatile import json_values


@pytest.mark.parametrize(
    ("a", "b", "places"),
    [
        ({"p": {"x": 1}}, {"p": {"x": 2}}, [("p.x", 1, 2)]),
        ({"p": [1, 2]}, {"p": [1, 3, 4]}, [("p.1", 2, 3), ("p.2", ABSENT, 4)]),
        ({"b": 1, "a": 1}, {"a": None}, [("a", 1, None), ("b", 1, ABSENT)]),
        ({"n": 1}, {"n": 1.0}, [("n", 1, 1.0)]),
        ({"n": 1}, {"n": True}, [("n", 1, True)]),
        ({"n": {}}, {"n": []}, [("n", {}, [])]),
        (b"x", b"y", [("", b"x", b"y")]),
        ({"a": [1, {"b": 2}]}, {"a": [1, {"b": 2}]}, []),
    ],
)
def test_places_are_named(a: Any, b: Any, places: list[tuple[str, Any, Any]]) -> None:
    assert list(differing(a, b)) == places


@given(json_values, json_values)
def test_swapping_two_values_swaps_what_is_said(a: Any, b: Any) -> None:
    swapped = [(it.path, it.b, it.a) for it in differing(b, a)]
    assert list(differing(a, b)) == swapped
    assert list(differing(a, a)) == []
