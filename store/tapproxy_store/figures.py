"""Counts, sizes, latencies and silences of a session: from SQL, in short reads."""

import json
import sqlite3
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from tapproxy_store.durations import Durations
from tapproxy_store.pages import LAST, Selection
from tapproxy_store.records import STREAMS, Stream
from tapproxy_store.rows import Row
from tapproxy_store.silences import SIDES, Silence, Silences, longest_silences
from tapproxy_store.sqlite_errors import BentRow, reading

PAGE_FRAMES = 4000
"""Frames of one read: so few are grouped in the processor's cache, a quarter faster than all."""

HEARTBEAT = "heartbeat"
"""The kind of a message that says no more than that its side is alive."""

_FRAMES = """FROM frames AS f
    LEFT JOIN messages AS m ON m.session = f.session AND m.frame = f.number
    WHERE f.session = ? AND f.number BETWEEN ? AND ?{selected}"""

_NUMBERED = "f.number IN (SELECT value FROM json_each(?))"

# Conditions on messages come as `(…) IS TRUE`: else SQLite may take the LEFT JOIN for an inner one,
# begin with the messages, and read all of them for each page.
_TRAFFIC = f"""SELECT
    CASE WHEN m.method IS NULL AND m.answers IS NOT NULL THEN (
        SELECT q.method FROM messages AS q
        WHERE q.session = m.session AND q.frame = m.answers AND q.part = m.answers_part
    ) ELSE m.method END,
    m.kind, f.stream, count(*),
    sum((f.end_offset - f.start_offset) * (ifnull(m.part, 0) = 0)),
    count(CASE WHEN ' ' || m.flags || ' ' LIKE '% error %' THEN 1 END),
    ifnull(sum(m.asks), 0),
    count(CASE WHEN m.asks AND NOT EXISTS (
        SELECT 1 FROM messages AS a
        WHERE a.session = m.session AND a.answers = m.frame AND a.answers_part = m.part
    ) THEN 1 END),
    group_concat(m.latency_ns)
    {_FRAMES} GROUP BY 1, 2, 3"""
_HEARD = """SELECT number, stream, first_ns, last_ns FROM frames
    WHERE session = ? AND number BETWEEN ? AND ? AND stream <> 'err' ORDER BY number"""
_HEARD_IN_PART = f"""SELECT f.number, f.stream, f.first_ns, f.last_ns {_FRAMES}
    AND f.stream <> 'err' AND m.kind IS NOT '{HEARTBEAT}' ORDER BY f.number"""
_NEXT_FRAME = "SELECT min(number) FROM frames WHERE session = ? AND number > ?"
_END = "SELECT duration_ns FROM sessions WHERE id = ? AND duration_ns IS NOT NULL"
_SPAWN = "SELECT t_ns FROM events WHERE session = ? AND kind = 'spawn' ORDER BY seq LIMIT 1"
_FIRST_BYTE = "SELECT t_ns FROM chunks WHERE session = ? AND stream = ? ORDER BY seq LIMIT 1"
_FIRST_ANSWER = """SELECT m.frame, f.last_ns
    FROM messages AS m JOIN frames AS f ON f.session = m.session AND f.number = m.frame
    WHERE m.session = ? AND m.answers IS NOT NULL ORDER BY m.session, m.frame LIMIT 1"""
_HEARTBEATS = f"""SELECT f.number, f.stream, f.first_ns, f.last_ns {_FRAMES}
    AND (m.kind = '{HEARTBEAT}') IS TRUE ORDER BY f.number"""


@dataclass(slots=True)
class Traffic:
    """All messages of one kind and method of one side; grows while they are read."""

    stream: Stream  # in or out
    kind: str | None  # None: frames without a message
    method: str | None
    count: int = 0
    bytes: int = 0  # of their frames on the wire; a batch counts for its first message
    errors: int = 0  # with the flag `error`
    asked: int = 0  # that await an answer
    unanswered: int = 0  # of those, without one
    latencies: Durations = field(default_factory=Durations)
    # of answers: since their questions


@dataclass(frozen=True, slots=True)
class Startup:
    """When a session got going, each since its start, nanoseconds; None: that never came."""

    spawned_ns: int | None
    first_bytes_ns: dict[Stream, int]  # of in and out, where anything came
    first_answer: int | None  # number of its frame
    first_answer_ns: int | None


@dataclass(frozen=True, slots=True)
class Figures:
    """What can be counted of one session, or of what was selected of it."""

    traffic: list[Traffic]
    stderr: int  # frames of it, which are not among the traffic
    silences: Silences  # neither stderr nor heartbeats break any
    without_heartbeats: Silences  # none of a side that never sent any
    startup: Startup  # of the whole session


