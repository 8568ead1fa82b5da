"""Small recordings for the tests of the store: written by hand, row by row."""

import json
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from dataclasses import replace
from typing import Any

from tapproxy_store.recording import MessageRow, RecordingWriter, TotalsRow, create_or_open
from tapproxy_store.records import ASKED_FOR, Chunk, Event, Frame, Message, Session, Told

FACTS = {"argv": ["my plugin", "--verbose"], "cwd": "/home/ada", "pid": 4242}
STARTED_NS = 1_796_070_605_123_456_789  # 2026-11-30T20:30:05.123456789Z


def session(number: int = 1, *, live: bool = False) -> Session:
    return Session(
        id=number,
        name="my plugin",
        started_ns=STARTED_NS,
        started_mono_ns=987_654_321_123,
        duration_ns=None if live else 3_000_000_000,
        outcome=None if live else "exit 0",
        framing="lines",
        facts=FACTS,
    )


RECORDS: tuple[Chunk | Event, ...] = (
    Event(1, 1, 0, "spawn", {"pid": 4243}),
    Chunk(2, 1, "in", 1_000_000, 0, b'{"id":1}\n{"id":2}\n'),
    Chunk(3, 1, "out", 2_500_000, 0, b'{"id":1,"r":"\xe4\xbd'),
    Chunk(4, 1, "err", 2_600_000, 0, b"warning: \xff\x00\x1b[31m\r\n"),
    Chunk(5, 1, "out", 1_500_000_000, 15, b'\xa0"}\nleft over'),
    Event(6, 1, 1_600_000_000, "eof", {"stream": "out", "by": "plugin"}),
    Event(7, 1, 3_000_000_000, "exit", {"code": 0}),
)
"""Two requests in one chunk, an answer whose character is split, bytes that are no text."""

FRAMES: tuple[Frame, ...] = (
    Frame(1, 1, "in", 0, 9, 2, 2, 1_000_000, 1_000_000, 0, "LF", None),
    Frame(1, 2, "in", 9, 18, 2, 2, 1_000_000, 1_000_000, 0, "LF", None),
    Frame(1, 3, "err", 0, 18, 4, 4, 2_600_000, 2_600_000, 0, "CRLF", None),
    Frame(1, 4, "out", 0, 19, 3, 5, 2_500_000, 1_500_000_000, 0, "LF", None),
    Frame(1, 5, "out", 19, 28, 5, 5, 1_500_000_000, 1_500_000_000, 0, "none", "unfinished"),
)

TOTALS: tuple[TotalsRow, ...] = (
    (1, "in", 1, 18, 2),
    (1, "out", 2, 28, 2),
    (1, "err", 1, 18, 1),
)


def message(frame: int, part: int = 0, **others: Any) -> Message:
    """Make a message that says nothing, but for what `others` say."""
    nothing: dict[str, Any] = dict.fromkeys(Message._fields)
    its = {"session": 1, "frame": frame, "part": part, "kind": "unknown", "asks": 0, "summary": ""}
    return Message(**nothing | its | others)


QUESTION = message(
    1,
    kind="request",
    method="read",
    id="1",
    asks=1,
    summary="the first",
    within_ns=3_000_000_000,
    answered_after_ns=1_499_000_000,
)
UNANSWERED = message(
    2, kind="request", method="read", id="2", asks=1, summary="the second", run="read"
)
ANSWER = message(
    4,
    kind="response",
    method="read",
    id="1",
    summary="r: 你",
    answers=1,
    answers_part=0,
    latency_ns=1_499_000_000,
    about=1,
)
RUBBISH = message(5, flags="invalid unfinished", note="it is not JSON")

MESSAGES = (QUESTION, UNANSWERED, ANSWER, RUBBISH)
DECODED = b'{"id":1,"r":{"opened":true}}'
"""What the answer says with its inner layers opened."""

TOLD = (
    Told(FRAMES[0], (QUESTION,)),
    Told(FRAMES[1], (UNANSWERED,)),
    Told(FRAMES[2], ()),
    Told(FRAMES[3], (ANSWER,)),
    Told(FRAMES[4], (RUBBISH,)),
)

SPOKEN = replace(session(), dialect="jsonrpc", dialect_reason=ASKED_FOR, traits=("calm", "curt"))
"""The session once a person has said by which dialect to read it."""


def write(
    path: str,
    records: Iterable[Chunk | Event] = RECORDS,
    frames: Iterable[Frame] = FRAMES,
    sessions: Iterable[Session] = (session(),),
    messages: Iterable[Message] = (),
) -> str:
    """Make a finished recording; return its path."""
    with create_or_open(path) as writer:
        add(writer, records, frames, sessions, messages)
        writer.finish()
    return path


def write_spoken(path: str) -> str:
    """Make a finished recording that has everything, as an ingester leaves it."""
    with create_or_open(path) as writer:
        add(writer, RECORDS, FRAMES, [SPOKEN], MESSAGES)
        writer.begin()
        writer.put_totals(TOTALS)
        writer.commit()
        writer.finish()
    return path


def add(
    writer: RecordingWriter,
    records: Iterable[Chunk | Event],
    frames: Iterable[Frame] = (),
    sessions: Iterable[Session] = (),
    messages: Iterable[Message] = (),
) -> None:
    """Write one transaction."""
    writer.begin()
    for one in sessions:
        writer.put_session(one)
    records = list(records)
    chunks = [record for record in records if isinstance(record, Chunk)]
    events = [record for record in records if isinstance(record, Event)]
    rows = [(it.seq, it.session, it.t_ns, it.kind, json.dumps(it.detail)) for it in events]
    writer.insert(chunks, rows, frames, map(message_row, messages))
    writer.commit()


def message_row(it: Message) -> MessageRow:
    """Return the row of a message; ANSWER's has more layers than its frame shows."""
    return (*it[:-1], DECODED if it == ANSWER else None)


def query(path: str, sql: str, values: tuple[object, ...] = ()) -> list[tuple[Any, ...]]:
    """Ask a file as somebody would who has SQLite and nothing of ours; changes are kept."""
    with closing(sqlite3.connect(path)) as connection, connection:
        return connection.execute(sql, values).fetchall()
