"""Whatever JSON goes through LingXi's layers comes out of them again."""

import json
from base64 import b64encode
from datetime import UTC, datetime
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapproxy.dialects.lingxi_layers import NotOpened, open_data
from tapproxy.dialects.lingxi_words import instant
from tests.tapproxy.dialects.lingxi_lines import asked, data, last, opened

SAFE = (1 << 53) - 1

text = st.text(st.characters(exclude_categories=["Cs"]))

scalars = (
    st.none()
    | st.booleans()
    | st.integers(-SAFE, SAFE)
    | st.floats(allow_nan=False, allow_infinity=False)
    | text
)

json_values = st.recursive(
    scalars, lambda inner: st.lists(inner) | st.dictionaries(text, inner), max_leaves=10
)


@given(json_values)
def test_any_json_comes_back_out_of_swift_data(value: Any) -> None:
    assert open_data(data(value).replace("\\/", "/")) == value


@given(st.dictionaries(text, json_values, max_size=3))
def test_any_arguments_come_back_out_of_all_three_layers(arguments: dict[str, Any]) -> None:
    params = {"toolName": "echo", "arguments": json.dumps(arguments)}
    meaning = last(asked("1", "tool.execute", params=data(params)))
    assert opened(meaning)["params"]["arguments"] == arguments


def flag_of(given_text: str) -> str:
    """Return the flag with which a text is refused, "" for one that is opened."""
    try:
        open_data(given_text)
    except NotOpened as reason:
        return reason.flag
    return ""


def is_json(inner: bytes) -> bool:
    try:
        orjson.loads(inner)
    except ValueError:
        return False
    return True


@given(st.binary(min_size=1))
def test_bytes_are_opened_if_they_are_json(inner: bytes) -> None:
    assert flag_of(b64encode(inner).decode()) == ("" if is_json(inner) else "bad-inner")


@given(text)
def test_any_text_is_opened_or_refused_with_a_reason(given_text: str) -> None:
    assert flag_of(given_text) in ("", "bad-base64", "bad-inner")


@pytest.mark.parametrize(
    "given_text", ["MQ", "MQ=", "MQ==\n", " MQ==", "MQ== ", "M-_=", "=", "MQ==MQ=="]
)
def test_base64_is_strict(given_text: str) -> None:
    assert flag_of("MQ==") == ""
    assert flag_of(given_text) == "bad-base64"


def test_empty_data_is_an_empty_result() -> None:
    assert open_data("") is None


@given(st.floats(0, 3e9))
def test_seconds_since_2001_are_an_instant(seconds: float) -> None:
    shown = datetime.fromisoformat(instant(seconds)) - datetime(2001, 1, 1, tzinfo=UTC)
    assert abs(shown.total_seconds() - seconds) <= 0.001


@pytest.mark.parametrize(
    ("observed_at", "shown"),
    [
        (0, "2001-01-01T00:00:00.000Z"),
        (781000000.25, "2025-10-01T08:26:40.250Z"),
        ("2025-10-01T08:26:40Z", "2025-10-01T08:26:40Z"),
        (1e300, "1e+300"),
        (None, "None"),
    ],
)
def test_what_is_no_number_of_seconds_is_shown_as_it_is(observed_at: Any, shown: str) -> None:
    assert instant(observed_at) == shown
