"""Turns rows into records, and refuses rows that only damage can have made."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

from tapproxy_store.exact_json import BadLine, plain
from tapproxy_store.records import STREAMS, Chunk, Event, Frame, Message, Session, Told
from tapproxy_store.sqlite_errors import BentRow

SELECT_SESSIONS = """SELECT
    id, name, started_ns, started_mono_ns, duration_ns, outcome, framing, facts,
    dialect, dialect_reason, traits
    FROM sessions"""
SELECT_CHUNKS = "SELECT seq, session, stream, t_ns, start_offset, bytes FROM chunks"
SELECT_EVENTS = "SELECT seq, session, t_ns, kind, detail FROM events"
"""The beginnings of all queries for records: columns in the order of the records' fields."""

FRAME_COLUMNS = 12
SELECT_TOLD = """SELECT
    f.session, f.number, f.stream, f.start_offset, f.end_offset, f.first_chunk, f.last_chunk,
    f.first_ns, f.last_ns, f.header_size, f.terminator, f.flaw,
    m.session, m.frame, m.part, m.kind, m.method, m.id, m.asks, m.summary, m.answers,
    m.answers_part, m.latency_ns, m.about, m.within_ns, m.run, m.flags, m.note,
    CASE m.asks WHEN 1 THEN (
        SELECT a.latency_ns FROM messages AS a INDEXED BY messages_by_question
        WHERE a.session = m.session AND a.answers = m.frame AND a.answers_part = m.part
        LIMIT 1
    ) END
    FROM frames AS f LEFT JOIN messages AS m ON m.session = f.session AND m.frame = f.number"""
"""The beginning of a query for frames, `f`, with their messages, `m`: one row for each message, and
one, of NULLs, for a frame that has none. The index must be named: SQLite would rather go through
all messages for each question."""
TOLD_TEXTS = (16, 17, 19)
"""Columns of SELECT_TOLD that are as long as a peer makes them: method, id and summary."""

TERMINATORS = {"none": 0, "LF": 1, "CRLF": 2, "CRCRLF": 3}
"""Bytes at a frame's end that are not of its body."""

Row = tuple[Any, ...]

_new = tuple.__new__  # half the cost of Frame(...), and there is one for every row

_INT, _TEXT, _BYTES = frozenset({int}), frozenset({str}), frozenset({bytes})
_MAYBE_INT, _MAYBE_TEXT = _INT | {type(None)}, _TEXT | {type(None)}

_SESSION = (
    _INT, _TEXT, _INT, _INT, _MAYBE_INT, _MAYBE_TEXT, _TEXT, _TEXT, *[_MAYBE_TEXT] * 3,
)  # fmt: skip
_CHUNK = (_INT, _INT, _TEXT, _INT, _INT, _BYTES)
_EVENT = (_INT, _INT, _INT, _TEXT, _TEXT)
_FRAME = (_INT, _INT, _TEXT, *[_INT] * 7, _TEXT, _MAYBE_TEXT)
_PART = FRAME_COLUMNS + 2
_MESSAGE_NEEDS = (0, 1, 2, 3, 6, 7)  # session, frame, part, kind, asks, summary
_MESSAGE = (
    *[_MAYBE_INT] * 3, *[_MAYBE_TEXT] * 3, _MAYBE_INT, _MAYBE_TEXT, *[_MAYBE_INT] * 5,
    *[_MAYBE_TEXT] * 3, _MAYBE_INT,
)  # fmt: skip


def sessions_of(rows: Sequence[Row]) -> list[Session]:
    """Return the sessions of rows of SELECT_SESSIONS."""
    _columns("sessions", rows, _SESSION)
    return [Session(*(*row[:7], json_object(row[7]), *row[8:10], _texts(row[10]))) for row in rows]


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


def told_of(rows: Sequence[Row]) -> list[Told]:
    """Return the frames of rows of SELECT_TOLD, each with its messages in their order."""
    columns = _columns("frames or messages", rows, _FRAME + _MESSAGE)
    _check_words("frames", columns[2], STREAMS)
    _check_words("frames", columns[10], TERMINATORS)
    # Where there is no message all columns are NULL, so that one count for all is none too many.
    if len({columns[FRAME_COLUMNS + at].count(None) for at in _MESSAGE_NEEDS}) > 1:
        raise BentRow("a row of messages lacks a value")
    if len(set(columns[1])) == len(rows):
        return list(map(_told, zip(rows)))
    return [_told(_in_parts(group)) for _, group in groupby(rows, itemgetter(1))]


def _in_parts(rows: Iterable[Row]) -> tuple[Row, ...]:
    try:
        return tuple(sorted(rows, key=itemgetter(_PART)))
    except TypeError as error:
        raise BentRow("two frames have the same number") from error


def _told(rows: tuple[Row, ...]) -> Told:
    frame = _new(Frame, rows[0][:FRAME_COLUMNS])
    if rows[0][_PART] is None:
        return _new(Told, (frame, ()))
    return _new(Told, (frame, tuple([_new(Message, row[FRAME_COLUMNS:]) for row in rows])))


def checked_totals(rows: Sequence[Row]) -> Sequence[Row]:
    """Return rows of stream, chunks, bytes, frames once they are known to be sound."""
    columns = _columns("totals", rows, (_TEXT, _INT, _INT, _INT))
    _check_words("totals", columns[0], STREAMS)
    for column in columns[1:]:
        _check_natural("totals", column)
    return rows


def checked_seq(seq: object) -> int:
    """Return the number once it is known to be one: a table of another's making takes any value."""
    if type(seq) is not int:
        raise BentRow("the seq of a chunk or an event is no whole number")
    return seq


def weight(value: object) -> int:
    """Return how much memory the long value of a row takes, whatever damage has put there."""
    return len(value) if isinstance(value, bytes | str) else 0


def json_object(text: str) -> dict[str, Any]:
    """Return the object; what is none is shown under `unreadable`, so that the rest can be read."""
    try:
        value = plain(text)
    except BadLine:
        return {"unreadable": text}
    return value if isinstance(value, dict) else {"unreadable": text}


def _texts(text: str | None) -> tuple[str, ...]:
    """Return the texts of a JSON list; none where it is no such list."""
    try:
        values = plain(text or "[]")
    except BadLine:
        return ()
    return tuple(it for it in values if isinstance(it, str)) if isinstance(values, list) else ()


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
        if not set(map(type, column)) <= allowed:
            raise BentRow(f"a row of {table} holds values of the wrong type")
    return columns


def _check_words(table: str, words: Sequence[str], known: Iterable[str]) -> None:
    if strange := set(words).difference(known):
        raise BentRow(f"a row of {table} says {min(strange)!r}")


def _check_natural(table: str, numbers: Sequence[int]) -> None:
    if min(numbers, default=0) < 0:
        raise BentRow(f"a row of {table} has a number below zero")
