"""Files that only a hostile program writes, and what a stranger may put beside a recording."""

import os
import shutil
import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from tapproxy_store import guarding
from tests.hostile.commands import READING, filled, read_by_all, used_by_all
from tests.hostile.harmless import check, snapshot
from tests.hostile.sqlite_pages import claiming_wal, hot_journal, lead_in_circles
from tests.hostile.watched import tap
from tests.store.made import query, write, write_spoken
from tests.store.nobody import as_nobody

NAMES = (
    "\x1b]0;owned\x07\x1b[2J.tap", "a\nb.tap", "\u202epat.a.tap", "-rf.tap", "$(id);.tap",
    "=1+1.tap", ":memory:", "file:a.tap?mode=rw", "%2e%2e.tap", "a" * 250 + ".tap",
    "\udcff\udc9b.tap",
)  # fmt: skip

PRECIOUS = "what the user does not want to lose"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Give what the stranger sent: a folder, and in it a recording."""
    place = tmp_path / "given"
    place.mkdir()
    write_spoken(str(place / "a.tap"))
    return place


@pytest.fixture
def victim(tmp_path: Path) -> Path:
    """Give a file that is nobody's business."""
    file = tmp_path / "victim.txt"
    file.write_text(PRECIOUS)
    return file


def test_a_journal_that_has_sqlite_delete_another_file_is_refused(
    folder: Path, victim: Path
) -> None:
    path = folder / "a.tap"
    hot_journal(path, victim)
    read_by_all(str(path), str(path), folder)
    said = tap(["show", str(path)], folder)
    used_by_all(str(path), folder)
    assert victim.read_text() == PRECIOUS
    assert said.err.decode() == (
        f"tap: {path}-journal has SQLite delete another file, as no journal of a recording does; "
        "move it away if you trust the rest\n"
    )


@pytest.mark.parametrize("ending", ["-wal", "-journal", "-shm", ".wire"])
def test_links_beside_a_recording_are_not_followed(folder: Path, victim: Path, ending: str) -> None:
    path = folder / "a.tap"
    os.symlink(victim, f"{path}{ending}")
    read_by_all(str(path), str(path), folder)
    used_by_all(str(path), folder)
    assert victim.read_text() == PRECIOUS


@pytest.mark.parametrize("ending", ["-wal", "-journal", ".wire"])
def test_pipes_and_folders_beside_a_recording_are_not_waited_for(folder: Path, ending: str) -> None:
    for name, make in (("a.tap", os.mkfifo), ("b.tap", os.mkdir)):
        path = folder / name
        write_spoken(str(path)) if name == "b.tap" else None
        make(f"{path}{ending}")
        for command in READING[:3]:
            check(tap(filled(command, str(path), str(path)), folder))


def test_an_endless_device_beside_a_recording_is_not_copied(folder: Path) -> None:
    os.symlink("/dev/zero", folder / "a.tap-wal")
    check(tap(["show", str(folder / "a.tap")], folder))


def test_nothing_is_written_through_a_link_in_the_place_of_a_recording(
    folder: Path, tmp_path: Path
) -> None:
    """A journal is made a recording where it stands: not where a link of its name points."""
    from tests.tapproxy.ingest.made import Journal

    empty = tmp_path / "empty"
    empty.touch()
    for target in (empty, tmp_path / "nothing"):
        link = folder / f"{target.name}.tap"
        os.symlink(target, link)
        Journal().says("in", b"hello\n").ends().write(f"{link}.wire")
        ended = tap(["show", str(link)], folder)
        check(ended)
    assert empty.read_bytes() == b""
    assert not (tmp_path / "nothing").exists()


def test_a_wal_that_claims_a_terabyte_takes_no_memory(folder: Path) -> None:
    path = folder / "a.tap"
    claiming_wal(path, pages=1 << 27)
    said = tap(["show", str(path)], folder)
    assert said.err.decode() == (f"tap: {path} is damaged: it says that it is larger than it is\n")
    for command in READING:
        check(tap(filled(command, str(path), str(path)), folder))


def test_a_row_that_claims_a_gigabyte_takes_no_memory(folder: Path) -> None:
    """Its length stands before it, and may be any."""
    path = folder / "a.tap"
    write(str(folder / "b.tap"))
    size = b"\x84\x80\x80\x80\x00"  # 2^30, as SQLite spells it
    data = (folder / "b.tap").read_bytes()
    row = data.index(b'{"id":1}\n{"id":2}')
    (folder / "b.tap").write_bytes(data[: row - 20] + size * 4 + data[row:])
    assert path.exists()
    for command in READING:
        check(tap(filled(command, str(folder / "b.tap"), str(path)), folder))


@pytest.mark.parametrize("table", ["chunks", "events", "sessions", "sqlite_master"])
def test_pages_that_lead_in_circles_end_in_one_clear_line(
    folder: Path, table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guarding, "FREE_STEPS", 2_000_000)
    monkeypatch.setattr(guarding, "STEPS_A_BYTE", 20)
    path = folder / "a.tap"
    query(str(path), "DELETE FROM totals")
    root = "SELECT rootpage FROM sqlite_master WHERE name = ?"
    found = query(str(path), root, (table,))
    lead_in_circles(path, found[0][0] if found else 1, levels=12)
    for command in READING[::2]:
        check(tap(filled(command, str(path), str(path)), folder))


def test_a_stranger_s_file_that_nobody_may_write_to_opens_too(open_folder: Path) -> None:
    from tests.tapproxy.ingest.made import Journal

    write_spoken(str(open_folder / "whole.tap"))
    shutil.copy("fixtures/recordings/v1.tap", open_folder / "old.tap")
    write_spoken(str(open_folder / "wal.tap"))
    with closing(sqlite3.connect(open_folder / "wal.tap")) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
    Journal().says("in", b"hello\n").ends().write(str(open_folder / "dead.tap.wire"))
    for file in open_folder.iterdir():
        file.chmod(0o444)
    open_folder.chmod(0o555)
    before = snapshot(open_folder)
    for name in ("whole", "old", "wal", "dead"):
        path = str(open_folder / f"{name}.tap")
        ended = as_nobody(partial(tap, ["show", path], open_folder))
        assert (ended.code, ended.err, ended.started) == (0, b"", [])
        assert path.encode() in ended.out
    assert snapshot(open_folder) == before


@pytest.mark.parametrize("name", NAMES)
def test_file_names_are_text(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "given"
    folder.mkdir()
    source = write_spoken(str(tmp_path / "good.tap"))
    shutil.copy(source, folder / name)
    path = os.path.join(folder, name)
    read_by_all(path, source, folder)
    for command in (["ls"], ["ls", "--json"], ["show", name], ["show", path + "x"]):
        check(tap(command, folder, {"TAP_DIR": str(folder)}))
    check(tap(["show", f"./{name}"], folder))
    assert sorted(os.listdir(folder)) == [name]
