"""How fast a flood goes through, and how much memory the wire process takes for it."""

from collections.abc import Iterator
from statistics import median

from tests.bench.drain import Drained, drain
from tests.bench.figures import in_turn, median_ratio
from tests.bench.flood import BLOCKS, LINES, Flood
from tests.bench.peers import PEERS, through
from tests.bench.table import Row
from tests.bench.workbench import Failed, Workbench

SHARE = 0.7
"""Of the C program's throughput."""
MOST_MEMORY = 20e6


Round = dict[str, Drained]


def measure(bench: Workbench) -> Iterator[Row]:
    """Give two rows a flood: throughput and the wire's peak memory."""
    for flood in (BLOCKS, LINES):
        rounds = [one_round(bench, flood, number) for number in range(bench.rounds)]
        speeds = {peer: [each[peer].speed for each in rounds] for peer in PEERS}
        yield speed_row(flood, speeds)
        yield memory_row(rounds)


def one_round(bench: Workbench, flood: Flood, number: int) -> Round:
    """Let the flood through every peer once, one after another."""
    drained: Round = {}
    count = bench.scaled(flood.count)
    for peer in in_turn(list(PEERS), number):
        with bench.folder() as folder:
            speaker = bench.program("speaker", count, flood.size)
            drained[peer] = drain(bench, through(bench, peer, folder) + speaker)
        if drained[peer].size != count * flood.size:
            raise Failed(f"{peer}: {drained[peer].size} bytes arrived of {count * flood.size}")
    return drained


def speed_row(flood: Flood, speeds: dict[str, list[float]]) -> Row:
    """Judge the throughput, in bytes a nanosecond."""
    ratio = median_ratio(speeds["tap"], speeds["reference"])
    bare, reference, tap = (f"{median(speeds[peer]) * 1000:.0f} MB/s" for peer in PEERS)
    return Row(flood.name, bare, reference, tap, "", f"{ratio:.2f}", f">= {SHARE}", ratio >= SHARE)


def memory_row(rounds: list[Round]) -> Row:
    """Judge the largest peak of all rounds."""
    peaks = {peer: max(each[peer].peak for each in rounds) for peer in PEERS}
    bare, reference, tap = (f"{peaks[peer] / 1e6:.1f} MB" for peer in PEERS)
    kept = peaks["tap"] <= MOST_MEMORY
    return Row(
        "  peak memory of the wire",
        bare,
        reference,
        tap,
        "",
        "",
        f"<= {MOST_MEMORY / 1e6:.0f} MB",
        kept,
    )
