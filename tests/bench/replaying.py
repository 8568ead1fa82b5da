"""How fast a plugin is replayed, and how near to its time each answer comes."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from statistics import median

from tests.bench.figures import percentile
from tests.bench.rpc_flood import conversation, prepare_rpc_journal
from tests.bench.table import Row
from tests.bench.workbench import Failed, Workbench

EXCHANGES = 20_000
LEAST_A_SECOND = 10_000

TIMED = 200
EVERY_NS = 10_000_000
"""Between two frames of the session whose times are kept: an answer comes that long after."""
MOST_OFF_MS = 5

ECHO = """
import sys
for line in sys.stdin.buffer:
    sys.stdout.buffer.write(line)
    sys.stdout.buffer.flush()
"""
"""What no plugin in Python can do without: the same host against it is the reference."""


def measure(bench: Workbench) -> Iterator[Row]:
    """Give a row for the speed without waiting, and one for the times at the recorded pace."""
    yield speed_row(bench)
    yield times_row(bench)


def speed_row(bench: Workbench) -> Row:
    """Judge the exchanges a second of one connection."""
    exchanges = bench.scaled(EXCHANGES)
    with bench.folder() as folder:
        recording = prepared(bench, folder, 2 * exchanges, 10_000)
        command = replay(bench, recording, "--pace", "0", "--chunks", "any")
        took = [answered(bench, command, exchanges) for _ in range(bench.rounds)]
        echoed = [
            answered(bench, [sys.executable, "-c", ECHO], exchanges) for _ in range(bench.rounds)
        ]
    speeds = [exchanges / (times[-1] - times[0]) for times in took]
    bare = [exchanges / (times[-1] - times[0]) for times in echoed]
    speed = median(speeds)
    return Row(
        "replay as plugin, without waiting",
        bare=f"{median(bare):,.0f}/s (echo)",
        tap=f"{speed:,.0f} exchanges/s",
        ratio=f"{speed / median(bare):.2f}",
        limit=f">= {LEAST_A_SECOND:,}/s",
        ok=speed >= LEAST_A_SECOND,
    )


def times_row(bench: Workbench) -> Row:
    """Judge how far from its due time an answer comes."""
    with bench.folder() as folder:
        recording = prepared(bench, folder, 2 * TIMED, EVERY_NS)
        times = answered(bench, replay(bench, recording), TIMED, pause_s=EVERY_NS / 1e9)
    off = [abs(it - EVERY_NS / 1e9) * 1000 for it in times[1:]]
    return Row(
        f"replay at its pace, off by (p99 {percentile(off, 0.99):.1f} ms)",
        tap=f"{median(off):.2f} ms",
        limit=f"<= {MOST_OFF_MS} ms",
        ok=median(off) <= MOST_OFF_MS,
    )


def prepared(bench: Workbench, folder: Path, frames: int, pace_ns: int) -> Path:
    """Make the recording."""
    recording = folder / "talk.tap"
    prepare_rpc_journal(folder / "talk.tap.wire", frames, pace_ns)
    bench.output([sys.executable, "-m", "tapproxy.ingest", f"{recording}.wire"])
    return recording


def replay(bench: Workbench, recording: Path, *options: str) -> list[str]:
    """Return what the host starts."""
    return [*bench.tap, "replay", str(recording), "--as", "plugin", "--no-record", *options]


def answered(
    bench: Workbench, command: list[str], exchanges: int, pause_s: float = 0.0
) -> list[float]:
    """Ask what the recording was asked; return when each answer came, seconds.

    With a pause, how long after its question it came instead.
    """
    questions = [line for stream, line in islice(conversation(), 2 * exchanges) if stream == 0]
    times = []
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=bench.env
    ) as child:
        assert child.stdin
        assert child.stdout
        answers = iter(child.stdout.readline, b"")
        for question in questions:
            asked = time.perf_counter()
            child.stdin.write(question)
            child.stdin.flush()
            answer = next(answers, b"")
            if not answer:
                raise Failed(f"{command[0]} ended too soon")
            now = time.perf_counter()
            times.append(now - asked if pause_s else now)
            time.sleep(pause_s)
        child.stdin.close()
        child.wait(timeout=30)
    if json.loads(answer)["id"] != exchanges - 1:
        raise Failed(f"the last answer is {answer!r}")
    return times
