"""A session of a million frames with their messages: ingested, shown, filtered, summed up."""

import shlex
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from tests.bench.drain import Drained, drain
from tests.bench.rpc_flood import FRAMES, RARE, prepare_rpc_journal
from tests.bench.table import Row
from tests.bench.workbench import Workbench

LEAST_FRAMES_A_SECOND = 40_000
SHORTER = 10
"""Memory is compared with that of a session so many times shorter."""
MOST_GROWTH = 1.25
"""Memory of the long session to that of the short one: buffers that fill up are no growth."""
FIRST_SCREEN_MS = 500
SCREEN = 40
"""Lines of a large terminal."""
LONGEST_SCAN_S = 2.0
FAST_SCAN = 300_000
"""Frames a second that a scan may take longer with."""
MOST_MEMORY = 200e6

READ_ROWS = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1])
for table in ("frames", "messages"):
    for row in connection.execute("SELECT * FROM " + table):
        pass
"""
"""What no reader of the recording can do without."""

LOAD_JSON = """
import orjson, sqlite3, sys
connection = sqlite3.connect(sys.argv[1])
for (data,) in connection.execute("SELECT bytes FROM chunks"):
    orjson.loads(data)
"""
"""What no reader of the messages can do without: the same lines, parsed."""


@dataclass(frozen=True, slots=True)
class Scan:
    """A command that goes through all messages."""

    name: str
    arguments: tuple[str, ...]

    def command(self, bench: Workbench, recording: Path) -> list[str]:
        """Return what to type to look at a recording."""
        return [*bench.tap, *(it.format(recording) for it in self.arguments)]


SCANS = (
    Scan(f"tap show method:{RARE}", ("show", "{}", f"method:{RARE}")),
    Scan("tap stats", ("stats", "{}")),
)


@dataclass(frozen=True, slots=True)
class Ingested:
    """A session and what it took to derive its frames and messages."""

    recording: Path
    frames: int
    run: Drained


def measure(bench: Workbench) -> Iterator[Row]:
    """Give rows for the ingest, the first screen and each scan, with what they are compared to."""
    frames = bench.scaled(FRAMES)
    with bench.folder() as folder:
        long = ingested(bench, folder / "long.tap", frames)
        short = ingested(bench, folder / "short.tap", max(frames // SHORTER, 1))
        idle = python(bench, "-c", "")
        yield from ingest_rows(bench, long, short, idle)
        yield screen_row(bench, long.recording, idle)
        rows = python(bench, "-c", READ_ROWS, str(long.recording))
        for scan in SCANS:
            yield from scan_rows(bench, scan, long, short, rows)


def ingested(bench: Workbench, recording: Path, frames: int) -> Ingested:
    """Write a session's journal and have it ingested."""
    journal = Path(f"{recording}.wire")
    prepare_rpc_journal(journal, frames)
    return Ingested(recording, frames, python(bench, "-m", "tapproxy.ingest", str(journal)))


def ingest_rows(bench: Workbench, long: Ingested, short: Ingested, idle: Drained) -> Iterator[Row]:
    """Judge speed and memory of deriving frames and messages."""
    loads = python(bench, "-c", LOAD_JSON, str(long.recording))
    speed = long.frames * 1e9 / (long.run.exit_ns - idle.exit_ns)
    loading = long.frames * 1e9 / (loads.exit_ns - idle.exit_ns)
    yield Row(
        f"ingest {long.frames:,} frames with messages",
        bare=f"{loading / 1e3:.0f} k/s (orjson)",
        tap=f"{speed / 1e3:.0f} k frames/s",
        ratio=f"{speed / loading:.3f}",
        limit=f">= {LEAST_FRAMES_A_SECOND / 1e3:.0f} k frames/s",
        ok=speed >= LEAST_FRAMES_A_SECOND,
    )
    yield memory_row(long.run, short.run)


def screen_row(bench: Workbench, recording: Path, idle: Drained) -> Row:
    """Judge how soon a person sees the beginning of the timeline."""
    show = shlex.join([*bench.tap, "show", str(recording)])
    runs = [drain(bench, ["sh", "-c", f"{show} | head -n {SCREEN}"]) for _ in range(bench.rounds)]
    took_ms = median(run.exit_ns for run in runs) / 1e6
    return Row(
        "first screen of tap show",
        bare=f"{idle.exit_ns / 1e6:.0f} ms (Python)",
        tap=f"{took_ms:.0f} ms",
        ratio=f"{took_ms * 1e6 / idle.exit_ns:.1f}",
        limit=f"< {FIRST_SCREEN_MS} ms",
        ok=took_ms < FIRST_SCREEN_MS,
    )


def scan_rows(
    bench: Workbench, scan: Scan, long: Ingested, short: Ingested, rows: Drained
) -> Iterator[Row]:
    """Judge a command that has to look at every message."""
    runs = [drain(bench, scan.command(bench, long.recording)) for _ in range(bench.rounds)]
    took_s = median(run.exit_ns for run in runs) / 1e9
    speed = long.frames / took_s
    yield Row(
        scan.name,
        bare=f"{rows.exit_ns / 1e9:.2f} s (rows)",
        tap=f"{took_s:.2f} s, {speed / 1e3:.0f} k/s",
        ratio=f"{took_s * 1e9 / rows.exit_ns:.2f}",
        limit=f"< {LONGEST_SCAN_S:.0f} s or >= {FAST_SCAN / 1e3:.0f} k/s",
        ok=took_s < LONGEST_SCAN_S or speed >= FAST_SCAN,
    )
    highest = max(runs, key=lambda run: run.peak)
    yield memory_row(highest, drain(bench, scan.command(bench, short.recording)))


def memory_row(run: Drained, shorter: Drained) -> Row:
    """Judge how much memory a run took, beside the same on the shorter session."""
    growth = run.peak / shorter.peak
    return Row(
        "  peak memory",
        bare=f"{shorter.peak / 1e6:.1f} MB (1/{SHORTER} of it)",
        tap=f"{run.peak / 1e6:.1f} MB",
        ratio=f"{growth:.2f}",
        limit=f"<= {MOST_MEMORY / 1e6:.0f} MB, < {MOST_GROWTH}",
        ok=run.peak <= MOST_MEMORY and growth < MOST_GROWTH,
    )


def python(bench: Workbench, *arguments: str) -> Drained:
    """Run this interpreter to its end."""
    return drain(bench, [sys.executable, *arguments])
