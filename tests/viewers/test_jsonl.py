"""A recording as lines of JSON: whole, ordered, and valid whatever it holds."""

import base64
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapproxy_store.pages import Selection
from tapproxy_store.reading import open_recording
from tapproxy_store.records import Frame, Message
from tapproxy_viewers import jsonl
from tapproxy_viewers.visible import shown
from tests.viewers.made import MS, event, record, session
from tests.viewers.spoken import message, record_messages

FRAME = Frame(1, 2, "out", 10, 20, 3, 3, 5, 6, 0, "LF", None)
SAID = Message(1, 2, 0, "response", None, None, 0, "", *[None] * 8)


def told(path: Path) -> list[dict[str, Any]]:
    with open_recording(str(path)) as recording:
        return [json.loads(line) for line in jsonl.lines(recording)]


def test_a_session_comes_first_and_then_all_in_its_order(tmp_path: Path) -> None:
    record(
        str(tmp_path / "a.tap"),
        session(duration_ns=None, outcome=None),
        ("in", 3 * MS, b'{"id":1}\n'),
        event(4 * MS, "eof", stream="in", by="host"),
        ("out", 5 * MS, b"\xff\n"),
        ("err", 6 * MS, b"half"),
    )
    frame = {"type": "frame", "session": 1, "header_size": 0, "terminator": "LF", "flaw": None}
    frame["messages"] = []
    assert told(tmp_path / "a.tap") == [
        {
            "type": "session",
            "recording": "a",
            "session": 1,
            "name": "server.py",
            "command": "./server.py --greet 'hello you'",
            "started": "2026-11-30T20:30:05.123456789Z",
            "started_ns": 1_796_070_605_123_456_789,
            "duration_ns": None,
            "outcome": None,
            "framing": "auto",
            "dialect": None,
            "dialect_reason": None,
            "traits": [],
            "frames": {"in": 1, "out": 1, "err": 0},
            "bytes": {"in": 9, "out": 2, "err": 4},
            "events": 1,
            "facts": {"argv": ["./server.py", "--greet", "hello you"]},
        },
        frame
        | {"number": 1, "stream": "in", "first_ns": 3 * MS, "last_ns": 3 * MS}
        | {"start_offset": 0, "end_offset": 9, "size": 9, "first_chunk": 1, "last_chunk": 1}
        | {"open": False, "text": '{"id":1}'},
        {
            "type": "event",
            "session": 1,
            "seq": 2,
            "t_ns": 4 * MS,
            "kind": "eof",
            "detail": {"stream": "in", "by": "host"},
        },
        frame
        | {"number": 2, "stream": "out", "first_ns": 5 * MS, "last_ns": 5 * MS}
        | {"start_offset": 0, "end_offset": 2, "size": 2, "first_chunk": 3, "last_chunk": 3}
        | {"open": False, "base64": "/w=="},
        frame
        | {"number": 0, "stream": "err", "first_ns": 6 * MS, "last_ns": 6 * MS}
        | {"start_offset": 0, "end_offset": 4, "size": 4, "first_chunk": 4, "last_chunk": 4}
        | {"terminator": "none", "flaw": "unfinished", "open": True, "text": "half"},
    ]


SAID_NOTHING: dict[str, Any] = {
    "kind": "response",
    "method": None,
    "id": None,
    "asks": False,
    "summary": "",
    "answers": None,
    "answers_part": None,
    "latency_ns": None,
    "answered_after_ns": None,
    "about": None,
    "within_ns": None,
    "run": None,
    "flags": [],
    "note": None,
}


def test_a_frame_has_the_messages_that_are_in_it(tmp_path: Path) -> None:
    path = str(tmp_path / "a.tap")
    question = {"asks": 1, "id": '"a"', "summary": "x=1", "within_ns": 9, "run": "r", "about": 1}
    answer = {"answers": 1, "answers_part": 1, "latency_ns": 5, "flags": "error late", "note": "!"}
    record_messages(
        path,
        session(),
        [("in", MS, b"[{},{}]\n"), ("out", 2 * MS, b"{}\n")],
        [
            message(1, "request", "m", part=0),
            message(1, "request", "m", part=1, **question),
            message(2, "error", "m", **answer, decoded=b'{"a":\n1.10}'),
        ],
    )
    _, asked, answered = told(Path(path))
    plain = SAID_NOTHING | {"kind": "request", "method": "m"}
    assert asked["messages"] == [
        plain,
        plain | question | {"asks": True, "answered_after_ns": 5},
    ]
    flags = {"flags": ["error", "late"], "decoded": {"a": 1.10}}
    assert answered["messages"] == [
        SAID_NOTHING | {"kind": "error", "method": "m"} | answer | flags
    ]


@pytest.mark.parametrize(
    ("decoded", "written"),
    [
        (b'{"n": 18446744073709551616.10, "n":\n1}', '{"n": 18446744073709551616.10, "n": 1}'),
        (b'"\\ud800 \xc2\x9b"', '"\\ud800 \\u009b"'),
        (b"{", '"{"'),
        (b"NaN", '"NaN"'),
        (b"\xff", '"\ufffd"'),
    ],
)
def test_decoded_json_is_written_as_it_stands_and_what_is_none_as_text(
    decoded: bytes, written: str
) -> None:
    value = jsonl.message_object(SAID, decoded)
    line = jsonl.dumped({"decoded": value["decoded"]}).decode()
    assert line == f'{{"decoded":{written}}}\n'


def test_of_a_choice_nothing_is_written_but_the_heads_and_that(tmp_path: Path) -> None:
    path = str(tmp_path / "a.tap")
    record(
        path,
        session(duration_ns=None, outcome=None),
        event(0, "spawn", pid=1),
        ("in", MS, b"a\n"),
        ("in", 2 * MS, b"b\n"),
        ("in", 3 * MS, b"half"),
    )
    with open_recording(path) as recording:
        second = Selection("f.number = ?", (2,))
        lines = list(jsonl.lines(recording, lambda one: recording.entries(one, second)))
    assert [json.loads(line)["type"] for line in lines] == ["session", "frame"]
    assert json.loads(lines[1])["text"] == "b"


@given(st.binary() | st.text().map(str.encode))
def test_a_body_is_text_or_base64_and_never_unsafe(body: bytes) -> None:
    line = jsonl.dumped(jsonl.frame_object(FRAME, body)).decode()
    value = json.loads(line)
    back = value["text"].encode() if "text" in value else base64.b64decode(value["base64"])
    assert back == body
    assert shown(line[:-1]) == line[:-1]


def test_what_orjson_refuses_is_written_all_the_same() -> None:
    assert jsonl.dumped({"a": "\ud800", "n": 1 << 70}) == (
        b'{"a":"\\ud800","n":1180591620717411303424}\n'
    )
    assert jsonl.dumped({"a": "é\x9b"}) == '{"a":"é\\u009b"}\n'.encode()
