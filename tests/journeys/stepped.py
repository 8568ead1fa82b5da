"""A replay that is stepped through at a terminal, and how a test speaks with both."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.journeys.seats import WITHIN_S, Seat
from tests.journeys.two_sides import tap
from tests.tapproxy.replay.rig import Happened, answer, ask, tell

Process = subprocess.Popen[bytes]

ERASED = "\r\x1b[K"

HEADS = (
    "step       time                    size    what"
    "                                                after\n"
)

ADDED: tuple[Happened, ...] = (
    (0, "in", ask(1, "add", n=[1, 2])),
    (10, "out", tell("thinking")),
    (2000, "out", answer(1, 3)),
    (2100, "in", ask(2, "add", n=[2])),
    (2200, "out", answer(2, 2)),
    (9000, "eof", {"stream": "in", "by": "host"}),
    (9001, "exit", {"code": 0}),
)


@pytest.fixture(name="seat")
def a_seat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Seat]:
    for name, variable in (("taps", "TAP_DIR"), ("run", "XDG_RUNTIME_DIR"), ("tmp", "TMPDIR")):
        (tmp_path / name).mkdir()
        monkeypatch.setenv(variable, str(tmp_path / name))
    monkeypatch.delenv("VISUAL", raising=False)
    it = Seat()
    yield it
    it.close()


def stepped(recording: Path, *arguments: str | Path) -> list[str]:
    return tap("replay", recording, "--step", "--no-record", *arguments)


def write(process: Process, data: bytes) -> None:
    assert process.stdin is not None
    process.stdin.write(data)


def read(process: Process) -> bytes:
    """Return what comes at once."""
    assert process.stdout is not None
    return os.read(process.stdout.fileno(), 65536)


def ended(process: Process) -> tuple[int, str]:
    """Wait for the end; return the exit code and the first two lines of what stderr got."""
    _, said = process.communicate(timeout=WITHIN_S)
    return process.returncode, "".join(said.decode().splitlines(keepends=True)[:2])


def closed(process: Process) -> tuple[int, str]:
    assert process.stdin is not None
    process.stdin.close()
    process.stdin = None
    return ended(process)
