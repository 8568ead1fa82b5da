"""Ingesters as processes of their own, and waits that have a bound."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager

from tests.tapproxy.ingest.made import Rows, recorded

PATIENCE_S = 20.0
"""Long enough for a machine under load."""

INGEST = [sys.executable, "-m", "tapproxy.ingest"]


@contextmanager
def ingester(journal: str) -> Iterator[subprocess.Popen[bytes]]:
    """Start an ingester; it is gone at the block's end."""
    with subprocess.Popen([*INGEST, journal], stderr=subprocess.PIPE) as process:
        try:
            yield process
        finally:
            process.kill()


def ended(process: subprocess.Popen[bytes]) -> tuple[int, bytes]:
    """Wait for the ingester's end; return its exit code and what it complained about."""
    _, said = process.communicate(timeout=PATIENCE_S)
    return process.returncode, said


def kill(process: subprocess.Popen[bytes]) -> None:
    """Kill the ingester where it stands; it must have been alive."""
    process.kill()
    assert process.wait(PATIENCE_S) == -signal.SIGKILL


def until(condition: Callable[[], bool], what: str) -> None:
    """Wait for the condition."""
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline, f"waited for {what}"
        time.sleep(0.005)


def seen(recording: str, sql: str) -> int:
    """Ask a live recording for a number, as another program does; 0 while it has no tables."""
    try:
        with closing(sqlite3.connect(f"file:{recording}?mode=ro", uri=True)) as connection:
            number: int = connection.execute(sql).fetchone()[0]
    except sqlite3.OperationalError:
        return 0
    return number


def until_frames(recording: str, number: int) -> None:
    """Wait until another program can see so many frames."""
    sql = "select count(*) from frames"
    until(lambda: seen(recording, sql) >= number, f"{number} frames in {recording}")


def check_finished(recording: str, expected: Rows) -> None:
    """Check that the recording holds each row once, is one file, and nothing is beside it."""
    folder, name = os.path.split(recording)
    beside = [it for it in os.listdir(folder) if it.startswith(name)]  # before we open it
    assert (beside, recorded(recording)) == ([name], expected)
