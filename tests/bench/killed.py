"""The transparency suite's test that kills tap at random moments, hundreds of times over."""

import os
import subprocess
import sys
from collections.abc import Iterator

from tests.bench.table import Row
from tests.bench.workbench import ROOT, Workbench

TRIALS = 300
TEST = "tests/transparency/test_killed_anywhere.py"


def measure(bench: Workbench) -> Iterator[Row]:
    """Give one row: whether each recording held every byte that a peer had received."""
    trials = bench.scaled(TRIALS)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", TEST],
        cwd=ROOT,
        env={**os.environ, "TAP_KILL_TRIALS": str(trials)},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        bench.note(f"killed anywhere:\n{done.stdout[-4000:]}{done.stderr[-2000:]}")
    said = done.stdout.strip().splitlines()[-1:] or ["no output"]
    what, kept = f"killed anywhere, {trials} trials", done.returncode == 0
    yield Row(what, tap=said[0].strip("= "), limit="no byte lost", ok=kept)
