"""Reads logs that stand in the tests."""

from collections.abc import Sequence
from typing import Literal

import pytest

from tapproxy.importing.api import BadImport, Format, Record, Source
from tapproxy.importing.formats import read
from tapproxy_store.records import Chunk, Event, Session

SECOND = 10**9
MODIFIED_NS = 1_796_089_400 * SECOND  # 2026-12-01T01:43:20Z


def source(name: str = "a.log", direction: Literal["in", "out"] | None = None) -> Source:
    return Source(name, MODIFIED_NS, direction)


def records(
    form: Format, *lines: str | bytes, direction: Literal["in", "out"] | None = None
) -> list[Record]:
    """Return what the log a.log holds."""
    return list(read(form, encoded(lines), source(direction=direction)))


def told(found: Sequence[Record]) -> list[tuple[object, ...]]:
    """Return what a reader looks for: seconds, stream and bytes, or what happened."""
    return [_told(record) for record in found]


def error(form: Format, *lines: str | bytes) -> str:
    """Return what the user is told about the log a.log."""
    with pytest.raises(BadImport) as raised:
        records(form, *lines)
    return str(raised.value)


def encoded(lines: Sequence[str | bytes]) -> list[bytes]:
    """Return the lines as a file has them."""
    return [(it.encode() if isinstance(it, str) else it) + b"\n" for it in lines]


def _told(record: Record) -> tuple[object, ...]:
    match record:
        case Session():
            return (record.name, (record.started_ns - MODIFIED_NS) / SECOND)
        case Event():
            return (record.t_ns / SECOND, record.kind, record.detail)
        case Chunk():
            return (record.t_ns / SECOND, record.stream, record.data)
