"""The journal of a long session: requests of a few methods, each with its answer."""

import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from tapproxy_store import journal
from tests.bench.flood import FACTS, PACE_NS, record, told

FRAMES = 1_000_000

RARE = "resources/read"
RARE_EVERY = 1000
"""One request in so many is of the rare method."""

_METHODS = ("tools/list", "tools/call", "ping", "tools/call")
_PARAMS = {
    "tools/call": b',"params":{"name":"echo","arguments":{"text":"hello"}}',
    "resources/read": b',"params":{"uri":"file:///notes.txt"}',
}
_RESULTS = {
    "tools/list": b'{"tools":[{"name":"echo","inputSchema":{}}]}',
    "tools/call": b'{"content":[{"type":"text","text":"hello"}]}',
    "resources/read": b'{"contents":[{"uri":"file:///notes.txt","text":"note"}]}',
    "ping": b"{}",
}


def conversation() -> Iterator[tuple[int, bytes]]:
    """Yield lines without end, each with its stream's number: 0 asks, 1 answers."""
    number = 0
    while True:
        rare = number % RARE_EVERY == RARE_EVERY - 1
        method = RARE if rare else _METHODS[number % len(_METHODS)]
        head = b'{"jsonrpc":"2.0","id":%d,' % number
        params = _PARAMS.get(method, b"")
        yield 0, head + b'"method":"%b"%b}\n' % (method.encode(), params)
        yield 1, head + b'"result":%b}\n' % _RESULTS[method]
        number += 1


def prepare_rpc_journal(path: Path, frames: int, pace_ns: int = PACE_NS) -> None:
    """Write the journal of an orderly session of so many frames, a chunk each, one every pace."""
    start = time.monotonic_ns()
    offsets = [0, 0]
    with path.open("wb") as file:
        file.write(journal.HEADER.pack(journal.MAGIC, start, time.time_ns(), 0, 0, 0, 0))
        file.write(told(journal.FACTS, start, FACTS))
        file.write(told(journal.EVENT, start, {"kind": "spawn", "pid": 1}))
        for number, (stream, line) in enumerate(islice(conversation(), frames)):
            t_ns = start + number * pace_ns
            file.write(record(journal.CHUNK, stream, t_ns, offsets[stream], line))
            offsets[stream] += len(line)
        over = start + frames * pace_ns
        file.write(told(journal.EVENT, over, {"kind": "exit", "code": 0}))
        file.write(told(journal.END, over, {"wall_ns": time.time_ns()}))
