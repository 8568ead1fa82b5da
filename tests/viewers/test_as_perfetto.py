"""A recording as a trace: every span has both its ends, and times that go forward."""

import json
from pathlib import Path
from typing import Any

import pytest

from tapproxy_store.pages import Selection
from tapproxy_store.reading import open_recording
from tapproxy_viewers import spans
from tapproxy_viewers.as_perfetto import perfetto_trace
from tests.viewers.made import MS, SECOND, event, record, session
from tests.viewers.spoken import record_small

Json = dict[str, Any]


def traced(path: str, selection: Selection | None = None) -> list[Json]:
    with open_recording(path) as recording:
        whole = None if selection is None else lambda it: recording.entries(it, selection)
        text = b"".join(perfetto_trace(recording, whole))
    trace = json.loads(text)
    assert trace | {"traceEvents": []} == {
        "displayTimeUnit": "ms",
        "otherData": {"recording": "a"},
        "traceEvents": [],
    }
    events: list[Json] = trace["traceEvents"]
    return events


def untimed(events: list[Json]) -> list[Json]:
    return [it for it in events if it["ph"] == "M"]


def placed(ph: str, ts: float, name: str, tid: int = 10, **other: Any) -> Json:
    return {"ph": ph, "ts": ts, "name": name, "pid": 1, "tid": tid} | other


def exchange(ph: str, ts: float, name: str, number: int, args: Json) -> Json:
    return placed(ph, ts, name, cat="exchange", id=f"1.{number}.0", args=args)


def counted(ts: float, name: str, tid: int, count: int) -> Json:
    return placed("C", ts, name, tid, args={"bytes": count})


WAITING = "plugin is not reading stdin: 65.5 kB waiting"
NAMES = [
    ("process_name", 10, {"name": "server.py"}),
    ("process_labels", 10, {"labels": "./server.py --greet 'hello you'"}),
    ("thread_name", 10, {"name": "host to plugin"}),
    ("thread_name", 11, {"name": "plugin to host"}),
    ("thread_name", 12, {"name": "plugin's stderr"}),
]


def test_exchanges_and_stalls_are_spans_and_all_else_is_instants(tmp_path: Path) -> None:
    record_small(str(tmp_path / "a.tap"))
    search = {"frame": 1, "kind": "request", "id": "1", "summary": 'for="<end>;#" n=1'}
    export = {"frame": 2, "kind": "request", "id": "2", "note": "no answer"}
    found = {
        "answer frame": 5,
        "answer kind": "response",
        "answer id": "1",
        "answer summary": "[]",
        "answer flags": "out-of-order swift-data",
    }
    log = {"frame": 4, "kind": "notification", "summary": "-1"}
    error = {"frame": 7, "kind": "error", "id": "7", "summary": "{}", "flags": "error unmatched"}
    error["note"] = "answers no request"
    again = {"end": "plugin reads stdin again, after 55 ms"}
    stall = {"cat": "stall", "id": "1.stall.in"}
    assert traced(str(tmp_path / "a.tap")) == [
        *({"ph": "M", "name": name, "pid": 1, "tid": tid, "args": it} for name, tid, it in NAMES),
        placed("i", 1000, "plugin started, pid 42", s="g", args={"kind": "spawn", "pid": 42}),
        exchange("b", 2000, "search", 1, search),
        counted(2000, "stdin", 10, 27),
        exchange("b", 3000, "export (no answer)", 2, export),
        counted(3000, "stdin", 10, 54),
        placed("i", 4000, "␛[1mcache; cold", 12, s="t", args=bare(3, "␛[1mcache; cold")),
        counted(4000, "stderr", 12, 16),
        placed("i", 5000, "notification log", 11, s="t", args=log),
        counted(5000, "stdout", 11, 17),
        exchange("e", 9000, "search", 1, found),
        counted(9000, "stdout", 11, 38),
        placed("i", 10_000, "=cmd‹FF›", 11, s="t", args=bare(6, "=cmd‹FF›", note="not JSON")),
        counted(10_000, "stdout", 11, 44),
        placed("b", 2_000_000, WAITING, 10, **stall, args={}),
        placed("e", 2_005_000, WAITING, 10, **stall, args=again),
        placed("i", 3_000_000, "error", 11, s="t", args=error),
        counted(3_000_000, "stdout", 11, 64),
        placed(
            "i", 4_000_000, "plugin exited with code 0", s="g", args={"kind": "exit", "code": 0}
        ),
        exchange("e", 4_000_000, "export (no answer)", 2, {}),
    ]


