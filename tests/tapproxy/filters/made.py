"""Frames with messages, made by hand, and filters asked about them in Python and in SQLite."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tapproxy.filters import Filter, parse
from tapproxy_store.records import Frame, Stream

MS = 1_000_000
"""Nanoseconds."""
SECOND = 1000 * MS

TABLES = """
CREATE TABLE frames (session, number, stream, start_offset, end_offset, last_ns, flaw,
    PRIMARY KEY (session, number)) WITHOUT ROWID;
CREATE TABLE messages (session, frame, part, kind, method, id, latency_ns, flags, answers,
    answers_part, asks, PRIMARY KEY (session, frame, part)) WITHOUT ROWID;
"""


class Said(NamedTuple):
    """A message."""

    kind: str
    method: str | None = None
    id: str | None = None
    latency_ns: int | None = None
    flags: str | None = None
    answers: int | None = None  # number of the frame
    asks: int = 0


@dataclass(frozen=True, slots=True)
class Row:
    """A candidate."""

    frame: Frame
    message: Said | None
    gap_ns: int | None
    answered: bool
    data: bytes
    opened: bytes | None

    def body(self) -> bytes:
        """Return what the frame holds."""
        return self.data

    def decoded(self) -> bytes | None:
        """Return the message with its inner layers opened."""
        return self.opened


def frame(
    number: int, stream: Stream = "out", size: int = 10, last_ns: int = 0, flaw: str | None = None
) -> Frame:
    """Make a frame."""
    return Frame(1, number, stream, 100, 100 + size, 1, 1, 0, last_ns, 0, "LF", flaw)


def row(
    said: Said | None = None,
    body: bytes = b"",
    *,
    of: Frame | None = None,
    gap_ns: int | None = None,
    opened: bytes | None = None,
) -> Row:
    """Make a candidate that nobody answers."""
    return Row(of or frame(1), said, gap_ns, answered=False, data=body, opened=opened)


def session(*said: Said | None) -> list[Row]:
    """Make frames with these messages, numbered from 1."""
    answered = {it.answers for it in said if it is not None}
    return [
        Row(frame(number), it, None, number in answered, b"", None)
        for number, it in enumerate(said, 1)
    ]


def matching(text: str, rows: Sequence[Row]) -> list[int]:
    """Return the numbers of the rows that match, having asked SQLite too."""
    chosen = parse(text)
    numbers = [it.frame.number for it in rows if chosen.matches(it)]
    selected = selected_by(chosen, rows)
    assert (selected if chosen.is_complete else sorted({*selected} & {*numbers})) == numbers
    return numbers


def matches(text: str, candidate: Row) -> bool:
    """Tell whether the row matches, having asked SQLite too."""
    return matching(text, [candidate]) != []


def selected_by(chosen: Filter, rows: Sequence[Row]) -> list[int]:
    """Return the numbers of the rows that the filter's SQL selects."""
    database = sqlite3.connect(":memory:")
    try:
        database.executescript(TABLES)
        database.executemany("INSERT INTO frames VALUES (?, ?, ?, ?, ?, ?, ?)", map(_stored, rows))
        for it in rows:
            if it.message is not None:
                _insert(database, it.frame.number, it.message)
        condition, parameters = chosen.sql()
        found = database.execute(
            "SELECT f.number FROM frames f LEFT JOIN messages m ON m.session = f.session AND"
            f" m.frame = f.number WHERE f.session = 1 AND {condition} ORDER BY f.number",
            parameters,
        )
        return [number for (number,) in found]
    finally:
        database.close()


def _stored(of: Row) -> tuple[object, ...]:
    it = of.frame
    return (1, it.number, it.stream, it.start_offset, it.end_offset, it.last_ns, it.flaw)


def _insert(database: sqlite3.Connection, number: int, said: Said) -> None:
    part = None if said.answers is None else 0
    database.execute(
        "INSERT INTO messages VALUES (1, ?, 0, ?, ?, ?, ?, ?, ?, ?, ?)",
        (number, *said[:6], part, said.asks),
    )
