"""Reads long tables in pages, each a short transaction.

So memory stays flat, and a reader who pauses (in a pager) keeps no writer waiting.
"""

import sqlite3
from collections.abc import Iterator
from typing import Any, NamedTuple

from tapproxy_store.bounds import Extent, Passed
from tapproxy_store.records import MOST_SESSIONS, Chunk, Event, Session, Stream
from tapproxy_store.rows import (
    SELECT_CHUNKS,
    SELECT_EVENTS,
    SELECT_SESSIONS,
    Row,
    chunks_of,
    events_of,
    sessions_of,
    weight,
)
from tapproxy_store.sqlite_errors import SQLITE_ERRORS, BentRow, reading

PAGE_ROWS = 2000
"""Rows of a page: some 3 MB as frames with their messages."""
PAGE_BYTES = 1 << 20
"""Bytes of a page, one chunk more or less."""

LAST = (1 << 63) - 1
"""The largest seq that SQLite can hold."""

_SESSIONS = f"{SELECT_SESSIONS} ORDER BY id LIMIT {MOST_SESSIONS + 1}"
_CHUNKS = f"""{SELECT_CHUNKS}
    WHERE session = ? AND seq > ? AND seq <= ? ORDER BY seq"""
_STREAM_CHUNKS = f"""{SELECT_CHUNKS}
    WHERE session = ? AND seq > ? AND seq <= ? AND stream = ? ORDER BY seq"""
_EVENTS = f"""{SELECT_EVENTS}
    WHERE session = ? AND seq > ? AND seq <= ? ORDER BY seq"""


class Selection(NamedTuple):
    """Which frames are wanted: an SQL expression over frames, `f`, and their messages, `m`.

    Of a frame without messages all columns of `m` are NULL.
    """

    where: str = ""
    values: tuple[object, ...] = ()
    times: tuple[int, int] | None = None  # events from this to that are wanted too, nanoseconds
    numbers: tuple[int, int] | None = None  # of frames, from this to that: others cost no time


EVERYTHING = Selection()


class Pages:
    """The rows of one recording, as records in their order, up to a seq."""

    def __init__(self, connection: sqlite3.Connection, path: str, extent: Extent) -> None:
        self._connection = connection
        self._path = path
        self._extent = extent

    def sessions(self) -> list[Session]:
        """Return all sessions: they are few."""
        passed = self._extent.pass_through()
        rows: list[Row] = []
        with reading(self._path):
            for row in self._connection.execute(_SESSIONS):
                rows.append(row)
                passed.add(sum(map(weight, row)))
            if len(rows) > MOST_SESSIONS:
                raise BentRow(f"it has more than {MOST_SESSIONS:,} sessions")
            return sessions_of(rows)

    def chunks(
        self, session: int, last: int = LAST, stream: Stream | None = None
    ) -> Iterator[Chunk]:
        """Yield the chunks of a session, or of one stream."""
        after, passed = 0, self._extent.pass_through()
        while page := self._chunks((session, after, last), stream, passed):
            yield from page
            after = page[-1].seq

    def events(self, session: int, last: int = LAST, after: int = 0) -> Iterator[Event]:
        """Yield the events of a session past the seq `after`."""
        passed = self._extent.pass_through()
        while page := self._events((session, after, last), passed):
            yield from page
            after = page[-1].seq

    def _chunks(self, place: tuple[int, ...], stream: Stream | None, passed: Passed) -> list[Chunk]:
        with reading(self._path):
            if stream is None:
                rows = self._page(_CHUNKS, place, passed)
            else:
                rows = self._page(_STREAM_CHUNKS, (*place, stream), passed)
            chunks = chunks_of(rows)
            check_order(place[1], [chunk.seq for chunk in chunks])
        return chunks

    def _events(self, place: tuple[int, ...], passed: Passed) -> list[Event]:
        with reading(self._path):
            events = events_of(self._page(_EVENTS, place, passed))
            check_order(place[1], [event.seq for event in events])
        return events

    def _page(self, sql: str, values: tuple[int | str, ...], passed: Passed) -> list[Row]:
        """Read rows whose last column is the long one.

        Those before a damaged place are returned: the next page begins there, and tells of it.
        """
        rows: list[Row] = []
        size = 0
        try:
            for row in self._connection.execute(sql, values):
                rows.append(row)
                size += weight(row[-1])
                if size >= PAGE_BYTES or len(rows) == PAGE_ROWS:
                    break
        except SQLITE_ERRORS:
            if not rows:
                raise
        passed.add(size)
        return rows


def check_order(after: Any, keys: list[Any]) -> None:
    """Refuse rows that go backward, by BentRow: in a damaged file they could go round for ever."""
    for key in keys:
        if key <= after:
            raise BentRow("its rows are out of order")
        after = key
