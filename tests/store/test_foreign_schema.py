"""A file that says it is a recording and brings a schema of its own is refused, and not run."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tapproxy_store.errors import NotARecording
from tapproxy_store.journal_reading import open_journal
from tapproxy_store.reading import open_recording
from tapproxy_store.recording import create_or_open
from tests.store.made import write

ENDLESS = """CREATE VIEW sessions AS
    WITH RECURSIVE more (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM more) SELECT n FROM more"""


@pytest.fixture
def path(tmp_path: Path) -> str:
    """Make a small recording."""
    return write(str(tmp_path / "a.tap"))


def change_schema(path: str, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()


def test_an_endless_view_in_the_place_of_a_table_is_not_asked(path: str) -> None:
    change_schema(path, "ALTER TABLE sessions RENAME TO hidden", ENDLESS)
    with pytest.raises(NotARecording) as refused:
        open_recording(path)
    assert str(refused.value) == f"{path} says that it is a recording, but its tables are not there"


def test_triggers_of_the_file_are_not_set_off_by_writing(path: str) -> None:
    change_schema(path, "CREATE TRIGGER bad AFTER DELETE ON frames BEGIN DELETE FROM chunks; END")
    with pytest.raises(NotARecording) as refused:
        create_or_open(path)
    expected = f"{path} has triggers, which no recording has; it is not written to"
    assert str(refused.value) == expected
    with open_recording(path) as recording:
        assert recording.counts(1).chunks > 0


def test_a_pipe_or_a_folder_beside_a_recording_is_no_journal(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.tap.wire")
    (tmp_path / "b.tap.wire").mkdir()
    assert open_journal(str(tmp_path / "a.tap")) is None
    assert open_journal(str(tmp_path / "b.tap")) is None
    assert open_journal(str(tmp_path / "c.tap")) is None
