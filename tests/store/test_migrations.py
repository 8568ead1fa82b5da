"""Recordings of older and of newer taps."""

import hashlib
import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tapproxy_store import guarding, schema
from tapproxy_store.errors import NewerSchema
from tapproxy_store.reading import open_recording
from tapproxy_store.recording import create_or_open
from tapproxy_store.records import Told
from tapproxy_store.tape import tape_lines
from tests.store.made import (
    ANSWER,
    DECODED,
    FRAMES,
    RECORDS,
    SPOKEN,
    TOLD,
    TOTALS,
    add,
    query,
    session,
    write,
)
from tests.store.nobody import as_nobody

FIXTURES = Path(__file__).parents[2] / "fixtures/recordings"
RELEASED = sorted(FIXTURES.glob("*.tap"))

NEXT_STEP = schema.Step("3 notes", ("ALTER TABLE sessions ADD COLUMN remark TEXT DEFAULT 'none'",))


@pytest.fixture
def _newer_tap(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let this tap know one step more than those who wrote the recordings."""
    monkeypatch.setattr(schema, "STEPS", (*schema.STEPS, NEXT_STEP))


def test_there_is_a_recording_of_every_released_schema() -> None:
    assert [path.name for path in RELEASED] == [f"v{n + 1}.tap" for n in range(len(schema.STEPS))]


@pytest.mark.parametrize("path", RELEASED, ids=lambda path: path.name)
def test_a_recording_of_every_released_schema_opens(path: Path, tmp_path: Path) -> None:
    copy = str(shutil.copy(path, tmp_path))
    with open_recording(copy) as recording:
        lines = b"".join(tape_lines(recording))
    assert lines == path.with_suffix(".tape").read_bytes()


@pytest.mark.usefixtures("_newer_tap")
def test_an_older_recording_is_brought_forward_where_it_stands(tmp_path: Path) -> None:
    path = str(shutil.copy(FIXTURES / "v1.tap", tmp_path))
    with open_recording(path) as recording:
        assert list(recording.records(1))
    assert query(path, "PRAGMA user_version") == [(len(schema.STEPS),)]
    assert query(path, "SELECT remark FROM sessions") == [("none",)]
    assert query(path, "SELECT count(*) FROM timeline") == [(8,)]
    assert os.listdir(tmp_path) == ["v1.tap"]


def test_a_recording_from_before_messages_has_none_until_it_is_indexed(tmp_path: Path) -> None:
    path = str(shutil.copy(FIXTURES / "v1.tap", tmp_path))
    with open_recording(path) as recording:
        assert recording.session() == session()
        assert list(recording.entries(1)) == [
            RECORDS[0],
            *[Told(frame, ()) for frame in FRAMES],
            *RECORDS[-2:],
        ]
        assert recording.counts(1).bytes == {"in": 18, "out": 28, "err": 18}
    assert query(path, "PRAGMA user_version") == [(len(schema.STEPS),)]
    assert query(path, "SELECT count(*) FROM exchanges") == [(0,)]


def test_a_recording_of_version_2_has_its_messages(tmp_path: Path) -> None:
    path = str(shutil.copy(FIXTURES / "v2.tap", tmp_path))
    with open_recording(path) as recording:
        assert recording.session() == SPOKEN
        assert list(recording.entries(1)) == [RECORDS[0], *TOLD, *RECORDS[-2:]]
        assert recording.decoded(ANSWER) == DECODED
    assert set(query(path, "SELECT * FROM totals")) == set(TOTALS)


def test_an_older_live_recording_is_left_to_its_ingester(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = str(tmp_path / "live.tap")
    with create_or_open(path) as writer:
        add(writer, RECORDS, FRAMES, [session(live=True)])
        monkeypatch.setattr(schema, "STEPS", (*schema.STEPS, NEXT_STEP))
        with open_recording(path) as recording:
            assert list(recording.records(1)) == list(RECORDS)
    assert query(path, "PRAGMA user_version") == [(len(schema.STEPS) - 1,)]


@pytest.mark.usefixtures("_newer_tap")
def test_an_older_recording_that_somebody_writes_is_read_from_a_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guarding, "BUSY_S", 0)
    path = str(shutil.copy(FIXTURES / "v1.tap", tmp_path))
    with closing(sqlite3.connect(path, isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        with open_recording(path) as recording:
            assert list(recording.records(1)) == list(RECORDS)
    assert query(path, "PRAGMA user_version") == [(1,)]


@pytest.mark.usefixtures("_newer_tap")
def test_an_older_recording_is_brought_forward_before_it_is_written(tmp_path: Path) -> None:
    path = str(shutil.copy(FIXTURES / "v1.tap", tmp_path))
    create_or_open(path).close()
    assert query(path, "PRAGMA user_version") == [(len(schema.STEPS),)]


@pytest.mark.usefixtures("_newer_tap")
def test_an_older_recording_that_cannot_be_written_is_read_from_a_copy(open_folder: Path) -> None:
    path = str(shutil.copy(FIXTURES / "v1.tap", open_folder))
    os.chmod(path, 0o444)
    open_folder.chmod(0o555)
    before = hashlib.sha256(Path(path).read_bytes()).digest()
    assert as_nobody(lambda: read_all(path)) == repr(list(RECORDS))
    assert hashlib.sha256(Path(path).read_bytes()).digest() == before


def test_a_newer_recording_is_refused_and_both_versions_are_named(tmp_path: Path) -> None:
    path = write(str(tmp_path / "a.tap"))
    query(path, "PRAGMA user_version = 99")
    words = (
        f"{path} has schema version 99, and this tap knows versions up to {len(schema.STEPS)}; "
        "install a newer tap (pip install --upgrade tapproxy)"
    )
    for opening in (open_recording, create_or_open):
        with pytest.raises(NewerSchema) as caught:
            opening(path)
        assert str(caught.value) == words


def read_all(path: str) -> str:
    with open_recording(path) as recording:
        return repr(list(recording.records(1)))
