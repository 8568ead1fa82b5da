"""The command line of the bench: which measures to take, where, and how often."""

import argparse
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from rich.console import Console

from tests.bench import (
    determinism,
    ingest,
    killed,
    meaning,
    redacting,
    replay_memory,
    replaying,
    round_trip,
    start,
    tailing,
    throughput,
    visible,
    wrapping,
)
from tests.bench.programs import NoCompiler, compiled
from tests.bench.table import Row, print_table
from tests.bench.workbench import Failed, Workbench

Measure = Callable[[Workbench], Iterator[Row]]

MEASURES: dict[str, Measure] = {
    "round-trip": round_trip.measure,
    "throughput": throughput.measure,
    "ingest": ingest.measure,
    "start": start.measure,
    "wrapped": wrapping.measure,
    "visible": visible.measure,
    "meaning": meaning.measure,
    "redact": redacting.measure,
    "tail": tailing.measure,
    "replay": replaying.measure,
    "replay-memory": replay_memory.measure,
    "determinism": determinism.measure,
    "killed": killed.measure,
}


def main(arguments: list[str]) -> int:
    """Take the measures that were asked for; return 1 if a limit is not kept, 3 if none ran."""
    options = parse(arguments)
    console = Console(stderr=True)
    with tempfile.TemporaryDirectory(prefix="tap-bench-", dir=options.dir) as scratch:
        try:
            bench = Workbench.prepare(Path(scratch), options.rounds, options.scale, compiled)
        except NoCompiler as error:
            console.print(f"bench: {error}", style="red")
            return 3
        if bench.scale != 1:
            bench.note(f"scale {bench.scale}: sizes and counts are not those that the rows name")
        rows = take(bench, options.names or list(MEASURES), console)
    print_table(rows, bench.notes)
    return 1 if any(row.ok is False for row in rows) else 0


def take(bench: Workbench, names: list[str], console: Console) -> list[Row]:
    """Take each measure; Ctrl-C ends the taking and keeps the rows so far."""
    rows: list[Row] = []
    try:
        for name in names:
            with console.status(f"measuring: {name}"):
                rows += taken(bench, name)
    except KeyboardInterrupt:
        bench.note("stopped before the end")
    return rows


def taken(bench: Workbench, name: str) -> list[Row]:
    """Take one measure; if a program fails in it, that is the row."""
    try:
        return list(MEASURES[name](bench))
    except Failed as error:
        bench.note(f"{name}: {error}")
        return [Row(name, tap="failed", ok=False)]


def parse(arguments: list[str]) -> argparse.Namespace:
    """Read the command line; a wrong one ends the program with a usage line, as argparse does."""
    parser = argparse.ArgumentParser(
        prog="tests/bench/run.py", description="Measure tap beside a C program of the same job."
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of: {', '.join(MEASURES)}")
    parser.add_argument("--dir", help="where recordings of 1 GB may go (default: temp folder)")
    parser.add_argument("--rounds", type=int, default=7, help="interleaved rounds, default 7")
    parser.add_argument("--scale", type=float, default=1.0, help="of sizes and counts, default 1")
    options = parser.parse_args(arguments)
    unknown = [name for name in options.names if name not in MEASURES]
    if unknown:
        parser.error(f"no measure is called {unknown[0]!r}; there are: {', '.join(MEASURES)}")
    return options
