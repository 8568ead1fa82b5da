"""JSON in strings is opened, changed and closed again as it was closed."""

import json
import random
from base64 import b64decode, b64encode
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tapproxy.replay.json_patterns import Path
from tapproxy.replay.layers import find_layer
from tapproxy.replay.rewriting import rewritten, values
from tests.tapproxy.replay.spelling import HANDS, VALUES, spelled

quick = settings(max_examples=60, deadline=None)  # a busy machine is no failure

ID = 987654321
COATS = st.lists(st.sampled_from(["text", "data"]), min_size=1, max_size=3)


def five(_: Path, __: bytes) -> bytes:
    """Change anything to 5."""
    return b"5"


def coated(coats: list[str], beside: Any, hand: random.Random) -> bytes:
    """Return a message with an id under so many layers, the outermost first."""
    text = spelled({"x": beside, "id": ID, "y": beside}, hand)
    for coat in reversed(coats):
        packed = b64encode(text.encode()).decode() if coat == "data" else text
        text = spelled({"x": beside, "in": packed, "y": beside}, hand)
    return text.encode()


def uncoated(body: bytes | str, coats: list[str]) -> list[Any]:
    """Return the objects of all layers, the strings that held them taken out."""
    opened = json.loads(body)
    if not coats:
        return [opened]
    packed = opened.pop("in")
    return [opened, *uncoated(b64decode(packed) if coats[0] == "data" else packed, coats[1:])]


@quick
@given(COATS, VALUES, HANDS)
def test_a_value_under_layers_is_changed_and_nothing_else(
    coats: list[str], beside: Any, hand: random.Random
) -> None:
    body = coated(coats, beside, hand)
    place = ".".join([*["in"] * len(coats), "id"])
    assert values(body, [place]) == {tuple(place.split(".")): b"%d" % ID}
    *outer, inner = uncoated(body, coats)
    expected = [*outer, {**inner, "id": 5}]
    assert uncoated(rewritten(body, [place], five), coats) == expected


@quick
@given(st.integers(0, 3), VALUES, HANDS)
def test_in_layers_of_text_all_other_bytes_stay(
    depth: int, beside: Any, hand: random.Random
) -> None:
    body = coated(["text"] * depth, beside, hand)
    place = ".".join([*["in"] * depth, "id"])
    before, _, after = body.rpartition(b"%d" % ID)
    assert rewritten(body, [place], five) == before + b"5" + after


@quick
@given(COATS, VALUES, HANDS)
def test_what_is_not_changed_is_the_same_object(
    coats: list[str], beside: Any, hand: random.Random
) -> None:
    body = coated(coats, beside, hand)
    everything = [".".join("*" * depth) for depth in range(1, 6)]
    assert rewritten(body, everything, lambda _, raw: raw if raw[:1] == b"[" else None) is body


def test_a_lingxi_request_is_rewritten_in_all_three_layers() -> None:
    arguments = r'{"path":"a\/b","callID":"old"}'
    params = json.dumps({"toolCallID": "old", "arguments": arguments}).replace("/", r"\/")
    packed = b64encode(params.encode()).decode().replace("/", r"\/")
    body = f'{{"params":"{packed}","id":"X-1"}}'.encode()
    new = rewritten(
        body,
        ["id", "params.toolCallID", "params.arguments.callID"],
        lambda _, raw: b'"new/\\"1"' if raw == b'"old"' else None,
    )
    inner = params.replace('"old"', r'"new/\"1"').replace(r"\"old\"", r"\"new\/\\\"1\"")
    packed = b64encode(inner.encode()).decode().replace("/", r"\/")
    assert new == f'{{"params":"{packed}","id":"X-1"}}'.encode()


@pytest.mark.parametrize("slash", ["/", r"\/"])
def test_slashes_of_base64_stay_as_they_were(slash: str) -> None:
    body = f'{{"params":"eyJpZCI6Ij8{slash}PyJ9"}}'.encode()
    assert values(body, ["params.id"]) == {("params", "id"): b'"???"'}
    new = rewritten(body, ["params.id"], lambda *_: b'"??>"')
    assert new == f'{{"params":"eyJpZCI6Ij8{slash}PiJ9"}}'.encode()


def test_slashes_that_are_new_in_base64_are_escaped_as_the_json_in_it_does() -> None:
    plain, swift = '{"id":"a"}', r'{"id":"a","b":"\/"}'
    for inner, slash in ((plain, b"/"), (swift, rb"\/")):
        packed = b64encode(inner.encode())
        assert b"/" not in packed
        new = rewritten(b'{"p":"%s"}' % packed, ["p.id"], lambda *_: b'"???"')
        expected = b64encode(inner.replace('"a"', '"???"', 1).encode())
        assert b"/" in expected
        assert new == b'{"p":"%s"}' % expected.replace(b"/", slash)


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"clean",
        b"done",  # base64, but not of JSON
        b"ImRvbmUi",  # base64 of a string
        b"eyJpZCI6MX0",  # without its padding
        b"eyJpZCI6\\nMX0=",
        b" eyJpZCI6MX0=",
    ],
)
def test_strings_without_an_object_or_list_are_no_layer(raw: bytes) -> None:
    assert find_layer(raw) is None
    body = b'{"id":"%s"}' % raw
    assert rewritten(body, ["id.id", "id.*"], five) is body


def test_a_string_with_more_or_less_than_its_json_is_left_alone() -> None:
    for text in (r"{\"id\":1", r"{\"id\":1} and more", r"{\"id\":1}{\"id\":2}", r"see {\"id\":1}"):
        body = f'{{"p":"{text}"}}'.encode()
        assert rewritten(body, ["p.id"], five) is body


def test_bytes_that_are_not_utf8_stay_in_all_layers() -> None:
    body = b'{"p":"{\\"x\\":\\"\xff\\ud83d\\",\\"id\\":\\"1\\"}"}'
    new = rewritten(body, ["p.id"], lambda *_: b'"\\u00e9\xfe"')
    assert new == b'{"p":"{\\"x\\":\\"\xff\\ud83d\\",\\"id\\":\\"\\\\u00e9\xfe\\"}"}'
