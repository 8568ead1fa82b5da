"""Reads long tables in pages, each a short transaction.

So memory stays flat, and a reader who pauses (in a pager) keeps no writer waiting.
"""

import sqlite3
from collections.abc import Iterator
from typing import Any, NamedTuple

from tapproxy_store.records import Chunk, Event, Stream, Told
from tapproxy_store.rows import (
    SELECT_CHUNKS,
    SELECT_EVENTS,
    SELECT_TOLD,
    Row,
    chunks_of,
    events_of,
    told_of,
    weight,
)
from tapproxy_store.sqlite_errors import SQLITE_ERRORS, BentRow, reading

PAGE_ROWS = 2000
"""Rows of a page: some 600 kB as frames."""
PAGE_BYTES = 1 << 20
"""Bytes of a page, one chunk more or less."""

LAST = (1 << 63) - 1
"""The largest seq that SQLite can hold."""

_CHUNKS = f"""{SELECT_CHUNKS}
    WHERE session = ? AND seq > ? AND seq <= ? ORDER BY seq"""
_STREAM_CHUNKS = f"""{SELECT_CHUNKS}
    WHERE session = ? AND seq > ? AND seq <= ? AND stream = ? ORDER BY seq"""
_EVENTS = f"""{SELECT_EVENTS}
    WHERE session = ? AND seq > ? AND seq <= ? ORDER BY seq"""
_TOLD = f"""{SELECT_TOLD}
    WHERE f.session = ? AND (f.last_chunk, f.number) > (?, ?) AND f.last_chunk <= ?%s
    ORDER BY f.last_chunk, f.number, m.part"""


class Selection(NamedTuple):
    """Which frames are wanted: an SQL expression over frames, `f`, and their messages, `m`."""

    where: str = ""
    values: tuple[object, ...] = ()
    times: tuple[int, int] | None = None  # events from this to that are wanted too, nanoseconds


class Pages:
    """The rows of one recording, as records in their order, up to a seq."""

    def __init__(self, connection: sqlite3.Connection, path: str) -> None:
        self._connection = connection
        self._path = path

    def chunks(
        self, session: int, last: int = LAST, stream: Stream | None = None
    ) -> Iterator[Chunk]:
        """Yield the chunks of a session, or of one stream."""
        after = 0
        while page := self._chunks((session, after, last), stream):
            yield from page
            after = page[-1].seq

    def events(self, session: int, last: int = LAST, after: int = 0) -> Iterator[Event]:
        """Yield the events of a session past the seq `after`."""
        while page := self._events((session, after, last)):
            yield from page
            after = page[-1].seq

    def told(
        self, session: int, last: int = LAST, selection: Selection | None = None, after: int = 0
    ) -> Iterator[Told]:
        """Yield frames with their messages, each where its last byte arrived: past `after`."""
        place = (after, LAST)
        while page := self._told((session, *place, last), selection or Selection()):
            yield from page
            place = (page[-1].frame.last_chunk, page[-1].frame.number)

    def _chunks(self, place: tuple[int, ...], stream: Stream | None) -> list[Chunk]:
        with reading(self._path):
            if stream is None:
                rows = self._page(_CHUNKS, place)
            else:
                rows = self._page(_STREAM_CHUNKS, (*place, stream))
            chunks = chunks_of(rows)
            _check_order(place[1], [chunk.seq for chunk in chunks])
        return chunks

    def _events(self, place: tuple[int, ...]) -> list[Event]:
        with reading(self._path):
            events = events_of(self._page(_EVENTS, place))
            _check_order(place[1], [event.seq for event in events])
        return events

    def _told(self, place: tuple[int, ...], selection: Selection) -> list[Told]:
        sql = _TOLD % (f" AND ({selection.where})" if selection.where else "")
        with reading(self._path):
            rows = self._page(sql, (*place, *selection.values), together=2)
            told = told_of(rows)
            keys = [(it.frame.last_chunk, it.frame.number) for it in told[-1:]]
            _check_order((place[1], place[2]), keys)
        return told

    def _page(
        self, sql: str, values: tuple[object, ...], together: int = 0
    ) -> list[Row]:
        """Read rows whose last column is the long one.

        Rows whose first columns, so many, are the same come `together`. Those before a damaged
        place are returned: the next page begins there, and tells of it.
        """
        rows: list[Row] = []
        size, is_full = 0, False
        try:
            for row in self._connection.execute(sql, values):
                if is_full and row[:together] != rows[-1][:together]:
                    break
                rows.append(row)
                size += weight(row[-1])
                is_full = size >= PAGE_BYTES or len(rows) >= PAGE_ROWS
                if is_full and not together:
                    break
        except SQLITE_ERRORS:
            if not rows:
                raise
        return rows


def _check_order(after: Any, keys: list[Any]) -> None:
    """Refuse rows that go backward: in a damaged file they could go round for ever."""
    for key in keys:
        if key <= after:
            raise BentRow("its rows are out of order")
        after = key
