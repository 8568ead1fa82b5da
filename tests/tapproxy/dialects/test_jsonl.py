"""JSON of any other kind."""

import pytest

from tapproxy.dialects.api import Heard, Meaning
from tapproxy.dialects.jsonl import JSONL
from tests.tapproxy.dialects.heard import FIXTURES, heard_of, meanings_of


def meaning(body: bytes) -> Meaning:
    """Return what the first frame of a session says."""
    (one,) = JSONL.begin([]).read(Heard("out", body))
    return one


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b'{"type":"turn","n":1}', Meaning("turn", summary="n=1")),
        (b'{"n":1,"kind":"tick"}', Meaning("tick", summary="n=1")),
        (b'{"action":"stop"}', Meaning("stop")),
        (b'{"level":"info","msg":"up"}', Meaning("info", summary='msg="up"')),
        (b'{"level":"FATAL","msg":"x"}', Meaning("FATAL", summary='msg="x"', flags=("error",))),
        (b'{"level":30,"msg":"x"}', Meaning("object", summary='level=30 msg="x"')),
        (b'{"event":"' + b"x" * 33 + b'"}', Meaning("object", summary=f'event="{"x" * 33}"')),
        (b"{}", Meaning("object")),
        (b"[1,2]", Meaning("list", summary="[1, 2]")),
        (b'"ready"', Meaning("string", summary='"ready"')),
        (b"1.5", Meaning("number", summary="1.5")),
        (b"false", Meaning("boolean", summary="false")),
        (b"null", Meaning("null", summary="null")),
    ],
)
def test_a_value_is_named_by_what_tells_its_kind(body: bytes, said: Meaning) -> None:
    assert meaning(body) == said


def test_objects_with_id_and_method_are_paired_as_requests_and_answers() -> None:
    assert meaning(b'{"method":"thread/start","id":3,"params":{"cwd":"."}}') == Meaning(
        "request", "thread/start", 'cwd="."', id="3", asks="3"
    )
    assert meaning(b'{"id":3,"result":{"ok":true}}') == Meaning(
        "response", None, "ok=true", id="3", replies="3"
    )
    assert meaning(b'{"id":3,"error":"no"}') == Meaning(
        "error", None, '"no"', id="3", replies="3", flags=("error",)
    )
    assert meaning(b'{"method":"turn/started","params":{}}') == Meaning(
        "notification", "turn/started"
    )


def test_a_method_without_id_and_params_is_only_a_member() -> None:
    assert meaning(b'{"method":"GET","level":"info"}') == Meaning("info", summary='method="GET"')


def test_packets_with_seq_are_paired_by_request_seq() -> None:
    assert meaning(b'{"seq":4,"type":"request","command":"open"}') == Meaning(
        "request", "open", id="4", asks="4"
    )
    body = b'{"seq":0,"type":"response","command":"open","request_seq":4,"success":true}'
    assert meaning(body) == Meaning("response", "open", id="0", replies="4")


def test_a_line_that_is_no_json_stays_visible_with_a_reason() -> None:
    assert meaning(b"Listening...") == Meaning("unknown", flags=("not-json",), note="not JSON")


def test_a_session_is_recognised_by_its_first_json_object() -> None:
    frames = [Heard("out", b"starting"), Heard("out", b'{"a":1}')]
    assert JSONL.recognise([], frames) == "1 of 2 first frames are JSON objects"
    assert JSONL.recognise([], [Heard("out", b"1"), Heard("out", b"[]")]) is None


def test_a_real_session_is_understood_from_its_first_to_its_last_frame() -> None:
    heard = heard_of(FIXTURES / "dialects" / "jsonl" / "tool.tape")
    said = [(side, it.kind, it.method, it.summary) for side, it in meanings_of(JSONL, heard)]
    assert said == [
        ("in", "scan", None, 'path="src"'),
        ("out", "info", None, 'msg="indexer 0.3 starts" workers=2'),
        ("out", "progress", None, 'path="src" done=1 of=2'),
        ("out", "progress", None, 'path="src" done=2 of=2'),
        ("out", "error", None, 'msg="cannot read src/köln.txt" errno=13'),
        ("out", "scanned", None, 'path="src" took_ms=12 files=["a.py", "b.py"]'),
        ("in", "request", "count", 'glob="*.py"'),
        ("out", "response", None, "files=2"),
        ("in", "request", "forget", ""),
        ("out", "error", None, '"no such method: forget"'),
        ("in", "request", "open", 'file="a.py"'),
        ("out", "event", "busy", 'file="a.py"'),
        ("out", "response", "open", ""),
        ("in", "list", None, '["ping"]'),
        ("out", "unknown", None, ""),
        ("out", "list", None, '["pong"]'),
    ]
