"""Turns rows into records, and refuses rows that only damage can have made."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from tapproxy_store.exact_json import finite, refuse
from tapproxy_store.records import STREAMS, Chunk, Event, Frame, Session
from tapproxy_store.sqlite_errors import BentRow

SELECT_SESSIONS = """SELECT
    id, name, started_ns, started_mono_ns, duration_ns, outcome, framing, facts
    FROM sessions"""
SELECT_CHUNKS = "SELECT seq, session, stream, t_ns, start_offset, bytes FROM chunks"
SELECT_EVENTS = "SELECT seq, session, t_ns, kind, detail FROM events"
SELECT_FRAMES = """SELECT
    session, number, stream, start_offset, end_offset, first_chunk, last_chunk, first_ns, last_ns,
    header_size, terminator, flaw
    FROM frames"""
"""The beginnings of all queries for records: columns in the order of the records' fields."""

TERMINATORS = {"none": 0, "LF": 1, "CRLF": 2, "CRCRLF": 3}
"""Bytes at a frame's end that are not of its body."""

Row = tuple[Any, ...]

_INT, _TEXT, _BYTES = frozenset({int}), frozenset({str}), frozenset({bytes})
_OR_NULL = frozenset({type(None)})

_SESSION = (_INT, _TEXT, _INT, _INT, _INT | _OR_NULL, _TEXT | _OR_NULL, _TEXT, _TEXT)
_CHUNK = (_INT, _INT, _TEXT, _INT, _INT, _BYTES)
_EVENT = (_INT, _INT, _INT, _TEXT, _TEXT)
_FRAME = (_INT, _INT, _TEXT, *[_INT] * 7, _TEXT, _TEXT | _OR_NULL)


def sessions_of(rows: Sequence[Row]) -> list[Session]:
    """Return the sessions of rows of SELECT_SESSIONS."""
    _columns("sessions", rows, _SESSION)
    return [Session(*_with_object(row)) for row in rows]


def checked_chunks(rows: Sequence[Row]) -> Sequence[Row]:
    """Return the rows of SELECT_CHUNKS once they are known to be sound."""
    columns = _columns("chunks", rows, _CHUNK)
    _check_words("chunks", columns[2], STREAMS)
    _check_natural("chunks", columns[3])
    _check_natural("chunks", columns[4])
    return rows


def chunks_of(rows: Sequence[Row]) -> list[Chunk]:
    """Return the chunks of rows of SELECT_CHUNKS."""
    return [Chunk(*row) for row in checked_chunks(rows)]


def events_of(rows: Sequence[Row]) -> list[Event]:
    """Return the events of rows of SELECT_EVENTS."""
    columns = _columns("events", rows, _EVENT)
    _check_natural("events", columns[2])
    return [Event(*_with_object(row)) for row in rows]


def frames_of(rows: Sequence[Row]) -> list[Frame]:
    """Return the frames of rows of SELECT_FRAMES."""
    columns = _columns("frames", rows, _FRAME)
    _check_words("frames", columns[2], STREAMS)
    _check_words("frames", columns[10], TERMINATORS)
    return list(map(Frame._make, rows))


def weight(value: object) -> int:
    """Return how much memory the long value of a row takes, whatever damage has put there."""
    return len(value) if isinstance(value, bytes | str) else 0


def json_object(text: str) -> dict[str, Any]:
    """Return the object; what is none is shown under `unreadable`, so that the rest can be read."""
    try:
        value = json.loads(text, parse_constant=refuse, parse_float=finite)
    except (ValueError, RecursionError):
        return {"unreadable": text}
    return value if isinstance(value, dict) else {"unreadable": text}


def _with_object(row: Row) -> Row:
    return (*row[:-1], json_object(row[-1]))


def _columns(
    table: str, rows: Sequence[Row], kinds: Sequence[frozenset[type]]
) -> Sequence[Sequence[Any]]:
    """Return the rows as columns: a column's types are checked faster than a row's."""
    if not rows:
        return [()] * len(kinds)
    columns = list(zip(*rows, strict=True))
    for column, allowed in zip(columns, kinds, strict=True):
        if not allowed.issuperset(map(type, column)):
            raise BentRow(f"a row of {table} holds values of the wrong type")
    return columns


def _check_words(table: str, words: Sequence[str], known: Iterable[str]) -> None:
    if strange := set(words).difference(known):
        raise BentRow(f"a row of {table} says {min(strange)!r}")


def _check_natural(table: str, numbers: Sequence[int]) -> None:
    if min(numbers, default=0) < 0:
        raise BentRow(f"a row of {table} has a number below zero")
