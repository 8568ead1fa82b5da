"""Reads frames with their messages in pages, each a short transaction, none of which tears a frame.

However a page is asked for, its plan is a walk along the frames, so that no row is read twice.
"""

import sqlite3
from collections.abc import Iterator
from itertools import chain, islice, takewhile
from operator import itemgetter
from sys import getsizeof

from tapproxy_store.bounds import Extent, Passed
from tapproxy_store.pages import PAGE_BYTES, PAGE_ROWS, Selection, check_order
from tapproxy_store.records import Frame, Told
from tapproxy_store.rows import SELECT_TOLD, TOLD_TEXTS, Row, told_of
from tapproxy_store.sqlite_errors import SQLITE_ERRORS, reading

FIRST_ROWS = 16
"""Rows of the first page; each further one has twice as many. Where a selection finds one frame in
a thousand, the first are seen while the others are looked for."""

PIECE_ROWS = 32
"""Rows that are weighed together."""

_IN_ORDER = f"""{SELECT_TOLD}
    WHERE f.session = ? AND (f.last_chunk, f.number) > (?, ?) AND f.last_chunk <= ?%s
    ORDER BY f.last_chunk, f.number"""
_BY_NUMBER = f"""{SELECT_TOLD}
    WHERE f.session = ? AND f.number > ? AND +f.last_chunk <= ? ORDER BY f.number"""
_SPAN = """SELECT min(last_chunk), max(last_chunk) FROM frames
    WHERE session = ? AND number BETWEEN ? AND ?"""
_ONE = f"{SELECT_TOLD} WHERE f.session = ? AND f.number = ?"

_its_frame = itemgetter(0, 1)  # session and number
_its_texts = itemgetter(*TOLD_TEXTS)


class ToldPages:
    """The frames of one recording, each with what it says."""

    def __init__(self, connection: sqlite3.Connection, path: str, extent: Extent) -> None:
        self._connection = connection
        self._path = path
        self._extent = extent

    def in_order(self, session: int, last: int, selection: Selection) -> Iterator[Told]:
        """Yield frames up to a seq, each where its last byte arrived."""
        terms, values, start = [selection.where], selection.values, 0
        if selection.numbers is not None:
            terms.append("f.number BETWEEN ? AND ?")
            values += selection.numbers
            start, last = self._span(session, selection.numbers, last)
        sql = _IN_ORDER % "".join(f" AND ({it})" for it in terms if it)
        place, count, passed = (start, 0), FIRST_ROWS, self._extent.pass_through()
        while page := self._page(sql, (session, *place, last, *values), count):
            self._count(page, passed)
            yield from page
            before, place = place, _place(page[-1].frame)
            self._check(before, place)
            count = min(2 * count, PAGE_ROWS)

    def by_number(self, session: int, number: int, last: int) -> Iterator[Told]:
        """Yield the frames past that number, up to a seq, in the order of their numbers."""
        passed = self._extent.pass_through()
        while page := self._page(_BY_NUMBER, (session, number, last), PAGE_ROWS):
            self._count(page, passed)
            yield from page
            before, number = number, page[-1].frame.number
            self._check(before, number)

    def find(self, session: int, number: int) -> Told | None:
        """Return one frame, None where there is none of that number."""
        page = self._page(_ONE, (session, number), count=1)
        return page[0] if page else None

    def _span(self, session: int, numbers: tuple[int, int], last: int) -> tuple[int, int]:
        """Return where in the total order, up to `last`, the frames of those numbers are."""
        with reading(self._path):
            (span,) = self._connection.execute(_SPAN, (session, *numbers))
        low, high = (it if isinstance(it, int) else 0 for it in span)
        return low, min(high, last)

    def _page(self, sql: str, values: tuple[object, ...], count: int) -> list[Told]:
        with reading(self._path):
            return told_of(self._rows(sql, values, count))

    def _count(self, page: list[Told], passed: Passed) -> None:
        """Count the bytes of the frames: they do not overlap."""
        with reading(self._path):
            passed.add(sum([max(it.frame.size, 0) for it in page]))

    def _check(self, before: object, after: object) -> None:
        with reading(self._path):
            check_order(before, [after])

    def _rows(self, sql: str, values: tuple[object, ...], count: int) -> list[Row]:
        """Read so many rows or some more: all of a frame, or none.

        Those of the frames before a damaged place are returned: the next page begins there, and
        tells of it.
        """
        rows: list[Row] = []
        try:
            cursor = self._connection.execute(sql, values)
            size = 0
            while len(rows) < count and size < PAGE_BYTES:
                piece = len(rows)
                rows.extend(islice(cursor, min(PIECE_ROWS, count - piece)))
                if len(rows) == piece:
                    return rows
                size += _size(rows[piece:])
            last = _its_frame(rows[-1])
            rows.extend(takewhile(lambda row: _its_frame(row) == last, cursor))
        except SQLITE_ERRORS:
            rows = _without_the_last_frame(rows)
            if not rows:
                raise
        return rows


def _place(frame: Frame) -> tuple[int, int]:
    return frame.last_chunk, frame.number


def _size(rows: list[Row]) -> int:
    """Return roughly how much memory the texts take, whatever damage has put there."""
    return sum(map(getsizeof, chain.from_iterable(map(_its_texts, rows))))


def _without_the_last_frame(rows: list[Row]) -> list[Row]:
    last = _its_frame(rows[-1]) if rows else None
    return list(takewhile(lambda row: _its_frame(row) != last, rows))
