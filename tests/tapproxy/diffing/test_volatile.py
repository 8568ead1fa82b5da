"""Values that differ from run to run are left out, and nothing else is touched."""

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapproxy.diffing.volatile import steps_of, without_volatile

keys = st.sampled_from(("a", "b", "c"))
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3),
    max_leaves=12,
)
patterns = st.lists(
    st.lists(keys | st.just("*") | st.just("0"), min_size=1, max_size=3).map(".".join), max_size=4
)


@pytest.mark.parametrize(
    ("value", "paths", "left"),
    [
        ({"id": 1, "m": 2}, ["id"], {"m": 2}),
        ({"p": {"id": 1, "m": 2}}, ["p.id"], {"p": {"m": 2}}),
        ({"p": {"id": 1}}, ["p.id", "p"], {}),
        ({"f": [{"n": 1, "t": 2}, {"n": 3}]}, ["f.*.t"], {"f": [{"n": 1}, {"n": 3}]}),
        ({"f": {"x": {"t": 1}, "y": 2}}, ["f.*.t"], {"f": {"x": {}, "y": 2}}),
        ({"f": [1, 2, 3]}, ["f.1"], {"f": [1, None, 3]}),
        ({"f": [1, 2]}, ["f.*"], {"f": [None, None]}),
        ([1, 2], ["0"], [None, 2]),
        ({"id": 1}, [], {"id": 1}),
        ({"id": "text"}, ["id.below", "other"], {"id": "text"}),
        ("text", ["id"], "text"),
        ({"set": ["b", "a"]}, ["set.{}"], {"set": ["a", "b"]}),
        (
            {"set": [{"n": 2, "t": 1}, {"n": 1}]},
            ["set.{}", "set.*.t"],
            {"set": [{"n": 1}, {"n": 2}]},
        ),
        ({"set": "text"}, ["set.{}"], {"set": "text"}),
    ],
)
def test_what_is_at_the_paths_is_left_out(value: Any, paths: list[str], left: Any) -> None:
    assert without_volatile(value, paths) == left


@given(json_values, patterns)
def test_the_value_itself_stays_as_it_is_and_twice_is_once(value: Any, paths: list[str]) -> None:
    before = copy.deepcopy(value)
    left = without_volatile(value, paths)
    assert value == before
    assert without_volatile(left, paths) == left


@pytest.mark.parametrize(
    ("path", "steps"),
    [
        ("params.cwd", ("params", "cwd")),
        ("$.params.cwd", ("params", "cwd")),
        ("$.items[0].id", ("items", "0", "id")),
        ("items[*].id", ("items", "*", "id")),
        ("items.*.id", ("items", "*", "id")),
        ("$['params'][\"a.b\"]", ("params", "a.b")),
        ("$[2]", ("2",)),
        (r"params.a\.b", ("params", "a.b")),
        (r"params.list\[0]", ("params", "list[0]")),
        ("_meta.com.example/x", ("_meta", "com", "example/x")),
        ("a[b].$", ("a[b]", "$")),
    ],
)
def test_a_path_is_written_with_dots_or_as_json_path(path: str, steps: tuple[str, ...]) -> None:
    assert steps_of(path) == steps


def test_what_no_path_leads_into_is_not_copied() -> None:
    value = {"id": 1, "big": {"deep": [1, 2, 3]}}
    assert without_volatile(value, ["id"])["big"] is value["big"]
