"""How long until a frame that crossed can be read from SQLite by another process."""

import os
import random
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from tests.bench.peers import through
from tests.bench.table import Row
from tests.bench.workbench import Failed, Workbench

FRAMES = 50
LATEST_MS = 300
LONGEST_PAUSE_S = 0.4
"""Frames come at random moments of the ingester's rhythm."""
GIVE_UP_S = 10.0
LOOK_AGAIN_S = 0.001

COUNT = "select count(*) from frames where stream = 'out'"


def measure(bench: Workbench) -> Iterator[Row]:
    """Give the row of the slowest frame, with the median beside it."""
    with bench.folder() as folder:
        delays = [delay * 1000 for delay in delays_of(bench, folder)]
    what = f"visible in SQLite, of {len(delays)} frames"
    middle = Row(f"{what}, median", tap=f"{median(delays):.0f} ms")
    slowest = max(delays)
    yield middle
    limit = f"<= {LATEST_MS} ms"
    yield Row("  slowest", tap=f"{slowest:.0f} ms", limit=limit, ok=slowest <= LATEST_MS)


def delays_of(bench: Workbench, folder: Path) -> list[float]:
    """Send lines to an echoing child through tap; return each one's delay, seconds."""
    chance = random.Random(1)
    command = [*through(bench, "tap", folder), *bench.program("echo")]
    delays: list[float] = []
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=bench.env
    ) as process:
        assert process.stdin
        assert process.stdout
        echo = process.stdin.fileno(), process.stdout.fileno()
        for number in range(bench.scaled(FRAMES)):
            time.sleep(chance.uniform(0, LONGEST_PAUSE_S))
            delays.append(delay_of_one(echo, folder / "bench.tap", number + 1))
    return delays


def delay_of_one(echo: tuple[int, int], recording: Path, expected: int) -> float:
    """Send a line; return the seconds from its echo until that many frames are to be seen."""
    stdin, stdout = echo
    os.write(stdin, b"a line\n")
    if not os.read(stdout, 100):
        raise Failed("tap run ended too soon")
    crossed = time.monotonic()
    while frames_in(recording) < expected:
        if time.monotonic() > crossed + GIVE_UP_S:
            raise Failed(f"frame {expected} is not in {recording.name} after {GIVE_UP_S:.0f} s")
        time.sleep(LOOK_AGAIN_S)
    return time.monotonic() - crossed


def frames_in(recording: Path) -> int:
    """Count what a program sees that opens the recording now; 0 while there is no table."""
    try:
        connection = sqlite3.connect(f"file:{recording}?mode=ro", uri=True)
    except sqlite3.OperationalError:
        return 0
    try:
        return int(connection.execute(COUNT).fetchone()[0])
    except sqlite3.OperationalError:
        return 0
    finally:
        connection.close()
