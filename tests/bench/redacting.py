"""A long session redacted: how fast, and in how much memory."""

from collections.abc import Iterator
from pathlib import Path

from tests.bench.drain import Drained, drain
from tests.bench.meaning import SHORTER, Ingested, ingested, memory_row
from tests.bench.rpc_flood import FRAMES
from tests.bench.table import Row
from tests.bench.workbench import Workbench

PART = 10
"""A redaction goes through every byte twice: a part of the longest session has to do."""
LEAST_FRAMES_A_SECOND = 5_000


def measure(bench: Workbench) -> Iterator[Row]:
    """Give a row for the speed, beside that of deriving all anew, and one for the memory."""
    frames = max(bench.scaled(FRAMES) // PART, SHORTER)
    with bench.folder() as folder:
        long = ingested(bench, folder / "long.tap", frames)
        short = ingested(bench, folder / "short.tap", frames // SHORTER)
        index = drain(bench, [*bench.tap, "index", str(long.recording)])
        run = redacted(bench, long, folder / "long-copy.tap")
        speed = frames * 1e9 / run.exit_ns
        yield Row(
            f"tap redact of {frames:,} frames",
            bare=f"{index.exit_ns / 1e9:.1f} s (tap index)",
            tap=f"{run.exit_ns / 1e9:.1f} s, {speed / 1e3:.0f} k/s",
            ratio=f"{run.exit_ns / index.exit_ns:.1f}",
            limit=f">= {LEAST_FRAMES_A_SECOND / 1e3:.0f} k frames/s",
            ok=speed >= LEAST_FRAMES_A_SECOND,
        )
        yield memory_row(run, redacted(bench, short, folder / "short-copy.tap"))


def redacted(bench: Workbench, session: Ingested, copy: Path) -> Drained:
    """Make a copy by all presets."""
    return drain(bench, [*bench.tap, "redact", str(session.recording), "-o", str(copy)])
