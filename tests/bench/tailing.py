"""What `tap tail` shows how soon, and what it costs the session that it looks at."""

import os
import random
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from tests.bench.figures import median_ratio
from tests.bench.peers import through
from tests.bench.table import Row
from tests.bench.workbench import Failed, Workbench

FRAMES = 50
LATEST_MS = 300
LONGEST_PAUSE_S = 0.4
"""Frames come at random moments of the ingester's rhythm."""
GIVE_UP_S = 10.0

ROUND_TRIPS = 5000
PAUSE_US = 200
SIZE = 200
MOST_COST = 1.1


def measure(bench: Workbench) -> Iterator[Row]:
    """Give a row for the delay of what is shown, and one for the round trips beside a tail."""
    with bench.folder() as folder:
        delays = [delay * 1000 for delay in delays_of(bench, folder)]
    slowest = max(delays)
    yield Row(
        f"tap tail, slowest of {len(delays)} frames (median {median(delays):.0f} ms)",
        tap=f"{slowest:.0f} ms",
        limit=f"<= {LATEST_MS} ms",
        ok=slowest <= LATEST_MS,
    )
    yield cost_row([one_round(bench) for _ in range(bench.rounds)])


def cost_row(rounds: list[tuple[float, float]]) -> Row:
    """Judge the median round trips (nanoseconds), each round without a tail and with one."""
    alone, watched = ([each[index] for each in rounds] for index in (0, 1))
    ratio = median_ratio(watched, alone)
    return Row(
        "round trip with a tail",
        bare=f"{median(alone) / 1000:.1f} us",
        tap=f"{median(watched) / 1000:.1f} us",
        ratio=f"{ratio:.2f}",
        limit=f"< {MOST_COST}",
        ok=ratio < MOST_COST,
    )


def one_round(bench: Workbench) -> tuple[float, float]:
    """Return the median round trip without and with somebody who tails it."""
    return median(round_trips(bench, watched=False)), median(round_trips(bench, watched=True))


def round_trips(bench: Workbench, *, watched: bool) -> list[float]:
    """Time round trips through tap, nanoseconds."""
    host = bench.program("roundtrip", bench.scaled(ROUND_TRIPS), PAUSE_US, SIZE)
    with bench.folder() as folder:
        command = [*host, *through(bench, "tap", folder), *bench.program("echo")]
        looker = tail(bench, folder / "bench.tap", subprocess.DEVNULL) if watched else nobody()
        with (
            subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=bench.env) as process,
            looker,
        ):
            output, _ = process.communicate()
    return [float(line) for line in output.split()]


def delays_of(bench: Workbench, folder: Path) -> list[float]:
    """Send lines to an echoing child through tap; return how late each one is shown, seconds."""
    chance = random.Random(1)
    command = [*through(bench, "tap", folder), *bench.program("echo")]
    delays = []
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=bench.env
    ) as process:
        assert process.stdin
        assert process.stdout
        echo = process.stdin.fileno(), process.stdout.fileno()
        exchange(echo, b"the first\n")
        with tail(bench, folder / "bench.tap", subprocess.PIPE) as looking:
            assert looking.stdout
            shown = looking.stdout.fileno()
            wait_for(shown, b"the first")
            for number in range(bench.scaled(FRAMES)):
                time.sleep(chance.uniform(0, LONGEST_PAUSE_S))
                crossed = exchange(echo, b"line %d.\n" % number)
                wait_for(shown, b"line %d." % number, twice=True)
                delays.append(time.monotonic() - crossed)
            process.stdin.close()
    return delays


def exchange(echo: tuple[int, int], line: bytes) -> float:
    """Send a line, wait for its echo; return when that came."""
    os.write(echo[0], line)
    if not os.read(echo[1], 100):
        raise Failed("tap run ended too soon")
    return time.monotonic()


@contextmanager
def nobody() -> Iterator[object]:
    """Look at nothing."""
    yield None


@contextmanager
def tail(bench: Workbench, recording: Path, stdout: int) -> Iterator[subprocess.Popen[bytes]]:
    """Have `tap tail` look at a session, until it need not any more."""
    wait_until_there(recording)
    command = [*bench.tap, "tail", str(recording)]
    with subprocess.Popen(command, stdout=stdout, env=bench.env) as process:
        try:
            yield process
        finally:
            process.kill()


def wait_until_there(recording: Path) -> None:
    """Wait for the session to begin."""
    deadline = time.monotonic() + GIVE_UP_S
    while not recording.exists():
        if time.monotonic() > deadline:
            raise Failed(f"{recording.name} is not there after {GIVE_UP_S:.0f} s")
        time.sleep(0.001)


def wait_for(shown: int, text: bytes, *, twice: bool = False) -> None:
    """Read what is shown until the text has come: once, or on its way back too."""
    seen = b""
    while seen.count(text) < 1 + twice:
        piece = os.read(shown, 1 << 16)
        if not piece:
            raise Failed("tap tail ended too soon")
        seen += piece
