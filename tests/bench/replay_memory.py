"""How much memory a replay of a very long session takes, and that it does not grow with it."""

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from tests.bench.replaying import Asked, check_last, prepared, questions, replay
from tests.bench.rpc_flood import FRAMES
from tests.bench.table import Row
from tests.bench.workbench import ROOT, Failed, Workbench

TIMES_SHORTER = 10
"""The session that the long one is compared with."""
MOST_MEMORY = 150e6
LOOK_AGAIN_S = 0.02

PLUGIN = """
import sys
from itertools import islice
sys.path[:0] = sys.argv[2:]
from tests.bench.rpc_flood import conversation
for stream, line in islice(conversation(), int(sys.argv[1])):
    if stream == 0:
        sys.stdin.buffer.readline()
    else:
        sys.stdout.buffer.write(line)
        sys.stdout.buffer.flush()
"""
"""Answers what the host of the recording asks, and ends, as that one's plugin did."""


def measure(bench: Workbench) -> Iterator[Row]:
    """Give a row for each side."""
    if not Path("/proc/self/status").exists():
        bench.note("replay-memory: this system does not tell a process's peak")
        return
    frames = bench.scaled(FRAMES)
    with bench.folder() as folder:
        sessions = [
            (count, prepared(bench, folder, count, 10_000))
            for count in (frames // TIMES_SHORTER, frames)
        ]
        plugins = [as_plugin(bench, recording, count // 2) for count, recording in sessions]
        hosts = [as_host(bench, recording, count) for count, recording in sessions]
    yield memory_row(f"memory of a replay as plugin, {frames:,} frames", *plugins)
    yield memory_row(f"memory of a replay as host, {frames:,} frames", *hosts)


def memory_row(what: str, shorter: int, peak: int) -> Row:
    """Judge a peak, in bytes, beside that of a session a tenth as long."""
    return Row(
        what,
        bare=f"{shorter / 1e6:.0f} MB (a tenth)",
        tap=f"{peak / 1e6:.0f} MB",
        ratio=f"{peak / shorter:.2f}",
        limit=f"<= {MOST_MEMORY / 1e6:.0f} MB",
        ok=peak <= MOST_MEMORY,
    )


def as_plugin(bench: Workbench, recording: Path, exchanges: int) -> int:
    """Ask all that was asked; return the peak, bytes."""
    with Asked(bench, replay(bench, recording, "--pace", "0")) as plugin:
        asked = questions(exchanges)
        for question in asked[:-1]:
            plugin.ask(question)
            plugin.answer()
        peak = find_peak(plugin.process.pid)
        plugin.ask(asked[-1])
        check_last(plugin.answer(), exchanges)
    if peak is None:
        raise Failed("the replay ended too soon")
    return peak


def as_host(bench: Workbench, recording: Path, frames: int) -> int:
    """Have a plugin answer all that was asked; return the peak, bytes."""
    command = [*bench.tap, "replay", str(recording), "--as", "host", "--pace", "0", "--no-record"]
    places = [str(ROOT / part) for part in (".", "store", "viewers")]
    command += ["--", sys.executable, "-c", PLUGIN, str(frames), *places]
    peak = 0
    with subprocess.Popen(command, stderr=subprocess.PIPE, env=bench.env) as process:
        while process.poll() is None:
            peak = find_peak(process.pid) or peak
            time.sleep(LOOK_AGAIN_S)
        report = process.stderr.read().decode() if process.stderr else ""
    if process.returncode:
        raise Failed(f"the replay as host differs:\n{report[-2000:]}")
    return peak


def find_peak(pid: int) -> int | None:
    """Return the most memory that a process has had, bytes; None where it is over."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    except OSError:
        return None
    lines = [line.split() for line in status.splitlines() if line.startswith("VmHWM:")]
    return int(lines[0][1]) * 1024 if lines else None
