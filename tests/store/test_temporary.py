"""Temporary folders go with their process, or with the next one that makes some."""

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tapproxy_store.temporary import temporary_folder

KEPT = """
import sys
from tapproxy_store.temporary import temporary_folder
with temporary_folder() as folder:
    print(folder, flush=True)
    sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    return tmp_path


def killed_in(keeper: "subprocess.Popen[str]") -> str:
    """Kill a process that has a folder; return the folder."""
    assert keeper.stdout is not None
    folder = keeper.stdout.readline().strip()
    keeper.send_signal(signal.SIGKILL)
    keeper.wait()
    return folder


def keeper() -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", KEPT], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )


def test_a_folder_is_ours_alone_and_goes_in_the_end(place: Path) -> None:
    with temporary_folder() as folder:
        assert os.path.dirname(folder) == str(place)
        assert os.stat(folder).st_mode & 0o777 == 0o700
    assert os.listdir(place) == []


def test_what_a_killed_process_left_goes_with_the_next_one(place: Path) -> None:
    with keeper() as dead, keeper() as alive:
        left = killed_in(dead)
        assert alive.stdout is not None
        kept = alive.stdout.readline().strip()
        # the second process has removed it already, if it came after the first one's end
        with temporary_folder() as own:
            assert sorted(os.listdir(place)) == sorted(map(os.path.basename, (kept, own)))
        assert not os.path.exists(left)
        alive.communicate("")
    assert os.listdir(place) == []


def test_what_others_have_there_is_left_alone(place: Path) -> None:
    (place / "tap-notes").mkdir()
    (place / "tap-notes" / ".unborn").touch()
    (place / "tap-file").touch()
    (place / "elsewhere").mkdir()
    (place / "elsewhere" / ".held").touch()
    (place / "tap-link").symlink_to("elsewhere", target_is_directory=True)
    (place / "tap-linked").mkdir()
    (place / "tap-linked" / ".held").symlink_to(place / "tap-file")
    before = sorted(os.listdir(place))
    with temporary_folder():
        pass
    assert sorted(os.listdir(place)) == before


def test_where_nothing_can_be_held_folders_are_made_all_the_same(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("tapproxy_store.temporary.hold", refuse)
    with temporary_folder() as one, temporary_folder() as other:
        assert sorted(os.listdir(place)) == sorted(map(os.path.basename, (one, other)))
    assert os.listdir(place) == []
