"""The wire's own JSON is JSON: every reader gets back what was written."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapproxy.wire.plain_json import encoded

TEXTS = st.text(st.characters(exclude_categories=()))  # lone surrogates too
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXTS,
    lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner),
)


@given(st.dictionaries(TEXTS, VALUES))
def test_what_is_written_is_read_again(value: dict[str, object]) -> None:
    read = json.loads(encoded(value))
    assert json.dumps(read) == json.dumps(json.loads(json.dumps(value)))


def test_it_is_short_and_keeps_readable_text_as_it_is() -> None:
    value = {"name": 'é "x"\n', "argv": ["a", None], "pid": 42, "on": True, "raw": "\udcff"}
    assert encoded(value) == (
        b'{"name":"\xc3\xa9 \\"x\\"\\u000a","argv":["a",null],"pid":42,"on":true,"raw":"\\udcff"}'
    )


def test_other_values_are_refused() -> None:
    with pytest.raises(TypeError, match="float"):
        encoded({"x": 1.5})
