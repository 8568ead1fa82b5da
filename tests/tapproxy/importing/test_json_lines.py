"""Logs with JSON on each line: plain ones keep their bytes, wrapped ones give up their messages."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapproxy.importing.json_lines import JSON_LINES
from tapproxy_store.records import Chunk, Session
from tests.tapproxy.importing.logs import MODIFIED_NS, error, records, told

JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=8,
)
MESSAGES = st.dictionaries(st.text(max_size=4), JSON, max_size=4) | st.lists(JSON, max_size=3)
SEPARATORS = st.sampled_from([(",", ":"), (", ", ": "), (" , ", " :\t")])
DIRECTIONS = {
    "dir": ("in", "out"),
    "direction": ("client->server", "server->client"),
    "from": ("client", "server"),
    "side": ("host", "plugin"),
    "source": ("stdin", "stdout"),
    "stream": ("->", "<-"),
    "channel": ("→", "←"),
    "type": ("request", "response"),
}
PAYLOADS = ["message", "msg", "payload", "frame", "raw", "line", "data", "body", "text"]
TIMES = ["ts", "time", "timestamp", "t", "at"]


@given(
    messages=st.lists(st.tuples(MESSAGES, st.booleans(), st.booleans()), min_size=1, max_size=4),
    keys=st.tuples(*map(st.sampled_from, (sorted(DIRECTIONS), PAYLOADS, TIMES))),
    style=st.fixed_dictionaries({"separators": SEPARATORS, "ensure_ascii": st.booleans()}),
)
def test_a_wrapped_message_comes_back_byte_for_byte(
    messages: list[tuple[Any, bool, bool]], keys: tuple[str, str, str], style: dict[str, Any]
) -> None:
    direction, payload, time = keys
    lines, expected = [], []
    for message, goes_out, is_text in messages:
        body = json.dumps(message, **style)
        word = json.dumps(DIRECTIONS[direction][goes_out])
        value = json.dumps(body) if is_text else body
        lines.append(f'{{"{time}": 1.5,"{direction}":{word} , "{payload}" : {value}}}')
        expected.append(("out" if goes_out else "in", f"{body}\n".encode()))
    found = [it for it in records(JSON_LINES, *lines) if isinstance(it, Chunk)]
    assert [(it.stream, it.data) for it in found] == expected


@given(st.lists(st.binary(max_size=12).map(lambda it: it.replace(b"\n", b"")), max_size=4))
def test_a_plain_log_keeps_whatever_its_lines_hold(lines: list[bytes]) -> None:
    found = [it for it in records(JSON_LINES, "{}", *lines) if isinstance(it, Chunk)]
    assert [it.data for it in found] == [b"{}\n", *(line + b"\n" for line in lines)]
    assert {it.stream for it in found} == {"out"}


@pytest.mark.parametrize(
    "message",
    [
        '{"jsonrpc": "2.0", "id": 1, "type": "response", "from": "client", "data": {}}',
        '{"seq": 1, "type": "response", "request_seq": 1, "body": {}}',
        '{"type": "request", "id": 1}',
        '{"direction": "sideways", "data": {}}',
        '{"direction": "in", "data": 5}',
        '[{"direction": "in", "data": {}}]',
    ],
)
def test_a_message_that_only_looks_like_a_wrapper_is_a_message(message: str) -> None:
    assert told(records(JSON_LINES, message)) == [
        ("a", 0.0),
        (0.0, "out", f"{message}\n".encode()),
    ]


def test_the_user_says_where_a_plain_log_goes_even_if_it_looks_wrapped() -> None:
    line = '{"direction": "out", "data": {}}'
    found = records(JSON_LINES, line, direction="in")
    assert told(found) == [("a", 0.0), (0.0, "in", f"{line}\n".encode())]
    assert isinstance(found[0], Session)
    assert found[0].facts == {"imported": {"format": "json-lines", "from": "a.log", "exact": True}}


def test_a_log_without_times_began_when_it_was_last_changed() -> None:
    assert records(JSON_LINES, '{"dir": "in", "msg": {}}')[0] == Session(
        id=1,
        name="a",
        started_ns=MODIFIED_NS,
        started_mono_ns=0,
        duration_ns=None,
        outcome=None,
        framing="lines",
        facts={"imported": {"format": "json-lines", "from": "a.log", "exact": False}},
    )


def test_times_count_from_the_first_one_and_never_go_back() -> None:
    lines = [
        '{"dir": "in", "msg": "no time"}',
        '{"dir": "in", "msg": "first", "ts": 7.25}',
        '{"dir": "in", "msg": "back", "ts": 7}',
        '{"dir": "in", "msg": "on", "ts": 9.5}',
    ]
    assert told(records(JSON_LINES, *lines)) == [
        ("a", 0.0),
        (0.0, "in", b"no time\n"),
        (0.0, "in", b"first\n"),
        (0.0, "in", b"back\n"),
        (2.25, "in", b"on\n"),
    ]


def test_an_entry_without_a_message_becomes_an_event() -> None:
    lines: list[str | bytes] = [
        b'{"level": "info", "msg": "up \xff"}',
        '{"dir": "in", "msg": "", "data": {"id": 1}}',
        '{"dir": "sideways", "msg": {}}',
    ]
    assert told(records(JSON_LINES, *lines)) == [
        ("a", 0.0),
        (0.0, "log", {"line": {"base64": "eyJsZXZlbCI6ICJpbmZvIiwgIm1zZyI6ICJ1cCD/In0="}}),
        (0.0, "in", b'{"id": 1}\n'),
        (0.0, "log", {"line": '{"dir": "sideways", "msg": {}}'}),
    ]


def test_bytes_that_are_not_utf_8_stay_what_they_were() -> None:
    lines: list[str | bytes] = [
        b'{"dir": "in", "msg": {"name": "\xff"}}',
        '{"dir": "in", "msg": "\\udcff"}',
        '{"dir": "in", "msg": "\\ud800"}',
    ]
    assert told(records(JSON_LINES, *lines))[1:] == [
        (0.0, "in", b'{"name": "\xff"}\n'),
        (0.0, "in", b"\xff\n"),
        (0.0, "in", b"\xed\xa0\x80\n"),
    ]


def test_offsets_and_numbers_go_on() -> None:
    lines = [
        '{"dir": "in", "msg": {}}',
        '{"dir": "out", "msg": []}',
        '{"dir": "in", "msg": "a\\n"}',
    ]
    assert records(JSON_LINES, *lines)[1:] == [
        Chunk(1, 1, "in", 0, 0, b"{}\n"),
        Chunk(2, 1, "out", 0, 0, b"[]\n"),
        Chunk(3, 1, "in", 0, 3, b"a\n"),
    ]


DEEP = "[" * 100_000


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["{"], "a.log:1:2: this is not JSON: Expecting property name enclosed in double quotes; "
         "expected a message on each line"),
        (["", '{"id": 1}]'], "a.log:2:10: this is not JSON: Extra data; "
         "expected a message on each line"),
        (['{"dir": "in", "msg": {}}', '{"dir": "in" '],
         "a.log:2:13: this is not JSON: Expecting ',' delimiter; "
         "expected an object {…}"),
        (['{"dir": "in", "msg": {}}', "[1]"], "a.log:2:1: expected an object {…}, not [1]"),
    ],
)  # fmt: skip
def test_what_is_no_json_is_told_with_its_place(lines: list[str], message: str) -> None:
    assert error(JSON_LINES, *lines) == message


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([DEEP], "a.log:1:1: this is not JSON: brackets are nested too deep; "
         "expected a message on each line"),
        (['{"dir": "in", "msg": {}}', DEEP],
         "a.log:2:1: this JSON cannot be read: brackets are nested too deep"),
    ],
)  # fmt: skip
def test_json_that_nests_too_deep_is_told(lines: list[str], message: str) -> None:
    assert error(JSON_LINES, *lines) == message
