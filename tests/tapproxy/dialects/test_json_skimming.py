"""What an object is, told by its beginning and its end alone."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapproxy.dialects.json_skimming import outline

LARGE = 'x, "id": 9, {[ é\\' * 1000


@pytest.mark.parametrize(
    ("large", "stand_in"),
    [(LARGE, ""), ({"text": LARGE}, {}), ([LARGE], []), ({"a": {"b": [LARGE, 1], "id": 5}}, {})],
)
@pytest.mark.parametrize("first", [{}, {"id": 7}, {"a": {"id": 1}, "b": [1, 2], "id": "é,"}])
@pytest.mark.parametrize(
    "last", [{}, {"id": 8}, {"method": "m", "c": {"d": [1, {"e": 2}]}, "f": 1}]
)
def test_all_members_but_the_large_one_are_told(
    first: dict[str, Any], large: Any, stand_in: Any, last: dict[str, Any]
) -> None:
    value = {**first, "large": large, "z": 0, **last}
    for text in (json.dumps(value), json.dumps(value, indent=2) + "\n", f"  {json.dumps(value)}"):
        body = text.encode()
        assert outline(body[:500], body[-500:]) == {**value, "large": stand_in}


@pytest.mark.parametrize("body", [b"", b"[1, 2", b'"text', b"plain text", b"\xff\xfe{"])
def test_what_is_no_object_has_no_outline(body: bytes) -> None:
    assert outline(body, b'"id": 1}') is None


@pytest.mark.parametrize("body", [b"{", b'{"a', b'{"a":', b"{1: 2}", b'{"a": 1 "b": 2', b"{}"])
def test_a_beginning_that_breaks_off_tells_what_it_can(body: bytes) -> None:
    assert (outline(body, b"x") or {}).keys() <= {"a"}


def test_a_value_nested_without_end_is_no_hindrance() -> None:
    body = b'{"id":1,"result":' + b"[" * 100_000
    assert outline(body, b"]" * 4096 + b"}") == {"id": 1, "result": []}


@given(st.binary(), st.binary())
def test_any_bytes_are_taken(beginning: bytes, end: bytes) -> None:
    assert isinstance(outline(b"{" + beginning, end), dict)
