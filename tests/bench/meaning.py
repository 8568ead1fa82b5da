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


SCANS = (
    Scan(f"tap show method:{RARE}", ("show", "{}", f"method:{RARE}")),
    Scan("tap stats", ("stats", "{}")),
)


def measure(bench: Workbench) -> Iterator[Row]:
    """Give rows for the ingest, the first screen and each scan, with what they are compared to."""
    frames = bench.scaled(FRAMES)
    with bench.folder() as folder:
        recording = folder / "bench.tap"
        prepare_rpc_journal(folder / "bench.tap.wire", frames)
        idle = python(bench, "-c", "")
        ingested = python(bench, "-m", "tapproxy.ingest", f"{recording}.wire")
        rows = python(bench, "-c", READ_ROWS, str(recording))
        loads = python(bench, "-c", LOAD_JSON, str(recording))
        yield from ingest_rows(frames, ingested, idle, loads)
        yield from screen_rows(bench, recording)
        for scan in SCANS:
            yield from scan_rows(bench, scan, recording, frames, rows)


def ingest_rows(frames: int, ingested: Drained, idle: Drained, loads: Drained) -> Iterator[Row]:
    """Judge speed and memory of deriving frames and messages."""
    speed = frames * 1e9 / (ingested.exit_ns - idle.exit_ns)
    loading = frames * 1e9 / (loads.exit_ns - idle.exit_ns)
    yield Row(
        f"ingest {frames:,} frames with messages",
        bare=f"{loading / 1e3:.0f} k/s (orjson)",
        tap=f"{speed / 1e3:.0f} k frames/s",
        ratio=f"{speed / loading:.3f}",
        limit=f">= {LEAST_FRAMES_A_SECOND / 1e3:.0f} k frames/s",
        ok=speed >= LEAST_FRAMES_A_SECOND,
    )
    yield memory_row(ingested)


def screen_rows(bench: Workbench, recording: Path) -> Iterator[Row]:
    """Judge how soon a person sees the beginning of the timeline."""
    show = shlex.join([*bench.tap, "show", str(recording)])
    runs = [drain(bench, ["sh", "-c", f"{show} | head -n {SCREEN}"]) for _ in range(bench.rounds)]
    took_ms = median(run.exit_ns for run in runs) / 1e6
    yield Row(
        "first screen of tap show",
        tap=f"{took_ms:.0f} ms",
        limit=f"< {FIRST_SCREEN_MS} ms",
        ok=took_ms < FIRST_SCREEN_MS,
    )


def scan_rows(
    bench: Workbench, scan: Scan, recording: Path, frames: int, rows: Drained
) -> Iterator[Row]:
    """Judge a command that has to look at every message."""
    command = [*bench.tap, *(it.format(recording) for it in scan.arguments)]
    runs = [drain(bench, command) for _ in range(bench.rounds)]
    took_s = median(run.exit_ns for run in runs) / 1e9
    speed = frames / took_s
    yield Row(
        scan.name,
        bare=f"{rows.exit_ns / 1e9:.2f} s (rows)",
        tap=f"{took_s:.2f} s, {speed / 1e3:.0f} k/s",
        ratio=f"{took_s * 1e9 / rows.exit_ns:.2f}",
        limit=f"< {LONGEST_SCAN_S:.0f} s or >= {FAST_SCAN / 1e3:.0f} k/s",
        ok=took_s < LONGEST_SCAN_S or speed >= FAST_SCAN,
    )
    yield memory_row(max(runs, key=lambda run: run.peak))


def memory_row(run: Drained) -> Row:
    """Judge how much memory a run took."""
    limit = f"<= {MOST_MEMORY / 1e6:.0f} MB"
    return Row(
        "  peak memory", tap=f"{run.peak / 1e6:.1f} MB", limit=limit, ok=run.peak <= MOST_MEMORY
    )


def python(bench: Workbench, *arguments: str) -> Drained:
    """Run this interpreter to its end."""
    return drain(bench, [sys.executable, *arguments])
