"""What a stranger's file claims is held against what it has, before memory is taken for it."""

import io
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tapproxy_store import guarding, line_reading, payloads
from tapproxy_store.bounds import Extent, size_of
from tapproxy_store.companions import check_companions
from tapproxy_store.errors import BadTape, DamagedRecording, NotARecording
from tapproxy_store.guarding import bound_values, connect
from tapproxy_store.json_shape import DEEPEST, MOST_VALUES, flaw_of
from tapproxy_store.line_reading import lines_of
from tapproxy_store.reading import open_recording
from tapproxy_store.recording import create_or_open
from tapproxy_store.records import Told
from tapproxy_store.sqlite_errors import BentRow
from tests.store.made import query, write, write_spoken


@pytest.fixture
def path(tmp_path: Path) -> str:
    """Make a recording that has everything."""
    return write_spoken(str(tmp_path / "a.tap"))


def test_what_is_read_on_one_way_is_no_more_than_the_file_which_may_grow(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(bytes(10))
    passed = Extent(str(file)).pass_through()
    passed.add(10)
    Path(f"{file}-wal").write_bytes(bytes(5))
    passed.add(5)
    assert size_of(str(file)) == 15
    with pytest.raises(BentRow, match="more bytes than the file has"):
        passed.add(1)


def test_frames_that_claim_more_than_the_file_has_are_damage(path: str) -> None:
    query(path, "UPDATE frames SET end_offset = 100000000")
    with open_recording(path) as recording, pytest.raises(DamagedRecording) as damaged:
        list(recording.entries(1))
    assert str(damaged.value) == (
        f"{path} is damaged (it says that it holds more bytes than the file has); what comes "
        "before the damage can be read, and `tap export --to tape` saves it"
    )


def test_frames_that_have_all_chunks_read_for_nothing_are_damage(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(payloads, "MOST_IDLE", 3)
    query(path, "UPDATE frames SET start_offset = 1000, end_offset = 1010, first_chunk = 1")
    with open_recording(path) as recording:
        frames = [it.frame for it in recording.entries(1) if isinstance(it, Told)]
        with pytest.raises(DamagedRecording, match="not in the chunks"):
            list(map(recording.payload, frames * 9))


def test_a_value_larger_than_the_file_is_refused_before_memory_is_taken(path: str) -> None:
    with closing(connect(path)) as connection:
        bound_values(connection, path)
        with pytest.raises(sqlite3.DataError, match="too big"):
            connection.execute("SELECT zeroblob(100000000)").fetchone()


def test_a_query_without_end_is_interrupted(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guarding, "FREE_STEPS", 1_000_000)
    query(path, "CREATE TABLE numbers AS SELECT value FROM json_each('[1,2,3,4,5,6,7,8,9]')")
    endless = "SELECT count(*) FROM " + ", ".join(f"numbers AS n{at}" for at in range(12))
    with closing(connect(path)) as connection:
        for _ in range(2):
            with pytest.raises(sqlite3.OperationalError, match="interrupted"):
                connection.execute(endless).fetchone()
        assert connection.execute("SELECT 1").fetchone() == (1,)


def test_sqlite_s_own_defences_are_on_where_python_offers_them(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    switched: dict[int, bool] = {}
    for number, name in enumerate(("ENABLE_TRIGGER", "DEFENSIVE")):
        monkeypatch.setattr(sqlite3, f"SQLITE_DBCONFIG_{name}", number, raising=False)

    def setconfig(_: object, number: int, value: bool) -> None:  # noqa: FBT001  as in sqlite3
        switched[number] = value

    monkeypatch.setattr(guarding.Guarded, "setconfig", setconfig, raising=False)
    connect(path).close()
    assert switched == {0: False, 1: True}
    connect(path, repairs=True).close()
    assert switched == {0: False, 1: False}


def test_no_view_is_read_nothing_attached_and_no_trigger_made(path: str) -> None:
    statements = (
        "SELECT * FROM timeline",
        "ATTACH ':memory:' AS other",
        "CREATE TRIGGER mine AFTER DELETE ON frames BEGIN DELETE FROM chunks; END",
    )
    with closing(connect(path)) as connection:
        for statement in statements:
            with pytest.raises(sqlite3.DatabaseError, match=r"prohibited|not authorized"):
                connection.execute(statement)


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE INDEX mine ON frames (length(zeroblob(1000)))",
        "CREATE UNIQUE INDEX mine ON messages (kind)",
        "ALTER TABLE chunks ADD COLUMN more TEXT DEFAULT 'x'",
    ],
)
def test_a_file_whose_tables_are_not_tap_s_is_read_and_not_written_to(
    path: str, statement: str
) -> None:
    query(path, "DELETE FROM messages WHERE frame <> 1")
    query(path, statement)
    with pytest.raises(NotARecording, match=r"definition of (mine|chunks), not tap's"):
        create_or_open(path)
    with open_recording(path) as recording:
        assert recording.counts(1).chunks == 4


def test_an_index_and_a_view_of_the_user_s_on_other_tables_are_let_be(path: str) -> None:
    query(path, "CREATE TABLE notes (text)")
    query(path, "CREATE INDEX by_text ON notes (text)")
    query(path, "CREATE VIEW mine AS SELECT * FROM frames")
    create_or_open(path).close()


def test_a_view_of_the_user_s_stays_when_an_older_recording_is_brought_forward(
    tmp_path: Path,
) -> None:
    source = Path(__file__).parents[2] / "fixtures/recordings/v1.tap"
    path = str(shutil.copy(source, tmp_path))
    query(path, "CREATE VIEW mine AS SELECT count(*) FROM frames")
    with open_recording(path) as recording:
        assert recording.counts(1).chunks == 4
    assert query(path, "PRAGMA user_version") == [(2,)]
    assert query(path, "SELECT * FROM mine") == [(5,)]


def test_a_column_that_is_computed_is_none_of_ours(path: str) -> None:
    query(path, "DROP TABLE totals")
    made = "CREATE TABLE totals (session, stream, chunks, bytes, frames AS (zeroblob(1000000000)))"
    query(path, made)
    with pytest.raises(NotARecording, match="its tables are not there"):
        open_recording(path)


def test_links_beside_a_recording_are_told(tmp_path: Path) -> None:
    path = write(str(tmp_path / "a.tap"))
    check_companions(path)
    Path(f"{path}-wal").symlink_to("/dev/zero")
    with pytest.raises(NotARecording) as refused:
        open_recording(path)
    assert str(refused.value) == (f"{path}-wal is a link, and no part of a recording: move it away")


def test_json_is_looked_at_before_it_is_read() -> None:
    assert flaw_of("[" * DEEPEST + "]" * DEEPEST) is None
    assert flaw_of("[" * (DEEPEST + 1) + "]" * (DEEPEST + 1)) == "brackets are nested too deep"
    assert flaw_of("[" + "[]," * DEEPEST + "[]]") is None
    assert flaw_of('["' + "[" * 1000 + '\\"' + "[" * 1000 + '"]') is None
    assert flaw_of("[" + "0," * MOST_VALUES + "0,0]") == "it has more than 200,000 values"
    assert flaw_of('["' + "," * (2 * MOST_VALUES) + '"]') is None
    assert flaw_of('"' + "[" * 1000) == "brackets are nested too deep"


def test_a_line_is_not_longer_than_any_that_tap_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_reading, "LONGEST_LINE", 4)
    assert list(lines_of(io.BytesIO(b"abc\n\nabcd"), "x")) == [b"abc\n", b"\n", b"abcd"]
    with pytest.raises(BadTape, match=r"^x:2:1: this line is longer than 0 MiB"):
        list(lines_of(io.BytesIO(b"abc\nabcde"), "x"))
