"""Journals followed into recordings: whoever is killed, deleted or late, each row is there once."""

import os
import random
import stat
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tapproxy.ingest import follow as following
from tapproxy.ingest.follow import follow
from tapproxy_store.errors import CannotWrite, StoreError
from tapproxy_store.journal_reading import NotAJournal
from tapproxy_store.recording import RecordingWriter, create_or_open
from tests.store.made import query
from tests.store.nobody import as_nobody
from tests.tapproxy.ingest.ingesters import (
    INGEST,
    PATIENCE_S,
    check_finished,
    ended,
    ingester,
    kill,
    seen,
    until_frames,
)
from tests.tapproxy.ingest.made import Journal, journals, living, recorded


@pytest.fixture
def path(tmp_path: Path) -> str:
    """Give the path of a recording that is not there yet."""
    return str(tmp_path / "a.tap")


def follow_file(journal: str, recording: str) -> None:
    descriptor = os.open(journal, os.O_RDONLY)
    try:
        follow(descriptor, journal, recording)
    finally:
        os.close(descriptor)


def lines(told: Journal, number: int) -> Journal:
    """Tell of lines that come in pieces: each time an answer, a question and a notification."""
    for _ in range(number):
        told.says("out", b'{"jsonrpc":"2.0","id":1,').says("out", b'"result":null}\n')
        told.says("in", b'{"jsonrpc":"2.0","id":1,"method":"x"}\n{"jsonrpc":"2.0","method":"y"}\n')
    return told


def test_the_journal_of_a_session_that_is_over_becomes_one_closed_file(path: str) -> None:
    told = lines(Journal().happens("spawn", pid=42), 3).happens("exit", code=0).ends()
    follow_file(told.write(path + ".wire"), path)
    check_finished(path, told.rows())
    assert query(path, "pragma journal_mode") == [("delete",)]
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600


@settings(max_examples=15, deadline=None)
@given(told=journals(), tail=st.sampled_from((b"", b"\xa7\x01\x00", b"junk" * 20)))
def test_whatever_a_journal_tells_and_however_it_ends_is_recorded(
    told: Journal, tail: bytes
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "a.tap")
        follow_file(told.write(path + ".wire", tail), path)
        check_finished(path, told.rows(unreadable=len(tail)))


def test_a_journal_damaged_anywhere_still_becomes_a_recording(path: str) -> None:
    told = lines(Journal().happens("spawn", pid=42), 3).happens("exit", code=0).ends()
    whole = told.head() + told.body()
    chance = random.Random(20261130)
    for _ in range(20):
        damaged = bytearray(whole)
        for _ in range(chance.randint(1, 4)):
            damaged[chance.randrange(24, len(whole))] = chance.randrange(256)
        Path(path + ".wire").write_bytes(damaged[: chance.randint(64, len(whole))])
        follow_file(path + ".wire", path)
        assert len(recorded(path)["sessions"]) == 1
        os.unlink(path)


def test_a_file_that_is_no_journal_makes_no_recording(path: str) -> None:
    Path(path + ".wire").write_bytes(b"TAPWIRE")
    with pytest.raises(NotAJournal):
        follow_file(path + ".wire", path)
    assert os.listdir(os.path.dirname(path)) == ["a.tap.wire"]
    result = subprocess.run([*INGEST, path + ".wire"], capture_output=True, check=False)
    message = f"tap: {path}.wire is not the journal of a recording\n"
    assert (result.returncode, result.stderr.decode()) == (3, message)


def test_two_followers_at_once_give_each_row_once(path: str) -> None:
    told = lines(Journal(), 5_000).ends()
    journal = told.write(path + ".wire")
    with ingester(journal) as one, ingester(journal) as other:
        assert [ended(one), ended(other)] == [(0, b""), (0, b"")]
    check_finished(path, told.rows())


def test_frames_are_visible_to_others_while_the_session_lives_and_is_not_finished(
    path: str,
) -> None:
    told = Journal().says("in", b'{"id":1}\n')
    with living(path + ".wire", told) as live, ingester(live.path) as process:
        until_frames(path, 1)
        told.says("out", b'{"id":1,"result":2}\n')
        live.write()
        until_frames(path, 2)
        assert seen(path, "select count(*) from sessions where duration_ns is null") == 1
        assert os.path.exists(live.path)
        assert process.poll() is None
        told.happens("exit", code=0).ends()
        live.write()
        live.let_go()
        assert ended(process) == (0, b"")
    check_finished(path, told.rows())


def test_where_a_follower_is_killed_the_next_one_goes_on(path: str) -> None:
    told = lines(Journal(), 10)
    with living(path + ".wire", told) as live:
        frames = 30
        for number in (10, 2_000, 10):
            with ingester(live.path) as process:
                until_frames(path, frames)
                lines(told, number)
                live.write()
                frames += 3 * number
                kill(process)
        told.ends()
    with ingester(path + ".wire") as process:
        assert ended(process) == (0, b"")
    check_finished(path, told.rows())


def test_a_follower_killed_in_the_midst_of_much_work_leaves_nothing_twice(path: str) -> None:
    told = lines(Journal(), 10_000).ends()
    journal = told.write(path + ".wire")
    for number in (1, 10_000, 20_000):
        with ingester(journal) as process:
            until_frames(path, number)
            process.kill()
    if os.path.exists(journal):
        follow_file(journal, path)
    check_finished(path, told.rows())


