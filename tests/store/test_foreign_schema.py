"""A file that says it is a recording and brings a schema of its own is refused, and not run."""

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tapproxy_store.errors import DamagedRecording, NotARecording
from tapproxy_store.journal_reading import open_journal
from tapproxy_store.own_schema import TABLES
from tapproxy_store.reading import open_recording
from tapproxy_store.recording import create_or_open
from tapproxy_store.schema import newest_version
from tapproxy_store.views import VIEWS
from tests.store.made import write

FIXTURES = Path(__file__).parents[2] / "fixtures/recordings"

ENDLESS = """CREATE VIEW {} AS
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


@pytest.mark.parametrize("version", [0, 1, newest_version()])
@pytest.mark.parametrize("table", TABLES)
def test_an_endless_view_in_the_place_of_a_table_is_not_asked(
    path: str, table: str, version: int
) -> None:
    change_schema(
        path,
        *[f"DROP VIEW {view}" for view in VIEWS],
        f"ALTER TABLE {table} RENAME TO hidden",
        ENDLESS.format(table),
        f"PRAGMA user_version = {version}",
    )
    for opening in (open_recording, create_or_open):
        with pytest.raises(NotARecording) as refused:
            opening(path)
        assert str(refused.value) in (
            f"{path} says that it is a recording, but its tables are not there",
            f"{path} has its own definition of sessions, not tap's; it is not written to",
        )


def test_a_file_that_has_a_table_of_a_later_version_is_damaged(tmp_path: Path) -> None:
    path = str(shutil.copy(FIXTURES / "v1.tap", tmp_path))
    change_schema(path, "CREATE TABLE messages (mine)")
    for opening in (open_recording, create_or_open):
        with pytest.raises(DamagedRecording, match="table messages already exists"):
            opening(path)


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
