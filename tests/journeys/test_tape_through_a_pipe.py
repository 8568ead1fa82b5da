"""A whole story: a tape from git, piped into each command that takes a recording."""

import subprocess
import sys
from pathlib import Path

import pytest

TAPE = Path(__file__).parents[2] / "fixtures" / "tapes" / "mcp-server-time.tape"


def piped(*arguments: str) -> bytes:
    command = [sys.executable, "-m", "tapproxy", *arguments]
    done = subprocess.run(
        command, input=TAPE.read_bytes(), capture_output=True, timeout=30, check=True
    )
    return done.stdout


def by_path(*arguments: str) -> bytes:
    command = [sys.executable, "-m", "tapproxy", *arguments]
    return subprocess.run(command, capture_output=True, timeout=30, check=True).stdout


@pytest.mark.parametrize("options", [["show"], ["show", "--raw", "out"], ["export"]], ids=" ".join)
def test_what_comes_from_stdin_is_as_good_as_a_file(options: list[str]) -> None:
    command, *rest = options
    assert piped(command, "-", *rest) == by_path(command, str(TAPE), *rest) != b""


def test_its_frames_are_counted_too() -> None:
    assert piped("index", "-") == (
        b"-: 9 frames, read as mcp; a tape keeps none: reading it derives them\n"
    )