def test_a_recording_deleted_meanwhile_is_made_again_from_the_journal(path: str) -> None:
    told = lines(Journal(), 10)
    with living(path + ".wire", told) as live, ingester(live.path) as process:
        until_frames(path, 30)
        for name in (path, path + "-wal", path + "-shm"):
            Path(name).unlink(missing_ok=True)
        lines(told, 10)
        live.write()
        until_frames(path, 60)
        told.ends()
        live.write()
        live.let_go()
        assert ended(process) == (0, b"")
    check_finished(path, told.rows())


def test_a_recording_whose_name_is_another_sessions_now_is_made_under_the_next_one(
    path: str,
) -> None:
    told, other = lines(Journal(), 10), Journal().says("in", b"other\n")
    other.started_ns += 1
    with living(path + ".wire", told) as live, ingester(live.path) as process:
        until_frames(path, 30)
        for name in (path, path + "-wal", path + "-shm", path + ".wire"):
            Path(name).unlink(missing_ok=True)
        follow_file(other.ends().write(path + ".wire"), path)
        lines(told, 10).ends()
        live.write()
        live.let_go()
        assert ended(process) == (0, b"")
    assert recorded(path) == other.rows()
    check_finished(path + "~2", told.rows())


def test_a_journal_deleted_meanwhile_is_read_to_its_end(path: str) -> None:
    told = lines(Journal(), 10)
    with living(path + ".wire", told) as live, ingester(live.path) as process:
        until_frames(path, 30)
        os.unlink(live.path)
        lines(told, 10).ends()
        live.write()
        live.let_go()
        assert ended(process) == (0, b"")
    check_finished(path, told.rows())


def test_a_journal_that_took_the_place_of_a_deleted_one_stays(path: str) -> None:
    told = Journal().says("in", b"a\n").ends()
    descriptor = os.open(told.write(path + ".wire"), os.O_RDONLY)
    os.rename(path + ".wire", path + ".moved")
    Path(path + ".wire").write_bytes(b"somebody else's")
    follow(descriptor, path + ".wire", path)
    os.close(descriptor)
    assert recorded(path) == told.rows()
    assert Path(path + ".wire").read_bytes() == b"somebody else's"


def test_a_detached_ingester_reads_a_journal_that_is_deleted_already(path: str) -> None:
    told = lines(Journal(), 10).ends()
    journal = told.write(path + ".wire")
    with open(journal, "rb") as file:
        os.unlink(journal)
        command = [*INGEST, "--detach", journal]
        # the detached one has our pipe, too: it is read to the end once that has ended
        done = subprocess.run(
            command, stdin=file, stdout=subprocess.PIPE, check=False, timeout=PATIENCE_S
        )
    assert (done.returncode, done.stdout) == (0, b"")
    check_finished(path, told.rows())


@pytest.fixture
def closed_folder() -> Iterator[Path]:
    """Give a folder that others can read and not write (pytest's own are closed altogether)."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)
        Path(folder).chmod(0o755)


def test_in_a_folder_that_cannot_be_written_the_journal_stays(closed_folder: Path) -> None:
    path = str(closed_folder / "a.tap")
    journal = Journal().says("in", b"a\n").ends().write(path + ".wire")
    os.chmod(journal, 0o644)
    closed_folder.chmod(0o555)
    with pytest.raises(CannotWrite) as caught:
        as_nobody(lambda: follow_file(journal, path))
    assert str(caught.value) == f"cannot write {path}: Permission denied"
    assert os.listdir(closed_folder) == ["a.tap.wire"]


def test_a_recording_taken_away_while_it_is_opened_and_the_session_ends_is_made_again(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following, "RETRY_S", 0)
    told = Journal().says("in", b"a\n").ends()
    with living(path + ".wire", told) as live:
        live.write()

        def taken_away(path: str) -> RecordingWriter:
            monkeypatch.setattr(following, "create_or_open", create_or_open)
            live.let_go()
            raise CannotWrite(f"cannot write {path}")

        monkeypatch.setattr(following, "create_or_open", taken_away)
        follow_file(live.path, path)
    check_finished(path, told.rows())


def test_while_the_session_lives_a_folder_that_cannot_be_written_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following, "RETRY_S", 0.01)
    attempts = threading.Semaphore(0)

    def counted(path: str) -> RecordingWriter:
        attempts.release()
        return create_or_open(path)

    monkeypatch.setattr(following, "create_or_open", counted)
    blocked = tmp_path / "folder"
    blocked.write_bytes(b"a file where a folder should be")
    path = str(blocked / "a.tap")
    told = Journal().says("in", b"a\n")
    with living(str(tmp_path / "a.wire"), told) as live:
        worker = threading.Thread(target=follow_file, args=(live.path, path))
        worker.start()
        for _ in range(3):
            assert attempts.acquire(timeout=PATIENCE_S)
        blocked.unlink()
        until_frames(path, 1)
        told.ends()
    worker.join(PATIENCE_S)
    check_finished(path, told.rows())
    assert not os.path.exists(live.path)


def test_a_recording_of_another_program_is_not_written_to(path: str) -> None:
    query(path, "create table of_another_program (it)")
    journal = Journal().says("in", b"a\n").ends().write(path + ".wire")
    with pytest.raises(StoreError) as caught:
        follow_file(journal, path)
    expected = f"{path} is an SQLite file of another program, not a recording"
    assert (str(caught.value), os.path.exists(journal)) == (expected, True)
