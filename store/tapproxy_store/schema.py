"""The schema in plain SQL: the steps that lead from nothing to the newest version."""

from typing import NamedTuple

APPLICATION_ID = 0x74617031
"""`tap1`: what `PRAGMA application_id` says of a recording."""

MAGIC = b"SQLite format 3\0"
"""With this every SQLite file begins."""

PAGE_SIZE = 8192
"""Bytes. Larger pages take large chunks faster (4096: -20 %, 16384: +10 %), but an empty recording
has ten of them."""


class Step(NamedTuple):
    """One step from a version to the next; what has been released is never changed."""

    name: str
    statements: tuple[str, ...]


STEPS: tuple[Step, ...] = (
    Step(
        "1 sessions, chunks, events, frames",
        (
            """
CREATE TABLE sessions (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    started_at TEXT NOT NULL,
    started_ns INTEGER NOT NULL,
    started_mono_ns INTEGER NOT NULL,
    duration_ns INTEGER,
    outcome TEXT,
    framing TEXT NOT NULL,
    command TEXT NOT NULL,
    facts TEXT NOT NULL
)""",
            """
CREATE TABLE chunks (
    seq INTEGER PRIMARY KEY,
    session INTEGER NOT NULL REFERENCES sessions (id),
    stream TEXT NOT NULL,
    t_ns INTEGER NOT NULL,
    start_offset INTEGER NOT NULL,
    bytes BLOB NOT NULL
)""",
            """
CREATE TABLE events (
    seq INTEGER PRIMARY KEY,
    session INTEGER NOT NULL REFERENCES sessions (id),
    t_ns INTEGER NOT NULL,
    kind TEXT NOT NULL,
    detail TEXT NOT NULL
)""",
            """
CREATE TABLE frames (
    session INTEGER NOT NULL REFERENCES sessions (id),
    number INTEGER NOT NULL,
    stream TEXT NOT NULL,
    start_offset INTEGER NOT NULL,
    end_offset INTEGER NOT NULL,
    first_chunk INTEGER NOT NULL REFERENCES chunks (seq),
    last_chunk INTEGER NOT NULL REFERENCES chunks (seq),
    first_ns INTEGER NOT NULL,
    last_ns INTEGER NOT NULL,
    header_size INTEGER NOT NULL,
    terminator TEXT NOT NULL,
    flaw TEXT,
    PRIMARY KEY (session, number)
) WITHOUT ROWID""",
            "CREATE INDEX frames_in_order ON frames (session, last_chunk, number)",
            "CREATE INDEX events_in_order ON events (session, seq)",
        ),
    ),
    Step(
        "2 messages, totals, dialects",
        (
            """
CREATE TABLE messages (
    session INTEGER NOT NULL REFERENCES sessions (id),
    frame INTEGER NOT NULL,
    part INTEGER NOT NULL,
    kind TEXT NOT NULL,
    method TEXT,
    id TEXT,
    asks INTEGER NOT NULL,
    summary TEXT NOT NULL,
    answers INTEGER,
    answers_part INTEGER,
    latency_ns INTEGER,
    about INTEGER,
    within_ns INTEGER,
    run TEXT,
    flags TEXT,
    note TEXT,
    decoded BLOB,
    PRIMARY KEY (session, frame, part)
) WITHOUT ROWID""",
            """
CREATE INDEX messages_by_question ON messages (session, answers, answers_part)
    WHERE answers IS NOT NULL""",
            """
CREATE TABLE totals (
    session INTEGER NOT NULL REFERENCES sessions (id),
    stream TEXT NOT NULL,
    chunks INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    frames INTEGER NOT NULL,
    PRIMARY KEY (session, stream)
) WITHOUT ROWID""",
            "ALTER TABLE sessions ADD COLUMN dialect TEXT",
            "ALTER TABLE sessions ADD COLUMN dialect_reason TEXT",
            "ALTER TABLE sessions ADD COLUMN traits TEXT",
        ),
    ),
)


def newest_version() -> int:
    """Return the version of a file that has taken all steps; `PRAGMA user_version` says it."""
    return len(STEPS)
