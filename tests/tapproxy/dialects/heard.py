"""Frames as a dialect hears them: of a tape, or of values; and what it makes of them."""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from tapproxy.dialects.api import Dialect, Heard, Meaning, Side
from tapproxy.ingest.cutter import SessionCutter
from tapproxy_store.recording import FrameRow
from tapproxy_store.records import STREAMS, Chunk, Session
from tapproxy_store.rows import TERMINATORS
from tapproxy_store.tape import read_tape

FIXTURES = Path(__file__).parents[3] / "fixtures"

SIDES: dict[str, Side] = {"in": "in", "out": "out"}


def heard_of(tape: Path) -> list[Heard]:
    """Return the frames of the tape's one session; those of stderr are left out, but numbered."""
    with tape.open("rb") as lines:
        session, *records = read_tape(lines, str(tape))
    assert isinstance(session, Session)
    cutter = SessionCutter(session.id, session.framing)
    bytes_of: dict[str, bytearray] = {stream: bytearray() for stream in STREAMS}
    rows: list[FrameRow] = []
    for record in records:
        if isinstance(record, Chunk):
            bytes_of[record.stream] += record.data
            rows += cutter.feed(record)
        elif not isinstance(record, Session):
            rows += cutter.happened(record)
    return list(_heard([*rows, *cutter.close()], bytes_of))


def _heard(rows: Iterable[FrameRow], bytes_of: Mapping[str, bytearray]) -> Iterator[Heard]:
    last_chunks: dict[str, int] = {}
    for row in rows:
        _, number, stream, start, end, first_chunk, last_chunk, _, t_ns, header, terminator, _ = row
        if stream in SIDES:
            body = bytes(bytes_of[stream][start + header : end - TERMINATORS[terminator]])
            shares_read = last_chunks.get(stream) == first_chunk
            yield Heard(SIDES[stream], body, number, t_ns, shares_read)
        last_chunks[stream] = last_chunk


def spoken(*lines: tuple[Side, Any]) -> list[Heard]:
    """Return frames of these values, in this order; bytes are taken as they are."""
    bodies = [it if isinstance(it, bytes) else json.dumps(it).encode() for _, it in lines]
    return [
        Heard(side, body, number)
        for number, ((side, _), body) in enumerate(zip(lines, bodies, strict=True), 1)
    ]


def ask(number: Any, method: str, **params: Any) -> dict[str, Any]:
    """Return a request of JSON-RPC."""
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def tell(method: str, **params: Any) -> dict[str, Any]:
    """Return a notification."""
    return {"jsonrpc": "2.0", "method": method, "params": params}


def answer(number: Any, **result: Any) -> dict[str, Any]:
    """Return an answer."""
    return {"jsonrpc": "2.0", "id": number, "result": result}


def meanings_of(dialect: Dialect, heard: Iterable[Heard]) -> list[tuple[str, Meaning]]:
    """Return what a dialect makes of the frames: whose words, and each meaning."""
    reading = dialect.begin([])
    return [(it.side, meaning) for it in heard for meaning in reading.read(it)]
