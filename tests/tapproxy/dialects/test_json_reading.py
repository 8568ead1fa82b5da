"""Any bytes can be read as JSON, or are told why not."""

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapproxy.dialects.api import Heard, Meaning
from tapproxy.dialects.jsonl import JsonlReading
from tapproxy.dialects.jsonrpc import JsonRpcReading

PIECES = st.sampled_from(
    [
        *(
            b"{",
            b"}",
            b"[",
            b"]",
            b'"',
            b":",
            b",",
            b"\\",
            b"\\ud800",
            b"\n",
            b"\xff",
            b"\xef\xbb\xbf",
        ),
        *(b'"id":1', b'{"id":null,', b'"method":"m"', b'"result":', b'"error":', b"NaN", b"1e999"),
        *(b"\xe2\x80\xa8", b"\x00", b"\x1b[K", b'{"a":1}', b'[{"b":2}]', b"true", b"9" * 400),
    ]
)
BODIES = st.binary(max_size=80) | st.lists(PIECES, max_size=12).map(b"".join)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(),
    lambda it: st.lists(it) | st.dictionaries(st.text() | st.sampled_from(["id", "method"]), it),
    max_leaves=5,
)
OBJECTS = st.dictionaries(
    st.text() | st.sampled_from(["id", "method", "result", "error", "type", "seq"]),
    JSON,
    max_size=5,
)
READINGS = pytest.mark.parametrize("reading", [JsonRpcReading, JsonlReading])


@READINGS
@given(bodies=st.lists(BODIES, max_size=6))
def test_no_bytes_are_too_odd_to_be_read(
    reading: type[JsonRpcReading], bodies: list[bytes]
) -> None:
    begun = reading()
    for number, body in enumerate(bodies, start=1):
        meanings = begun.read(Heard("in", body, number))
        assert len(meanings) > 0
        for meaning in meanings:
            orjson.loads(meaning.decoded or b"null")  # strict readers take it
            (meaning.summary + meaning.note).encode()


@READINGS
@given(value=OBJECTS)
def test_an_object_has_exactly_one_meaning(
    reading: type[JsonRpcReading], value: dict[str, object]
) -> None:
    (meaning,) = reading().read(Heard("in", orjson.dumps(value)))
    assert "not-json" not in meaning.flags


@pytest.mark.parametrize("character", ["\u2028", "\u2029", "\u0085"])
def test_a_character_at_which_some_readers_break_lines_is_told(character: str) -> None:
    body = orjson.dumps({"method": "say", "params": {"text": f"a{character}b"}})
    assert JsonRpcReading().read(Heard("out", body)) == [
        Meaning(
            "notification",
            "say",
            f'text="a{character}b"',
            flags=("line-separator",),
            note=f"U+{ord(character):04X} in a string: some readers break the line there",
        )
    ]


def test_a_dash_is_none_of_those_characters() -> None:
    body = orjson.dumps({"method": "say", "params": ["a — b"]})
    assert JsonRpcReading().read(Heard("out", body)) == [
        Meaning("notification", "say", '["a — b"]')
    ]


def test_a_line_that_is_json_by_itself_may_be_part_of_a_text_over_several() -> None:
    reading = JsonRpcReading()
    lines = [b'{"id":1,"result":[', b"1", b"]}"]
    meanings = [reading.read(Heard("out", it, number)) for number, it in enumerate(lines, start=1)]
    assert [[(it.kind, it.summary, it.flags) for it in frame] for frame in meanings] == [
        [("unknown", "", ("not-json", "unfinished"))],
        [("unknown", "", ("multiline",))],
        [("response", "[1]", ("multiline",))],
    ]


def test_the_sides_of_a_session_do_not_go_on_with_each_others_texts() -> None:
    reading = JsonRpcReading()
    reading.read(Heard("in", b'{"id":', 1))
    (meaning,) = reading.read(Heard("out", b"1}", 2))
    assert meaning == Meaning("unknown", note="not JSON", flags=("not-json",))