def figures_of(
    connection: sqlite3.Connection,
    path: str,
    session: int,
    selection: Selection | None = None,
    numbers: Sequence[int] | None = None,
) -> Figures:
    """Read what can be counted; 8 bytes of memory for each answer.

    Of all frames, or of those of a selection, or of those with these numbers, which ascend.
    Raises CannotRead, DamagedRecording.
    """
    source = _Source(connection, session, selection, numbers)
    with reading(path):
        try:
            return source.figures()
        except (TypeError, ValueError, LookupError) as error:  # checking each row would take longer
            reason = "a row of frames or messages holds values of the wrong type"
            raise BentRow(reason) from error


class _Source:
    """One session of an open recording, and what was selected of it."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        session: int,
        selection: Selection | None,
        numbers: Sequence[int] | None,
    ) -> None:
        self._connection = connection
        self._session = session
        self._selection = selection or Selection(_NUMBERED if numbers is not None else "")
        self._numbers = numbers

    def figures(self) -> Figures:
        groups = self.groups()
        traffic = [it for it in groups if it.stream != "err"]
        has_heartbeats = any(it.kind == HEARTBEAT for it in traffic)
        in_part = has_heartbeats or self._selection.where
        end_ns = self.end_ns()
        silences = longest_silences(self._pages(_HEARD_IN_PART if in_part else _HEARD), end_ns)
        return Figures(
            traffic=traffic,
            stderr=sum(it.count for it in groups if it.stream == "err"),
            silences=_with_the_mute(silences, traffic, end_ns),
            without_heartbeats=longest_silences(
                self._pages(_HEARTBEATS) if has_heartbeats else (), end_ns
            ),
            startup=self.startup(),
        )

    def groups(self) -> list[Traffic]:
        groups: dict[tuple[object, ...], Traffic] = {}
        for row in self._pages(_TRAFFIC):
            method, kind, stream, *counts, latencies = row
            if stream not in STREAMS:
                raise LookupError(stream)
            if not all(it is None or type(it) is str for it in (method, kind)):
                raise TypeError(method, kind)
            group = groups.setdefault((stream, kind, method), Traffic(stream, kind, method))
            _add(group, counts, latencies)
        return list(groups.values())

    def end_ns(self) -> int | None:
        """Return when the session was over; of what is selected of it, nothing is known after."""
        rows = [] if self._selection.where else self._integers(_END)
        return rows[0][0] if rows else None

    def startup(self) -> Startup:
        spawn = self._integers(_SPAWN)
        answer = self._integers(_FIRST_ANSWER)
        sides: tuple[Stream, ...] = ("in", "out")
        first_bytes = {side: self._integers(_FIRST_BYTE, side) for side in sides}
        return Startup(
            spawned_ns=spawn[0][0] if spawn else None,
            first_bytes_ns={side: rows[0][0] for side, rows in first_bytes.items() if rows},
            first_answer=answer[0][0] if answer else None,
            first_answer_ns=answer[0][1] if answer else None,
        )

    def _pages(self, sql: str) -> Iterator[Any]:
        where = self._selection.where
        sql = sql.format(selected=f" AND ({where}) IS TRUE" if where else "")
        last = 0
        while (first := self._read(_NEXT_FRAME, last)[0][0]) is not None:
            if type(first) is not int:
                raise TypeError(first)
            last = min(first + PAGE_FRAMES - 1, LAST)
            yield from self._read(sql, first, last, *self._values(first, last))

    def _values(self, first: int, last: int) -> tuple[object, ...]:
        """Return the values of the selection, for frames from that number to that one."""
        numbers = self._numbers
        if numbers is None:
            return self._selection.values
        page = numbers[bisect_left(numbers, first) : bisect_right(numbers, last)]
        return (json.dumps(list(page)),)

    def _integers(self, sql: str, *values: object) -> list[Row]:
        rows = self._read(sql, *values)
        if not all(type(it) is int for row in rows for it in row):
            raise TypeError(rows)
        return rows

    def _read(self, sql: str, *values: object) -> list[Row]:
        return self._connection.execute(sql, (self._session, *values)).fetchall()


def _with_the_mute(silences: Silences, traffic: list[Traffic], end_ns: int | None) -> Silences:
    """Add each side that said nothing but heartbeats, if anything was said at all."""
    spoke = {it.stream for it in traffic if it.kind != HEARTBEAT}
    if end_ns is None or not traffic:
        return silences
    mute = {side: Silence(end_ns, None, None, 0) for side in SIDES if side not in spoke}
    return Silences(silences.both, silences.by_side | mute)


def _add(group: Traffic, counts: list[int], latencies: str | None) -> None:
    if not all(type(it) is int for it in counts):
        raise TypeError(counts)
    count, size, errors, asked, unanswered = counts
    group.count += count
    group.bytes += size
    group.errors += errors
    group.asked += asked
    group.unanswered += unanswered
    if latencies:
        group.latencies.extend(map(int, latencies.split(",")))
