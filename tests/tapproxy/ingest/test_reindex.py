"""Frames derived anew: the same ones by the same framing, other ones by another."""

import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings

from tapproxy.ingest.follow import follow
from tapproxy.ingest.reindex import reindex
from tapproxy_store.errors import DamagedRecording, RecordingNotFound
from tests.store.made import query
from tests.tapproxy.ingest.ingesters import check_finished
from tests.tapproxy.ingest.made import Journal, journals, recorded


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
    data = b"Content-Length: 4\r\n\r\na\nb\n"
    told = Journal(framing="lines").says("out", data[:20]).says("out", data[20:]).ends()
    path = record(told, str(tmp_path / "a.tap"))
    before = recorded(path)
    assert reindex(path, "content-length") == 1
    row = (1, 1, "out", 0, 25, 1, 2, 2_000_000, 3_000_000, 21, "none", None)
    session = ("plugin", "content-length", 4_000_000, "unknown")
    assert recorded(path) == {**before, "sessions": [session], "frames": [row]}
    assert reindex(path) == 1


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
