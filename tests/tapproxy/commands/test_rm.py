"""`tap rm` removes what is named or chosen by rule, with all that is its own, and nothing else."""

import json
import os
import time
from errno import EACCES
from pathlib import Path

import pytest
from click.testing import CliRunner

from tapproxy.commands.rm import command
from tests.store.made import write_spoken
from tests.tapproxy.calls import Said, tap
from tests.tapproxy.ingest.made import Journal, living

DAY_S = 86_400


@pytest.fixture
def folder() -> Path:
    place = Path(os.environ["TAP_DIR"])
    place.mkdir()
    return place


def made(folder: Path, days_ago: float, name: str = "plugin") -> str:
    """Make a recording that began so long ago; return its name."""
    stamp = time.strftime("%Y%m%d-%H%M%S", time.localtime(time.time() - days_ago * DAY_S))
    called = f"{stamp}-{name}-{int(days_ago * 10)}"
    write_spoken(str(folder / f"{called}.tap"))
    return called


def left(folder: Path) -> list[str]:
    return sorted(it.name for it in folder.iterdir())


def test_a_recording_goes_with_its_journal_and_what_sqlite_has_beside_it(folder: Path) -> None:
    name = made(folder, 1)
    for ending in ("-wal", "-shm", ".wire"):
        (folder / f"{name}.tap{ending}").touch()
    (folder / "notes.txt").touch()
    said = tap("rm", "last")
    assert said == Said(0, f"removed {folder / name}.tap  115 kB\n", "")
    assert left(folder) == ["notes.txt"]


def test_a_journal_that_was_never_made_a_recording_goes_too(folder: Path) -> None:
    Journal().says("in", b"hello\n").write(str(folder / "a.tap.wire"))
    assert tap("rm", "a").code == 0
    assert left(folder) == []


def test_a_recording_that_lives_stays_and_so_do_all_others_that_are_named(folder: Path) -> None:
    name = made(folder, 1)
    journal = str(folder / "a.tap.wire")
    with living(journal, Journal().says("in", b"hello\n")) as live:
        live.write()
        said = tap("rm", name, str(folder / "a.tap"))
        assert said == Said(
            2, "", f"tap: {folder / 'a.tap'} is being recorded; nothing was removed\n"
        )
        assert tap("rm", "--keep-last", "0").out == (
            f"removed {folder / name}.tap  115 kB\n1 recording, 115 kB\n"
        )
    assert left(folder) == ["a.tap.wire"]


def test_a_name_that_several_recordings_have_is_an_error(folder: Path) -> None:
    older, newer = made(folder, 2), made(folder, 1)
    for name in ("plugin", "plug"):
        said = tap("rm", name)
        assert said == Said(
            2, "", f"tap: {name} is the name of 2 recordings, {newer}, {older}; name one\n"
        )
    assert "may be any of" in tap("rm", "20").err
    assert len(left(folder)) == 2
    assert tap("rm", newer, older, older).out.endswith("2 recordings, 229 kB\n")


@pytest.mark.parametrize("content", [b"hello", b"SQLite format 3\0" + bytes(200)])
def test_what_is_no_recording_stays(folder: Path, content: bytes) -> None:
    path = folder / "notes.tap"
    path.write_bytes(content)
    said = tap("rm", str(path))
    assert said == Said(2, "", f"tap: {path} is no recording; it stays (`rm` removes any file)\n")
    assert left(folder) == ["notes.tap"]


@pytest.mark.parametrize("name", ["notes.wire", "a.tap.wire"])
def test_what_is_called_like_a_journal_and_is_none_stays(folder: Path, name: str) -> None:
    path = folder / name
    path.write_bytes(b"hello")
    said = tap("rm", str(path))
    assert said == Said(
        2, "", f"tap: {path} is no journal of a recording; it stays (`rm` removes any file)\n"
    )
    assert left(folder) == [name]


@pytest.mark.parametrize("name", ["a.tape", "a.tapestry", "a.wire"])
def test_an_empty_file_that_is_not_called_as_a_recording_is_stays(folder: Path, name: str) -> None:
    (folder / name).touch()
    assert tap("rm", str(folder / name)).code == 2
    assert left(folder) == [name]


def test_what_cannot_be_removed_is_not_said_to_be(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = made(folder, 1)

    def refuse(_path: str) -> None:
        raise PermissionError(EACCES, "Permission denied")

    monkeypatch.setattr(os, "unlink", refuse)
    result = CliRunner().invoke(command, ["last"])
    said = f"cannot remove {folder / name}.tap: Permission denied"
    assert (str(result.exception), result.output) == (said, "")


def test_a_rule_chooses_recordings_alone(folder: Path) -> None:
    name = made(folder, 1)
    (folder / "results.tap").write_bytes(b"ok 1 - of a test\n")
    (folder / "notes.tap.wire").write_bytes(b"hello")
    assert tap("rm", "--keep-last", "1").out == "0 recordings, 0 B\n"
    assert tap("rm", "--keep-last", "0").out == (
        f"removed {folder / name}.tap  115 kB\n1 recording, 115 kB\n"
    )
    assert left(folder) == ["notes.tap.wire", "results.tap"]


def test_rules_choose_together_and_a_dry_run_removes_nothing(folder: Path) -> None:
    old, middle, new = made(folder, 30), made(folder, 10), made(folder, 1)
    told = f"{folder / middle}.tap  115 kB\n", f"{folder / old}.tap  115 kB\n"
    said = tap("rm", "--older-than", "7d", "--dry-run")
    assert said.out == f"would remove {told[0]}would remove {told[1]}2 recordings, 229 kB\n"
    assert len(left(folder)) == 3
    assert tap("rm", "--older-than", "7d", "--larger-than", "1MB").out == "0 recordings, 0 B\n"
    assert tap("rm", "--older-than", "7d", "--keep-last", "2").out.startswith(f"removed {told[1]}")
    assert left(folder) == [f"{middle}.tap", f"{new}.tap"]


def test_only_a_link_is_removed_where_one_is_named(folder: Path, tmp_path: Path) -> None:
    source = write_spoken(str(tmp_path / "source.tap"))
    os.symlink(source, folder / "link.tap")
    assert tap("rm", "link").code == 0
    assert (left(folder), os.path.exists(source)) == ([], True)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            [],
            "name recordings, or say which: --older-than 30d, --keep-last 50 (see `tap rm --help`)",
        ),
        (["--older-than", "old"], "--older-than: 'old' is no age; write it as in 30d, 12h, 2w"),
        (["--larger-than", "x"], "--larger-than: 'x' is no size; write it as in 64MB, 1GiB"),
    ],
)
def test_what_is_not_clear_removes_nothing(folder: Path, arguments: list[str], said: str) -> None:
    name = made(folder, 1)
    assert tap("rm", *arguments) == Said(2, "", f"tap: {said}\n")
    assert left(folder) == [f"{name}.tap"]


def test_ls_tells_the_size_of_each_and_of_all_journals_included(folder: Path) -> None:
    name = made(folder, 1)
    Journal().says("in", b"hello\n").write(str(folder / "a.tap.wire"))
    said = tap("ls", "--size")
    lines = said.out.splitlines()
    assert lines[0].split()[:3] == ["name", "size", "when"]
    assert "  2 recordings, 115 kB" in lines
    sizes = {
        it["recording"]: it["size"]
        for it in map(json.loads, tap("ls", "--size", "--json").out.splitlines())
    }
    assert sizes[name] == 114_688
    assert sizes["a"] == (folder / "a.tap.wire").stat().st_size
    assert "size" not in json.loads(tap("ls", "--json").out.splitlines()[0])
