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
    assert capsys.readouterr() == (f"{path}: 2 frames\n", "")
    assert os.listdir(os.path.dirname(path)) == [os.path.basename(path)]


def test_another_framing_may_be_chosen(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    Journal().says("in", b"a\nb\n").ends().write(path + ".wire")
    run_group(["index", "last", "--framing", "raw"])
    assert capsys.readouterr() == (f"{path}: 1 frame\n", "")
    assert query(path, "select number, start_offset, end_offset from frames") == [(1, 0, 4)]


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
    remark = "; a tape keeps none: reading it cuts them"
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
