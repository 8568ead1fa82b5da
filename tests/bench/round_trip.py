"""Round trips of 200-byte lines: median and p99, back to back and with pauses between."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from tests.bench import mcp_rec
from tests.bench.figures import in_turn, median_ratio, percentile
from tests.bench.peers import PEERS, through
from tests.bench.table import Row
from tests.bench.workbench import Workbench

SIZE = 200
MEDIAN_LIMIT = 1.5
P99_LIMIT = 2.5


@dataclass(frozen=True, slots=True)
class Mood:
    """How the host sends: a machine that is kept busy wakes its processes faster."""

    name: str
    count: int
    pause_us: int


MOODS = (Mood("hot", 20_000, 0), Mood("cold", 1000, 2000))

Times = dict[str, list[float]]  # nanoseconds by peer


def measure(bench: Workbench) -> Iterator[Row]:
    """Give two rows a mood: median and p99."""
    other = mcp_rec.find_mcp_rec(bench)
    for mood in MOODS:
        rounds = [one_round(bench, mood, number, other) for number in range(bench.rounds)]
        peers = rounds[0].keys()
        yield median_row(mood, {peer: [median(each[peer]) for each in rounds] for peer in peers})
        yield p99_row(
            mood, {peer: [percentile(each[peer], 0.99) for each in rounds] for peer in peers}
        )


def one_round(bench: Workbench, mood: Mood, number: int, other: Path | None) -> Times:
    """Time every peer once, one after another."""
    times: Times = {}
    host = bench.program("roundtrip", bench.scaled(mood.count), mood.pause_us, SIZE)
    for peer in in_turn([*PEERS, *(["mcp-rec"] if other else [])], number):
        with bench.folder() as folder:
            words = words_for(bench, peer, other, folder)
            output = bench.output([*host, *words, *bench.program("echo")])
        times[peer] = [float(line) for line in output.split()]
    return times


def words_for(bench: Workbench, peer: str, other: Path | None, folder: Path) -> list[str]:
    """Return what to put before the child's command."""
    if other and peer == "mcp-rec":
        return mcp_rec.through(other, folder)
    return through(bench, peer, folder)


def median_row(mood: Mood, medians: Times) -> Row:
    """Judge the medians: near the C program's, and below the other tool's."""
    ratio = median_ratio(medians["tap"], medians["reference"])
    below = "mcp-rec" not in medians or median_ratio(medians["tap"], medians["mcp-rec"]) < 1
    limit, kept = f"<= {MEDIAN_LIMIT}, < mcp-rec", below and ratio <= MEDIAN_LIMIT
    return Row(f"round trip, {mood.name}, median", *cells(medians), f"{ratio:.2f}", limit, kept)


def p99_row(mood: Mood, p99s: Times) -> Row:
    """Judge the slow ones among the round trips."""
    ratio = median_ratio(p99s["tap"], p99s["reference"])
    limit, kept = f"<= {P99_LIMIT}", ratio <= P99_LIMIT
    return Row(f"round trip, {mood.name}, p99", *cells(p99s), f"{ratio:.2f}", limit, kept)


def cells(rounds: Times) -> tuple[str, str, str, str]:
    """Lay the medians of the rounds out as microseconds, in the order of the columns."""
    texts = {peer: f"{median(values) / 1000:.1f} us" for peer, values in rounds.items()}
    return texts["bare"], texts["reference"], texts["tap"], texts.get("mcp-rec", "")
