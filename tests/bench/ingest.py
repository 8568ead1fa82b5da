"""How fast the ingester turns a journal into a recording, and how much memory it takes."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from statistics import median

from tests.bench.drain import Drained, drain
from tests.bench.figures import median_ratio
from tests.bench.flood import BLOCKS, LINES, Flood, prepare_journal
from tests.bench.table import Row
from tests.bench.workbench import Workbench

MOST_MEMORY = 60e6


@dataclass(frozen=True, slots=True)
class Rate:
    """What is counted, and how much of it a second there must be."""

    unit: str
    per_chunk: float  # units in a chunk of the flood
    least: float  # units a second


FRAMES = Rate("k frames/s", 1e-3, 60)
MEGABYTES = Rate("MB/s", BLOCKS.size / 1e6, 150)

READ_ONLY = """
import os, sys
from tapproxy_store.journal_reading import JournalReader
reader = JournalReader(os.open(sys.argv[1], os.O_RDONLY))
while reader.read():
    pass
"""
"""The upper bound: a program that takes the same journal apart and does nothing with it."""


@dataclass(frozen=True, slots=True)
class Round:
    """One journal, read only and ingested; nanoseconds less the interpreter's start."""

    read_ns: int
    ingest_ns: int
    peak: int  # bytes of memory that the ingester took at most


def measure(bench: Workbench) -> Iterator[Row]:
    """Give two rows a journal: speed and memory."""
    for flood, rate in ((LINES, FRAMES), (BLOCKS, MEGABYTES)):
        prepared = replace(flood, count=bench.scaled(flood.count))
        rounds = [one_round(bench, prepared) for _ in range(bench.rounds)]
        yield speed_row(prepared, rate, rounds)
        peak = max(each.peak for each in rounds)
        limit = f"<= {MOST_MEMORY / 1e6:.0f} MB"
        yield Row("  peak memory", tap=f"{peak / 1e6:.1f} MB", limit=limit, ok=peak <= MOST_MEMORY)


def one_round(bench: Workbench, flood: Flood) -> Round:
    """Prepare the journal, read it, ingest it."""
    with bench.folder() as folder:
        journal = folder / "bench.tap.wire"
        prepare_journal(journal, flood)
        idle = python(bench, "-c", "")
        read = python(bench, "-c", READ_ONLY, str(journal))
        ingested = python(bench, "-m", "tapproxy.ingest", str(journal))
    return Round(read.exit_ns - idle.exit_ns, ingested.exit_ns - idle.exit_ns, ingested.peak)


def python(bench: Workbench, *arguments: str) -> Drained:
    """Run this interpreter to its end."""
    return drain(bench, [sys.executable, *arguments])


def speed_row(flood: Flood, rate: Rate, rounds: list[Round]) -> Row:
    """Judge the speed; the reader's alone stands in the column of what nothing is done with."""
    units = flood.count * rate.per_chunk * 1e9
    read = [units / each.read_ns for each in rounds]
    ingested = [units / each.ingest_ns for each in rounds]
    speed = median(ingested)
    return Row(
        f"ingest {flood.name}",
        bare=f"{median(read):.0f} {rate.unit}",
        tap=f"{speed:.0f} {rate.unit}",
        ratio=f"{median_ratio(ingested, read):.2f}",
        limit=f">= {rate.least:.0f} {rate.unit}",
        ok=speed >= rate.least,
    )
