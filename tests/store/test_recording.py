"""Writing a recording: who may read it, who may write it at once, what is left at the end."""

import os
import shlex
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from tapproxy_store import creating, guarding
from tapproxy_store.errors import CannotWrite, DamagedRecording, NotARecording
from tapproxy_store.reading import open_recording
from tapproxy_store.recording import command_line, create_or_open
from tapproxy_store.records import ASKED_FOR, Chunk, Frame, Told
from tests.store.made import (
    FRAMES,
    MESSAGES,
    RECORDS,
    RUBBISH,
    TOLD,
    add,
    message_row,
    query,
    session,
    write,
    write_spoken,
)
from tests.store.nobody import as_nobody, in_child

NO_BASE64 = {"base64": "not base64"}


@pytest.fixture(params=[0o000, 0o022, 0o777])
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


@pytest.mark.usefixtures("umask")
def test_a_recording_is_for_its_owner_alone_and_so_is_its_folder(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "a.tap"
    with create_or_open(str(path)) as writer:
        add(writer, RECORDS, FRAMES, [session()])
        modes = {it.name: oct(it.stat().st_mode & 0o777) for it in path.parent.iterdir()}
    assert modes == {"a.tap": "0o600", "a.tap-wal": "0o600", "a.tap-shm": "0o600"}
    assert [oct(it.stat().st_mode & 0o077) for it in path.parents[:2]] == ["0o0", "0o0"]


def test_a_folder_that_is_there_keeps_its_permissions(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    write(str(tmp_path / "a.tap"))
    assert oct(tmp_path.stat().st_mode & 0o777) == "0o755"


def test_a_finished_recording_is_one_file(tmp_path: Path) -> None:
    write(str(tmp_path / "a.tap"))
    assert os.listdir(tmp_path) == ["a.tap"]


def test_a_recording_that_somebody_reads_stays_readable_and_is_folded_later(tmp_path: Path) -> None:
    path = str(tmp_path / "a.tap")
    with create_or_open(path) as writer:
        add(writer, RECORDS, FRAMES, [session()])
        with open_recording(path) as reader:
            assert writer.finish() is False
            assert list(reader.records(1)) == list(RECORDS)
    with create_or_open(path) as writer:
        assert writer.finish() is True
    assert os.listdir(tmp_path) == ["a.tap"]


def test_who_reads_a_recording_and_ends_soon_is_waited_for(tmp_path: Path) -> None:
    path = str(tmp_path / "a.tap")
    with create_or_open(path) as writer:
        add(writer, RECORDS, FRAMES, [session()])
        reader = sqlite3.connect(path, check_same_thread=False)
        reader.execute("SELECT count(*) FROM sessions").fetchone()
        soon = threading.Timer(0.05, reader.close)
        soon.start()
        assert writer.finish() is True
        soon.join()
    assert os.listdir(tmp_path) == ["a.tap"]


def test_rows_that_are_there_already_stay_as_they_are(tmp_path: Path) -> None:
    path = write(str(tmp_path / "a.tap"))
    with create_or_open(path) as writer:
        add(writer, RECORDS, FRAMES, [session()])
        add(writer, [Chunk(2, 1, "out", 0, 0, b"other")])
    with open_recording(path) as recording:
        assert list(recording.records(1)) == list(RECORDS)


def test_what_is_not_committed_is_not_there(tmp_path: Path) -> None:
    path = write(str(tmp_path / "a.tap"))
    with create_or_open(path) as writer:
        writer.begin()
        writer.insert([Chunk(8, 1, "in", 0, 18, b"late")])
    with open_recording(path) as recording:
        assert recording.counts(1).chunks == 4


def test_a_failing_statement_rolls_the_transaction_back(tmp_path: Path) -> None:
    path = write(str(tmp_path / "a.tap"))

    def frames_of_a_damaged_file() -> Iterator[Frame]:
        yield FRAMES[0]
        raise DamagedRecording("half way")

    with create_or_open(path) as writer:
        writer.begin()
        writer.remove_derived(1)
        with pytest.raises(DamagedRecording, match="half way"):
            writer.insert((), (), frames_of_a_damaged_file())
        writer.begin()
        writer.commit()
    with open_recording(path) as recording:
        assert recording.counts(1).frames == {"in": 2, "out": 2, "err": 1}


def test_what_is_derived_can_be_replaced(tmp_path: Path) -> None:
    path = write_spoken(str(tmp_path / "a.tap"))
    with create_or_open(path) as writer:
        writer.begin()
        writer.remove_derived(1)
        writer.insert((), (), FRAMES[:1], [message_row(RUBBISH._replace(frame=1))])
        writer.set_framing(1, "raw")
        writer.set_dialect(1, "jsonl", "each line is JSON", ["terse"])
        writer.commit()
    with open_recording(path) as recording:
        assert list(recording.entries(1))[1:2] == [Told(FRAMES[0], (RUBBISH._replace(frame=1),))]
        assert recording.counts(1).frames == {"in": 1, "out": 0, "err": 0}
        assert recording.session() == replace(
            session(),
            framing="raw",
            dialect="jsonl",
            dialect_reason="each line is JSON",
            traits=("terse",),
        )
        assert list(recording.records(1)) == list(RECORDS)


def test_what_is_derived_of_one_session_is_not_that_of_another(tmp_path: Path) -> None:
    path = str(tmp_path / "a.tap")
    sessions = [session(1), session(2)]
    frames = [frame._replace(session=number) for number in (1, 2) for frame in FRAMES]
    messages = [it._replace(session=number) for number in (1, 2) for it in MESSAGES]
    write(path, RECORDS, frames, sessions, messages)
    with create_or_open(path) as writer:
        writer.begin()
        writer.remove_derived(1)
        writer.commit()
    with open_recording(path) as recording:
        assert [recording.last_number(number) for number in (1, 2)] == [0, 5]
        assert [it for it in recording.entries(2) if isinstance(it, Told)] == [
            Told(frame._replace(session=2), tuple(it._replace(session=2) for it in messages))
            for frame, messages in TOLD
        ]


@pytest.mark.parametrize(
    ("reason", "asked"), [(ASKED_FOR, "lsp"), ("the first header", None), (None, None)]
)
def test_a_dialect_was_asked_for_only_where_its_reason_says_so(
    reason: str | None, asked: str | None
) -> None:
    assert replace(session(), dialect="lsp", dialect_reason=reason).asked_dialect == asked


CREATOR = """
import sys
from tests.store.made import FRAMES, RECORDS, add, query, session
from tapproxy_store.recording import create_or_open
sys.stdin.readline()
with create_or_open(sys.argv[1]) as writer:
    add(writer, RECORDS, FRAMES, [session()])
    writer.finish()
"""


def test_processes_that_create_a_recording_at_once_make_one_good_one(tmp_path: Path) -> None:
    for round_number in range(4):
        path = str(tmp_path / f"{round_number}.tap")
        command = [sys.executable, "-c", CREATOR, path]
        creators = [
            subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE)
            for _ in range(3)
        ]
        for creator in creators:
            assert creator.stdin is not None
            creator.stdin.write(b"go\n")
            creator.stdin.flush()
        complaints = [creator.communicate(timeout=60)[1] for creator in creators]
        assert complaints == [b"", b"", b""]
        with open_recording(path) as recording:
            assert list(recording.records(1)) == list(RECORDS)
        assert query(path, "PRAGMA integrity_check") == [("ok",)]


def test_a_reader_in_mid_read_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(str(tmp_path / "a.tap"))
    with closing(sqlite3.connect(path, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM chunks").fetchall()
        monkeypatch.setattr(guarding, "BUSY_S", 0)
        monkeypatch.setattr(time, "sleep", lambda _: reader.execute("COMMIT"))
        with create_or_open(path) as writer:
            add(writer, [Chunk(8, 1, "in", 0, 18, b"more")])
    assert query(path, "SELECT count(*) FROM chunks") == [(5,)]


def test_a_reader_who_never_ends_is_one_clear_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(str(tmp_path / "a.tap"))
    for module in (guarding, creating):
        monkeypatch.setattr(module, "BUSY_S", 0)
    with closing(sqlite3.connect(path, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM chunks").fetchall()
        with pytest.raises(CannotWrite) as caught:
            create_or_open(path)
    assert str(caught.value) == (
        f"cannot write {path}: another program holds it: try again, or close that program"
    )


def test_the_wal_of_a_recording_that_was_deleted_is_not_replayed(tmp_path: Path) -> None:
    path = tmp_path / "a.tap"
    with create_or_open(str(path)) as writer:
        add(writer, RECORDS, FRAMES, [session()])
        wal = Path(f"{path}-wal").read_bytes()
    path.unlink()
    Path(f"{path}-wal").write_bytes(wal)
    with create_or_open(str(path)) as writer:
        add(writer, [], [], [session()])
    with open_recording(str(path)) as recording:
        assert list(recording.records(1)) == []


def test_what_is_no_recording_is_not_written_to(tmp_path: Path) -> None:
    text, foreign = tmp_path / "text", tmp_path / "foreign"
    text.write_text("hello\n")
    query(str(foreign), "CREATE TABLE mine (a)")
    for path in (text, foreign, tmp_path):
        with pytest.raises(NotARecording, match=path.name):
            create_or_open(str(path))
    assert text.read_text() == "hello\n"
    assert query(str(foreign), "SELECT name FROM sqlite_master") == [("mine",)]


def test_a_folder_that_cannot_be_written_is_one_clear_error(open_folder: Path) -> None:
    open_folder.chmod(0o555)
    path = str(open_folder / "a.tap")
    with pytest.raises(CannotWrite) as caught:
        as_nobody(lambda: create_or_open(path).close())
    assert str(caught.value) == f"cannot write {path}: Permission denied"


def test_a_disk_that_is_full_is_one_clear_error(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    path = write(str(tmp_path / "a.tap"))

    def fill() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
        with create_or_open(path) as writer:
            add(writer, [Chunk(8, 1, "in", 0, 18, bytes(1_000_000))])

    with pytest.raises(CannotWrite) as caught:
        in_child(fill)
    assert str(caught.value).startswith(f"cannot write {path}: ")


@pytest.mark.parametrize(
    ("argv", "line"),
    [
        (["plugin", "--name", "a b"], "plugin --name 'a b'"),
        (["plugin", {"base64": "/wE="}], "plugin '\\xff\\x01'"),
        ([NO_BASE64, 5, None], f"{shlex.quote(str(NO_BASE64))} 5 None"),
        (["\udcff"], "'\\udcff'"),
        (None, ""),
        ("text", ""),
    ],
)
def test_a_command_is_written_as_a_shell_would_read_it(argv: object, line: str) -> None:
    assert command_line(argv) == line
