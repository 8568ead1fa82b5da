"""An id that is found at sight is the one that a reader finds."""

from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapproxy.replay.id_spans import find_id
from tapproxy.replay.json_spans import spans

json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**18), 10**18)
    | st.text(max_size=3)
    | st.just('"id":1'),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["id", "a", "}"]), inner)
    ),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from(["a", "id", "b", "{"]), json_values))
def test_it_is_the_member_of_the_outermost_object(value: dict[str, Any]) -> None:
    body = orjson.dumps(value)
    span = find_id(body)
    if span is not None:
        assert [it[1:] for it in spans(body, ["id"])] == [span]


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (b'{"id":17,"params":{"a":[]}}', b"17"),
        (b'{"params":{"a":[]},"id" : "a-b"}', b'"a-b"'),
        (b'{"id":-3}', b"-3"),
        (b'{"params":{"id":1},"result":{}}', None),
        (b'{"params":{"id":1},"id":2}', None),
        (b'{"a":{},"id":2,"b":{}}', None),
        (b'{"id":1.5}', None),
        (b'{"id":1e5}', None),
        (b'{"id":"\\u0041"}', None),
        (b'{"id":12345678901234567890}', None),
        (b'[{"id":1}]', None),
        (b'{"id":null}', None),
    ],
)
def test_what_is_not_plain_to_see_is_not_found(body: bytes, found: bytes | None) -> None:
    span = find_id(body)
    assert (None if span is None else body[slice(*span)]) == found
