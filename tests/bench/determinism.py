"""Whether a replay is the same each time: to the byte, in its order, cut into the same writes."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

from tapproxy.replay.engine import Options
from tapproxy.replay.playing import Plan, play_host
from tapproxy.replay.schedule import Pace
from tapproxy_store.journal import CHUNK
from tapproxy_store.journal_reading import JournalReader
from tapproxy_store.records import STREAMS, Stream
from tests.bench.table import Row
from tests.bench.workbench import Workbench
from tests.tapproxy.replay.simulated import FIXTURES, play, recorded, taken, without_times
from tests.tapproxy.replay.test_determinism import NAMES

RUNS = 1000
"""Of each script in memory, on a clock that only the test moves; who acts first, and in what pieces
bytes arrive and when, is left to chance."""

REAL_RUNS = 50
"""Of each script between processes: the replayed host, `tap run` and the replayed plugin."""

Writes = list[tuple[Stream, bytes]]

AT_ONCE = Options(pace=Pace(0))


def measure(bench: Workbench) -> Iterator[Row]:
    """Give a row for the runs in memory, and one for those of processes."""
    runs = bench.scaled(RUNS)
    same = {name: same_in_memory(tape_of(name), runs) for name in NAMES}
    yield row(bench, "in memory", same, runs)
    runs = bench.scaled(REAL_RUNS)
    same = {
        name: sum(same_between_processes(bench, tape_of(name)) for _ in range(runs))
        for name in NAMES
    }
    yield row(bench, "between processes", same, runs)


def row(bench: Workbench, where: str, each: dict[str, int], runs: int) -> Row:
    """Judge how many runs, of each script, were the recording once more."""
    same, total = sum(each.values()), runs * len(NAMES)
    for name, count in each.items():
        if count < runs:
            bench.note(f"determinism {where}: {runs - count} of {runs} replays of {name} differ")
    return Row(
        f"replays {where} that are the same, {runs:,} of {len(NAMES)} scripts",
        bare=f"{total:,}",
        tap=f"{same:,}",
        ratio=f"{same / total:.4f}",
        limit="= 1",
        ok=same == total,
    )


def tape_of(name: str) -> Path:
    """Return the place of a script's recording."""
    return FIXTURES / "dialects" / f"{name}.tape"


def same_in_memory(tape: Path, runs: int) -> int:
    """Play both sides against each other so often; return how often that was the recording."""
    with taken(tape) as it:
        expected = recorded(it)
        pairs: list[tuple[Stream, Stream]] = [("in", "out"), ("out", "err")]
        written = [without_times(expected, *pair) for pair in pairs]
        same = 0
        for seed in range(runs):
            played = play(it, it, AT_ONCE, hand=Random(seed))
            now = [without_times(played.crossed, *pair) for pair in pairs]
            same += played.ended_well and now == written
    return same


def same_between_processes(bench: Workbench, tape: Path) -> bool:
    """Replay the host before the replayed plugin, with a recorder between them.

    Tell whether neither found a difference and the recorder has read what is in the recording. What
    comes on stderr is compared by itself: it is another pipe.
    """
    with bench.folder() as folder, taken(tape) as it:
        path = folder / "replay.tap"
        recorder = [*bench.tap, "run", "-o", str(path), "--ingest", "later", "--"]
        plugin = [*bench.tap, "replay", str(tape), "--as", "plugin", "--pace", "0", "--no-record"]
        plan = Plan(str(tape), "host", AT_ONCE)
        with stderr_in(folder / "stderr"):
            played = play_host(it.recording, it.session, plan, [*recorder, *plugin])
        journal = Path(f"{path}.wire")
        crossed = chunks_in(journal)
        journal.unlink()  # nobody waits for what would be made of it
        expected = recorded(it)
    if played.verdict.differs:
        return False
    streams: list[tuple[Stream, ...]] = [("in", "out"), ("err",)]
    return all(
        [it for it in crossed if it[0] in those] == without_times(expected, *those)
        for those in streams
    )


@contextmanager
def stderr_in(path: Path) -> Iterator[None]:
    """Have what is started write its stderr to a file: to the null device, none is recorded."""
    before = os.dup(2)
    with path.open("wb") as file:
        os.dup2(file.fileno(), 2)
    try:
        yield
    finally:
        os.dup2(before, 2)
        os.close(before)


def chunks_in(journal: Path) -> Writes:
    """Return what crossed, read by read."""
    writes: Writes = []
    descriptor = os.open(journal, os.O_RDONLY)
    try:
        reader = JournalReader(descriptor)
        while records := reader.read():
            writes += [(STREAMS[it.stream], it.data) for it in records if it.kind == CHUNK]
    finally:
        os.close(descriptor)
    return writes