def bare(frame: int, text: str, **note: str) -> Json:
    return {"frame": frame, "text": text} | note


def spans_of(events: list[Json]) -> list[tuple[str, str, float, float]]:
    """Return id, name, begin and end of each span, in the order of their ends."""
    begun, ended = {}, []
    for it in events:
        if it["ph"] == "b":
            begun[it["id"]] = it
        elif it["ph"] == "e":
            begin = begun.pop(it["id"])
            assert (begin["cat"], begin["name"]) == (it["cat"], it["name"])
            ended.append((it["id"], it["name"], begin["ts"], it["ts"]))
    assert begun == {}
    return ended


def test_a_span_ends_when_its_answer_came_even_where_that_is_not_chosen(tmp_path: Path) -> None:
    record_small(str(tmp_path / "a.tap"))
    events = traced(str(tmp_path / "a.tap"), Selection("m.asks = 1"))
    assert spans_of(events) == [
        ("1.1.0", "search", 2000, 9000),
        ("1.2.0", "export (no answer)", 3000, 4_000_000),
    ]


def test_an_answer_without_its_question_is_an_instant(tmp_path: Path) -> None:
    record_small(str(tmp_path / "a.tap"))
    events = traced(str(tmp_path / "a.tap"), Selection("m.answers = 1"))
    assert [it["name"] for it in events if it["ph"] == "i"] == ["response search"]


def test_of_too_many_open_questions_the_oldest_span_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spans, "MOST_OPEN", 1)
    record_small(str(tmp_path / "a.tap"))
    events = traced(str(tmp_path / "a.tap"))
    assert next(it for it in events if it["ph"] == "e") == exchange("e", 9000, "search", 1, {})
    assert [it["name"] for it in events if it["ph"] == "i"][3] == "response search"
    assert [name for _, name, _, _ in spans_of(events)] == ["search", WAITING, "export (no answer)"]


def test_a_live_session_has_no_answer_yet_and_a_stall_goes_on_to_what_was_last(
    tmp_path: Path,
) -> None:
    path = str(tmp_path / "a.tap")
    record_small(path, duration_ns=None, outcome=None)
    assert ("1.2.0", "export (no answer yet)", 3000, 4_000_000) in spans_of(traced(path))


def test_a_stall_that_does_not_end_goes_on_to_the_end_of_the_session(tmp_path: Path) -> None:
    path = str(tmp_path / "a.tap")
    stall = {"stream": "out", "reader": "host", "size": 9}
    strange = event(3 * MS, "stall", stream="in/out", reader="host", size=9)
    lonely = event(3 * MS, "stall-end", stream="in", reader="plugin", duration_ns=MS)
    record(
        path,
        session(duration_ns=SECOND),
        event(MS, "stall", **stall),
        event(2 * MS, "stall", **stall),
        strange,
        lonely,
    )
    events = traced(path)
    name = "host is not reading stdout: 9 B waiting"
    assert spans_of(events) == [("1.stall.out", name, 1000, 1_000_000)]
    assert [it["name"] for it in events if it["ph"] == "i"] == [
        name,
        "host is not reading in/out: 9 B waiting",
        "plugin reads stdin again, after 1.0 ms",
    ]


def test_a_second_session_is_another_process_that_begins_later(tmp_path: Path) -> None:
    path = str(tmp_path / "a.tap")
    first = session(duration_ns=SECOND)
    record(path, first, ("in", MS, b"a\n"))
    later = session(id=2, started_ns=first.started_ns + 9 * SECOND, duration_ns=SECOND)
    record(path, later, event(1500, "exit", code=0))
    events = traced(path)
    assert events[-1] == placed(
        "i",
        9_000_001.5,
        "plugin exited with code 0",
        20,
        pid=2,
        s="g",
        args={"kind": "exit", "code": 0},
    )
    assert {it["pid"] for it in untimed(events)} == {1, 2}
