"""How long until a child's first byte comes through, and what is imported until then."""

import sys
from collections.abc import Iterator
from statistics import median

from tests.bench.drain import drain
from tests.bench.figures import in_turn
from tests.bench.imports import before_first_byte
from tests.bench.peers import PEERS, through
from tests.bench.table import Row
from tests.bench.workbench import Workbench

STARTS = 40
MOST_ADDED_MS = 60
HEAVY = {"anyio", "click", "orjson", "rich", "sqlite3", "_sqlite3", "sqlite_utils"}

PYTHONS = {
    "python": [sys.executable, "-c", "print(flush=True)"],
    "python -I -S": [sys.executable, "-I", "-S", "-c", "print(flush=True)"],
}


def measure(bench: Workbench) -> Iterator[Row]:
    """Give rows for tap, for the interpreter alone, and for the imports."""
    one_round(bench, 0)  # the first start of all writes the bytecode
    rounds = [one_round(bench, number) for number in range(bench.scaled(STARTS))]
    times = {name: median(each[name] for each in rounds) for name in rounds[0]}
    added = times["tap"] - times["bare"]
    bare, reference, tap = (f"{times[peer]:.1f} ms" for peer in PEERS)
    limit, kept = f"<= +{MOST_ADDED_MS} ms", added <= MOST_ADDED_MS
    yield Row("start to first byte", bare, reference, tap, "", f"+{added:.1f} ms", limit, kept)
    for name in PYTHONS:
        yield Row(f"  {name} alone", f"{times[name]:.1f} ms")
    yield imports_row(bench)


def one_round(bench: Workbench, number: int) -> dict[str, float]:
    """Start everything once; return milliseconds to the first byte."""
    times: dict[str, float] = {}
    for name in in_turn([*PEERS, *PYTHONS], number):
        with bench.folder() as folder:
            speaker = bench.program("speaker", 1, 1)
            command = PYTHONS.get(name) or [*through(bench, name, folder), *speaker]
            times[name] = drain(bench, command).first_ns / 1e6
    return times


def imports_row(bench: Workbench) -> Row:
    """Name in a note what tap imports beyond the interpreter's own; judge that none is heavy."""
    names = before_first_byte(bench)
    heavy = sorted(HEAVY.intersection(names))
    bench.note(f"imported before the first byte: {' '.join(names)}")
    return Row(
        "  heavy imports before it", tap=" ".join(heavy) or "none", limit="none", ok=not heavy
    )
