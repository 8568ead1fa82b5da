"""A host that starts its plugin again gets the next session, whatever process plays it."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tapproxy.errors import COULD_NOT_RUN, TapError
from tapproxy.replay.turns import Host, beginning_by_ps, host_of, take_turn, turns_folder

A, B, C = ("/a.tap", 1), ("/a.tap", 2), ("/b.tap", 1)
PATHS = ("/a.tap", "/b.tap")
HOST = host_of(os.getppid())
TAKE = """
import sys
from tapproxy.replay.turns import host_of, take_turn
wanted = [("/a.tap", it) for it in range(8)]
print(*take_turn(host_of(int(sys.argv[1])), ["/a.tap"], wanted, sys.argv[2]))
"""


@pytest.fixture
def folder(tmp_path: Path) -> str:
    return str(tmp_path / "turns")


def test_each_start_gets_the_next_until_there_is_none(folder: str) -> None:
    turns = [take_turn(HOST, PATHS, [A, B, C], folder) for _ in range(5)]
    assert turns == [A, B, C, None, None]


def test_sessions_of_other_requests_keep_their_turn(folder: str) -> None:
    wanted = [[A, C], [B], [A, C], [A, C], [B]]
    assert [take_turn(HOST, PATHS, it, folder) for it in wanted] == [A, B, C, None, None]


def test_another_host_begins_anew_and_so_do_other_recordings(folder: str) -> None:
    assert take_turn(HOST, PATHS, [A, B], folder) == A
    assert take_turn(host_of(os.getpid()), PATHS, [A, B], folder) == A
    assert take_turn(HOST, PATHS[:1], [A, B], folder) == A
    assert take_turn(HOST, reversed(PATHS), [A, B], folder) == B


def test_processes_that_come_at_once_get_one_each(folder: str) -> None:
    command = [sys.executable, "-c", TAKE, str(os.getpid()), folder]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(8)]
    told = sorted(it.communicate(timeout=30)[0].decode() for it in running)
    assert told == [f"/a.tap {number}\n" for number in range(8)]


def test_notes_are_for_their_owner_alone(folder: str) -> None:
    take_turn(HOST, PATHS, [A], folder)
    (notes,) = Path(folder).iterdir()
    assert [it.stat().st_mode & 0o777 for it in (Path(folder), notes)] == [0o700, 0o600]
    assert json.loads(notes.read_text(encoding="utf-8")) == list(A)


def test_notes_of_hosts_that_ended_are_removed(folder: str) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    take_turn(Host(ended.pid, "100"), PATHS, [A], folder)
    take_turn(HOST, PATHS, [A], folder)
    take_turn(HOST, PATHS[:1], [A], folder)
    names = [it.name for it in Path(folder).iterdir()]
    assert {name.rpartition("-")[0] for name in names} == {f"{HOST.pid}-{HOST.began}"}
    assert len(names) == 2


def test_a_folder_that_others_can_write_to_is_not_used(tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    with pytest.raises(TapError) as told:
        take_turn(HOST, PATHS, [A], str(tmp_path))
    assert (str(told.value), told.value.exit_code) == (
        f"cannot note in {tmp_path} which session is played: others can write there; "
        "--session N plays the one you name, without a note",
        COULD_NOT_RUN,
    )


def test_notes_that_are_damaged_are_told_of(folder: str) -> None:
    take_turn(HOST, PATHS, [A], folder)
    (notes,) = Path(folder).iterdir()
    notes.write_text("{", encoding="utf-8")
    with pytest.raises(TapError, match=r"^cannot note in .*: Expecting property name"):
        take_turn(HOST, PATHS, [A], folder)


def test_the_folder_is_the_users_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    assert turns_folder() == str(tmp_path / f"tap-turns-{os.getuid()}")
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "missing"))
    assert os.path.dirname(turns_folder()) != str(tmp_path)


@pytest.mark.skipif(shutil.which("ps") is None, reason="this system has no ps")
def test_where_there_is_no_proc_ps_tells_when_a_process_began() -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    began = beginning_by_ps(os.getpid())
    assert began.isalnum()
    assert began == beginning_by_ps(os.getpid())
    assert beginning_by_ps(ended.pid) == ""
