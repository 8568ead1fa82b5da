"""`tap export` writes a recording in another form and overwrites nothing unasked."""

import os
from pathlib import Path

import pytest

from tapproxy.commands.group import run_group
from tapproxy.errors import COULD_NOT_RUN, USAGE, TapError
from tests.tapproxy.commands.terminals import Terminal
from tests.viewers.made import MS, record, session


@pytest.fixture
def recording(tmp_path: Path) -> str:
    path = str(tmp_path / "a.tap")
    record(path, session(), ("in", MS, b"ask\n"), ("out", 2 * MS, "\u202e?\n".encode()))
    return path


def export(*arguments: str) -> None:
    run_group(["export", *arguments, "--to", "tape"])


def test_a_tape_goes_to_stdout_or_to_a_private_file(
    recording: str, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    export(recording)
    tape = capsysbinary.readouterr().out
    assert [line[:1] for line in tape.splitlines()] == [b"{", b"[", b"["]
    run_group(["export", recording])
    assert capsysbinary.readouterr().out == tape
    export(recording, "-o", str(tmp_path / "a.tape"))
    assert (tmp_path / "a.tape").read_bytes() == tape
    assert (tmp_path / "a.tape").stat().st_mode & 0o777 == 0o600
    assert capsysbinary.readouterr().out == b""
    export(recording, "-o", "-")
    assert capsysbinary.readouterr().out == tape


def test_a_file_is_overwritten_only_by_force(recording: str, tmp_path: Path) -> None:
    tape = tmp_path / "a.tape"
    tape.write_text("mine")
    with pytest.raises(TapError, match=r"a\.tape exists already.*--force") as raised:
        export(recording, "-o", str(tape))
    assert raised.value.exit_code == USAGE
    assert tape.read_text() == "mine"
    export(recording, "-o", str(tape), "--force")
    assert tape.read_text().startswith("{")


def test_a_link_is_followed_and_a_pipe_is_written_to(recording: str, tmp_path: Path) -> None:
    tape, link, pipe = tmp_path / "a.tape", tmp_path / "link", str(tmp_path / "pipe")
    tape.write_text("mine")
    link.symlink_to(tape)
    export(recording, "-o", str(link), "--force")
    assert link.is_symlink()
    os.mkfifo(pipe)
    reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    export(recording, "-o", pipe, "--force")
    assert os.read(reading, 1 << 20) == tape.read_bytes()
    os.close(reading)


def test_the_recording_itself_is_not_overwritten_even_so(recording: str) -> None:
    with pytest.raises(TapError, match="is the recording itself"):
        export(recording, "-o", recording, "--force")


def test_a_tape_that_cannot_be_written_leaves_nothing(recording: str, tmp_path: Path) -> None:
    with pytest.raises(TapError, match=r"cannot write .*: No such file or directory") as raised:
        export(recording, "-o", str(tmp_path / "none" / "a.tape"))
    assert raised.value.exit_code == COULD_NOT_RUN
    (tmp_path / "folder").mkdir()
    with pytest.raises(TapError, match=r"cannot write .*: Is a directory"):
        export(recording, "-o", str(tmp_path / "folder"), "--force")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.tap", "folder"]


def test_an_unknown_form_is_told_with_the_known_ones(recording: str) -> None:
    with pytest.raises(TapError, match=r"'mp3' is not .*tape"):
        run_group(["export", recording, "--to", "mp3"])


def test_a_terminal_is_sent_no_character_that_it_may_obey(recording: str) -> None:
    shown, code = Terminal("export", recording, "--to", "tape", environment={}).end()
    assert b"\\u202e?" in shown
    assert "\u202e".encode() not in shown
    assert code == 0
