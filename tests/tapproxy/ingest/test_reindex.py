"""Frames derived anew: the same ones by the same framing, other ones by another."""

import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from tapproxy.ingest import reindex as reindexing
from tapproxy.ingest.follow import follow
from tapproxy.ingest.reindex import reindex
from tapproxy_store.errors import DamagedRecording, RecordingNotFound
from tests.store.made import query
from tests.tapproxy.ingest.ingesters import check_finished
from tests.tapproxy.ingest.made import Journal, journals, recorded

V1 = Path(__file__).parents[3] / "fixtures" / "recordings" / "v1.tap"


def record(told: Journal, path: str) -> str:
    journal = told.write(path + ".wire")
    descriptor = os.open(journal, os.O_RDONLY)
    follow(descriptor, journal, path)
    os.close(descriptor)
    return path


@settings(max_examples=15, deadline=None)
@given(told=journals())
def test_frames_cut_anew_are_those_that_the_ingester_cut(told: Journal) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = record(told, os.path.join(folder, "a.tap"))
        expected = told.rows()
        assert reindex(path) == len(expected["frames"])
        check_finished(path, expected)


def test_lost_frames_come_back(tmp_path: Path) -> None:
    told = Journal().says("in", b"a\nb").says("in", b"c\nd").ends()
    path = record(told, str(tmp_path / "a.tap"))
    query(path, "delete from frames")
    assert (reindex(path), recorded(path)) == (3, told.rows())


def test_another_framing_cuts_other_frames_and_is_remembered(tmp_path: Path) -> None:
    data = b'Content-Length: 8\r\n\r\n{"a":\n1}'
    told = Journal(framing="lines").says("out", data[:20]).says("out", data[20:]).ends()
    path = record(told, str(tmp_path / "a.tap"))
    before = recorded(path)
    assert reindex(path, "content-length") == 1
    reason = "1 of 1 first frames are JSON objects"
    assert recorded(path) == {
        **before,
        "sessions": [("plugin", "content-length", 4_000_000, "unknown", "jsonl", reason, "[]")],
        "frames": [(1, 1, "out", 0, 29, 1, 2, 2_000_000, 3_000_000, 21, "none", None)],
        "messages": [(1, 1, 0, "object", None, None, 0, "a=1", *[None] * 9)],
        "totals": [(1, "err", 0, 0, 0), (1, "in", 0, 0, 0), (1, "out", 2, 29, 1)],
    }
    assert reindex(path) == 1
    assert reindex(path, "lines") == len(before["frames"])
    assert recorded(path) == before


def rpc(**facts: Any) -> Journal:
    """Tell of a question and its answer, and of three notifications."""
    told = Journal(**facts).says("in", b'{"jsonrpc":"2.0","id":1,"method":"add"}\n')
    told.says("out", b'{"jsonrpc":"2.0","id":1,"result":3}\n')
    return told.says("out", b'{"jsonrpc":"2.0","method":"tick"}\n' * 3).ends()


def dialect_of(path: str) -> tuple[Any, ...]:
    return query(path, "select dialect, dialect_reason from sessions")[0]


def test_another_dialect_reads_other_messages_and_is_remembered(tmp_path: Path) -> None:
    path = record(rpc(), str(tmp_path / "a.tap"))
    before = recorded(path)
    assert reindex(path, dialect="raw") == 5
    assert (dialect_of(path), recorded(path)["messages"]) == (("raw", "asked for"), [])
    reindex(path)
    assert dialect_of(path) == ("raw", "asked for")
    reindex(path, dialect="jsonrpc")
    assert dialect_of(path) == ("jsonrpc", "asked for")
    assert recorded(path)["messages"] == before["messages"]


def test_a_dialect_asked_for_when_it_was_recorded_stays(tmp_path: Path) -> None:
    path = record(rpc(dialect="raw"), str(tmp_path / "a.tap"))
    reindex(path)
    assert (dialect_of(path), recorded(path)["messages"]) == (("raw", "asked for"), [])


def test_messages_that_are_too_many_for_one_batch_are_all_read_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reindexing, "BATCH", 2)
    told = rpc()
    path = record(told, str(tmp_path / "a.tap"))
    query(path, "delete from messages")
    assert (reindex(path), recorded(path)) == (5, told.rows())


def test_a_recording_of_the_first_schema_gets_messages(tmp_path: Path) -> None:
    path = str(tmp_path / "v1.tap")
    shutil.copyfile(V1, path)
    assert reindex(path) == 5
    assert dialect_of(path) == ("jsonl", "3 of 4 first frames are JSON objects")
    assert [(it[1], it[3]) for it in recorded(path)["messages"]] == [
        (1, "object"), (2, "object"), (4, "object"), (5, "unknown"),
    ]  # fmt: skip


def test_an_unknown_framing_in_the_file_is_named_and_changes_nothing(tmp_path: Path) -> None:
    path = record(Journal().says("in", b"a\n").ends(), str(tmp_path / "a.tap"))
    query(path, "update sessions set framing = 'linen'")
    before = recorded(path)
    with pytest.raises(DamagedRecording) as caught:
        reindex(path)
    assert str(caught.value) == (
        f"{path} says that its framing is 'linen', which this tap does not know; "
        "name another with --framing"
    )
    assert recorded(path) == before
    assert reindex(path, "lines") == 1


def test_what_is_not_there_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(RecordingNotFound):
        reindex(str(tmp_path / "none.tap"))
    assert os.listdir(tmp_path) == []
