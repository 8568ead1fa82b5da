"""A recording as lines of JSON: whole, ordered, and valid whatever it holds."""

import base64
import json
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tapproxy_store.reading import open_recording
from tapproxy_store.records import Frame
from tapproxy_viewers import jsonl
from tapproxy_viewers.visible import shown
from tests.viewers.made import MS, event, record, session

FRAME = Frame(1, 2, "out", 10, 20, 3, 3, 5, 6, 0, "LF", None)


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
