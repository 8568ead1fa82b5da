"""What is sent in bulk, through a pipe or straight into a journal."""

import json
import time
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path

from tapproxy_store import journal


@dataclass(frozen=True, slots=True)
class Flood:
    """`count` writes of `size` bytes, each a line."""

    name: str
    count: int
    size: int


LINES = Flood("300,000 lines of 40 B", 300_000, 40)
BLOCKS = Flood("1 GB in 64 KiB writes", 16384, 65536)

PACE_NS = 10_000
"""Between two chunks of a prepared journal."""

FACTS: dict[str, object] = {"argv": ["speaker"], "cwd": "/", "name": "bench", "framing": "auto"}


def line_of(size: int) -> bytes:
    """Return a line that looks like JSON, as most programs' lines on stdout do."""
    return b"{" + b"x" * (size - 3) + b"}\n"


def prepare_journal(path: Path, flood: Flood) -> None:
    """Write the journal of an orderly session whose child said the flood, a chunk each write."""
    line = line_of(flood.size)
    start = time.monotonic_ns()
    with path.open("wb") as file:
        file.write(journal.HEADER.pack(journal.MAGIC, start, time.time_ns(), 0, 0, 0, 0))
        file.write(told(journal.FACTS, start, FACTS))
        file.write(told(journal.EVENT, start, {"kind": "spawn", "pid": 1}))
        for number, data in enumerate(repeat(line, flood.count)):
            file.write(
                record(journal.CHUNK, 1, start + number * PACE_NS, number * flood.size, data)
            )
        over = start + flood.count * PACE_NS
        file.write(told(journal.EVENT, over, {"kind": "exit", "code": 0}))
        file.write(told(journal.END, over, {"wall_ns": time.time_ns()}))


def told(kind: int, t_ns: int, value: dict[str, object]) -> bytes:
    """Pack a record that holds JSON."""
    return record(kind, journal.NO_STREAM, t_ns, 0, json.dumps(value).encode())


def record(kind: int, stream: int, t_ns: int, offset: int, data: bytes) -> bytes:
    """Pack a record."""
    return journal.RECORD.pack(journal.MARK, kind, stream, len(data), t_ns, offset) + data
