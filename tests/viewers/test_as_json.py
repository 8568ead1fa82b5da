"""A recording as one JSON document: what the JSON lines have, in one value."""

import json
from pathlib import Path
from typing import Any

from tapproxy_store.pages import Selection
from tapproxy_store.reading import open_recording
from tapproxy_store.recording import create_or_open
from tapproxy_viewers import jsonl
from tapproxy_viewers.as_json import json_document
from tests.viewers.made import record, session
from tests.viewers.spoken import record_small


def test_the_document_holds_the_objects_of_the_lines_session_by_session(tmp_path: Path) -> None:
    path = str(tmp_path / "a.tap")
    record_small(path)
    record(path, session(id=2, started_ns=2, started_mono_ns=2))
    with open_recording(path) as recording:
        document = b"".join(json_document(recording))
        lines = [json.loads(line) for line in jsonl.lines(recording)]
    second = next(at for at, line in enumerate(lines) if line.get("session") == 2)
    assert json.loads(document) == {
        "recording": "a",
        "sessions": [
            lines[0] | {"entries": lines[1:second]},
            lines[second] | {"entries": []},
        ],
    }


def test_only_what_is_chosen_is_in_the_document(tmp_path: Path) -> None:
    path = str(tmp_path / "a.tap")
    record_small(path)
    with open_recording(path) as recording:
        fifth = Selection("f.number = ?", (5,))
        pieces = json_document(recording, lambda one: recording.entries(one, fifth))
        document = b"".join(pieces)
    entries: list[dict[str, Any]] = json.loads(document)["sessions"][0]["entries"]
    assert [entry["number"] for entry in entries] == [5]


def test_a_recording_without_a_session_is_a_document_too(tmp_path: Path) -> None:
    path = str(tmp_path / "a.tap")
    with create_or_open(path) as writer:
        writer.finish()
    with open_recording(path) as recording:
        assert b"".join(json_document(recording)) == b'{"recording":"a","sessions":[\n]}\n'
