"""`tap import` makes recordings of tapes and says where they are."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from tapproxy.commands.group import run_group
from tapproxy.errors import USAGE, TapError
from tapproxy_store.locate import recordings
from tests.tapproxy.commands.terminals import TAP
from tests.viewers.made import MS, record, session


@pytest.fixture
def tape(tmp_path: Path) -> str:
    recording, tape = str(tmp_path / "a.tap"), str(tmp_path / "late-answer.tape")
    record(recording, session(), ("in", MS, b"ask\n"), ("out", 2 * MS, b"answer\n"))
    run_group(["export", recording, "--to", "tape", "-o", tape])
    return tape


def test_a_tape_becomes_a_recording_among_the_others(
    tape: str, capsys: pytest.CaptureFixture[str]
) -> None:
    run_group(["import", tape, tape])
    second, first = recordings()
    assert capsys.readouterr().out == (
        f"{tape} (tape): 2 frames; it is now {first}\n{tape} (tape): 2 frames; it is now {second}\n"
    )
    assert "-late-answer-" in os.path.basename(first)
    run_group(["show", "last", "--json"])
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line.get("text") for line in lines] == [None, "ask", "answer"]


def test_a_recording_may_be_given_its_place_which_must_be_free(
    tape: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = str(tmp_path / "b.tap")
    run_group(["import", tape, "-o", target])
    assert capsys.readouterr().out == f"{tape} (tape): 2 frames; it is now {target}\n"
    with pytest.raises(TapError, match=r"b\.tap exists already.*-o") as raised:
        run_group(["import", tape, "-o", target])
    assert raised.value.exit_code == USAGE


@pytest.mark.parametrize("source", ["-", "/dev/stdin"])
def test_a_tape_may_come_through_a_pipe(tape: str, source: str) -> None:
    with open(tape, "rb") as file:
        command = [*TAP, "import", source, "-o", "b.tap"]
        piped = subprocess.run(
            command, cwd=os.path.dirname(tape), input=file.read(), capture_output=True, check=False
        )
    assert (piped.stdout, piped.stderr) == (
        f"{source} (tape): 2 frames; it is now b.tap\n".encode(),
        b"",
    )


def test_one_place_is_not_for_many_tapes(tape: str) -> None:
    with pytest.raises(TapError, match="-o names one recording") as raised:
        run_group(["import", tape, tape, "-o", "b.tap"])
    assert raised.value.exit_code == USAGE


def test_a_recording_is_not_imported_but_named_as_what_it_is(tmp_path: Path) -> None:
    recording = str(tmp_path / "a.tap")
    record(recording, session())
    with pytest.raises(TapError) as raised:
        run_group(["import", recording])
    assert (str(raised.value), raised.value.exit_code) == (
        f"{recording} is no tape, but an SQLite file, as recordings are; "
        "`tap show` opens a recording as it is",
        USAGE,
    )


def test_what_is_not_there_or_no_tape_is_told(tmp_path: Path) -> None:
    with pytest.raises(TapError, match=r"cannot import .*none: No such file") as raised:
        run_group(["import", str(tmp_path / "none")])
    assert raised.value.exit_code == USAGE
    (tmp_path / "log.txt").write_text("hello\n")
    with pytest.raises(TapError, match=r"log\.txt") as raised:
        run_group(["import", str(tmp_path / "log.txt")])
    assert raised.value.exit_code == USAGE
