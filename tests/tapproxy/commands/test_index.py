"""`tap index` cuts frames anew, and says what it cannot index."""

import os
from pathlib import Path

import pytest

from tapproxy.commands.group import run_group
from tapproxy.errors import USAGE, TapError
from tests.store.made import query
from tests.tapproxy.ingest.made import Journal, living


@pytest.fixture
def path() -> str:
    """Give the path of a recording among the user's that is not there yet."""
    folder = os.environ["TAP_DIR"]
    os.mkdir(folder)
    return os.path.join(folder, "20261130-203005-plugin-1.tap")


def complaint(*arguments: str) -> tuple[str, int]:
    with pytest.raises(TapError) as caught:
        run_group(["index", *arguments])
    return str(caught.value), caught.value.exit_code


def test_an_orphan_is_finished_and_its_frames_are_counted(
    path: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Journal().says("in", b"a\nb\n").ends().write(path + ".wire")
    run_group(["index"])
    assert capsys.readouterr() == (f"{path}: 2 frames, read as raw\n", "")
    assert os.listdir(os.path.dirname(path)) == [os.path.basename(path)]


def test_another_framing_may_be_chosen(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    Journal().says("in", b"a\nb\n").ends().write(path + ".wire")
    run_group(["index", "last", "--framing", "raw"])
    assert capsys.readouterr() == (f"{path}: 1 frame, read as raw\n", "")
    assert query(path, "select number, start_offset, end_offset from frames") == [(1, 0, 4)]


def test_a_dialect_that_was_chosen_stays_until_another_or_none_is(
    path: str, capsys: pytest.CaptureFixture[str]
) -> None:
    line = b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n'
    Journal().says("in", line).ends().write(path + ".wire")
    for options in ([], ["--dialect", "jsonl"], [], ["--dialect", "auto"]):
        run_group(["index", *options])
    names = [line.rpartition(" ")[2] for line in capsys.readouterr().out.splitlines()]
    assert names == ["mcp", "jsonl", "jsonl", "mcp"]


def test_a_dialect_that_nobody_knows_is_refused(path: str) -> None:
    Journal().says("in", b"a\n").ends().write(path + ".wire")
    assert complaint("last", "--dialect", "mpc")[0].startswith("no dialect is called 'mpc'; ")


def test_what_is_still_being_recorded_is_left_alone(path: str) -> None:
    with living(path + ".wire", Journal().says("in", b"a\n")):
        expected = f"{path} is still being recorded; try again when it is over"
        assert complaint() == (expected, USAGE)
        assert query(path, "select number from frames") == [(1,)]


def test_a_tapes_frames_are_counted_and_the_tape_stays_as_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tape = tmp_path / "a.tape"
    text = '{"tape": 1}\n[0, "in", "a\\nb\\n"]\n'
    tape.write_text(text)
    run_group(["index", str(tape)])
    run_group(["index", str(tape), "--framing", "raw"])
    remark = ", read as raw; a tape keeps none: reading it derives them"
    assert capsys.readouterr().out == f"{tape}: 2 frames{remark}\n{tape}: 1 frame{remark}\n"
    assert tape.read_text() == text


def test_what_is_no_recording_is_left_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("mine")
    expected = f"{file} is not a recording (a recording is an SQLite file)"
    assert (complaint(str(file)), file.read_text()) == ((expected, USAGE), "mine")


def test_a_framing_that_does_not_exist_is_refused() -> None:
    expected = (
        "Invalid value for '--framing': 'linen' is not one of 'auto', 'lines', 'content-length', "
        "'raw' (see `tap index --help`)"
    )
    assert complaint("--framing", "linen") == (expected, USAGE)
