"""Recordings that no recorder makes: what somebody with SQLite can write into one, by name."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

from tapproxy_store.views import VIEWS
from tests.store.made import write_spoken

ENDLESS = """WITH RECURSIVE more (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM more)
    SELECT n FROM more"""
BOMB = "zeroblob(1000000000)"

NASTY = (
    "\x1b]0;owned\x07\x1b[2J\x9b31m\x00\x7f\r\n\t\u202e\u2066\u200b\u2028\ufeff\u200d "
    "=cmd|' /C calc'!A0;@SUM(1)\"><script>alert(1)</script>%%{init: {}}%%\nend\n```"
)
"""Terminal, direction, spreadsheet, page and diagram, in one text."""

_TABLES = ("sessions", "chunks", "events", "frames", "messages", "totals")


def _anything_goes() -> list[str]:
    """Let columns take values of every kind."""
    return [
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_master SET sql = replace(sql, ' NOT NULL', '') WHERE type = 'table'",
        "PRAGMA writable_schema = RESET",
    ]


def _instead(table: str, made: str) -> list[str]:
    dropped = [f"DROP VIEW {view}" for view in VIEWS]
    return [*dropped, f"ALTER TABLE {table} RENAME TO hidden_{table}", made]


def _numbers(low: int, high: int) -> str:
    more = f"SELECT {low} UNION ALL SELECT n + 1 FROM more WHERE n < {high}"
    return f"WITH RECURSIVE more (n) AS ({more})"


def _facts(facts: object) -> list[str]:
    return [f"UPDATE sessions SET facts = {_quoted(json.dumps(facts))}"]


def _quoted(text: str) -> str:
    """Return the text as SQL, whatever characters it has."""
    return f"CAST(x'{text.encode().hex()}' AS TEXT)"


_TRIGGERS = [
    f"CREATE TRIGGER {table}_{what} AFTER {what} ON {table} BEGIN DELETE FROM chunks; END"
    for table in _TABLES
    for what in ("INSERT", "DELETE", "UPDATE")
]
_GENERATED = """CREATE TABLE chunks (seq INTEGER PRIMARY KEY, session INTEGER, stream TEXT,
    t_ns INTEGER, start_offset INTEGER, bytes BLOB GENERATED ALWAYS AS ({}))"""
_LOOSE_FRAMES = """CREATE TABLE frames (session, number, stream, start_offset, end_offset,
    first_chunk, last_chunk, first_ns, last_ns, header_size, terminator, flaw)"""

SCHEMAS: dict[str, list[str]] = {
    "triggers": _TRIGGERS,
    "endless views": _instead("events", f"CREATE VIEW events AS {ENDLESS}"),
    "computed bytes": [
        *_instead("chunks", _GENERATED.format(BOMB)),
        "INSERT INTO chunks SELECT seq, session, stream, t_ns, start_offset FROM hidden_chunks",
    ],
    "a virtual table": _instead("events", "CREATE VIRTUAL TABLE events USING fts5(seq, session)"),
    "a check": [
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_master SET sql = replace(sql, 'flaw TEXT,', "
        f"'flaw TEXT CHECK (length(hex({BOMB})) > 0),') WHERE name = 'frames'",
    ],
    "an index that computes": [f"CREATE INDEX bomb ON frames (length({BOMB}))"],
    "no keys": [
        *_instead("frames", _LOOSE_FRAMES),
        *["INSERT INTO frames SELECT * FROM hidden_frames"] * 3,
        "CREATE INDEX frames_in_order2 ON frames (session, last_chunk, number)",
    ],
    "a seq that is no number": [
        *_instead("events", "CREATE TABLE events (seq, session, t_ns, kind, detail)"),
        "INSERT INTO events SELECT * FROM hidden_events",
        "UPDATE events SET seq = 'soon'",
    ],
    "a view of the reader's": [
        f"DROP VIEW {next(iter(VIEWS))}",
        f"CREATE VIEW {next(iter(VIEWS))} AS {ENDLESS}",
    ],
    "version 1 that is none": ["PRAGMA user_version = 1"],
    "a version from the future": ["PRAGMA user_version = 900000"],
}
"""What is wrong with the schema."""

_LONG_LIST = "[" + "[]," * 700_000 + "[]]"
_DEEP = '{"a":' * 900 + "1" + "}" * 900

VALUES: dict[str, list[str]] = {
    "numbers beyond all time": [
        "UPDATE chunks SET t_ns = 9223372036854775807, start_offset = 9223372036854775807",
        "UPDATE events SET t_ns = 9223372036854775807",
        "UPDATE frames SET last_ns = 9223372036854775807, end_offset = 9223372036854775807",
        "UPDATE sessions SET started_ns = 9223372036854775807, duration_ns = 9223372036854775807",
        "UPDATE messages SET latency_ns = 9223372036854775807, within_ns = 9223372036854775807",
        "UPDATE totals SET bytes = 9223372036854775807, frames = 9223372036854775807",
    ],
    "numbers below zero": [
        "UPDATE sessions SET started_ns = -9223372036854775808, duration_ns = -9223372036854775808",
        "UPDATE frames SET start_offset = -9223372036854775808, header_size = -5, first_ns = -1",
        "UPDATE messages SET latency_ns = -9223372036854775808, about = -1, answers_part = -7",
    ],
    "frames of everything": [
        "UPDATE frames SET first_chunk = 0, last_chunk = 9223372036854775807 - number, "
        "start_offset = 0, end_offset = 9223372036854775807, stream = 'out'"
    ],
    "many frames of the same bytes": [
        f"INSERT INTO frames {_numbers(100, 5000)} "
        "SELECT 1, n, 'out', 0, 9000000, 2, 1000, 5, 5, 0, 'LF', NULL FROM more",
        "INSERT INTO chunks VALUES (1000, 1, 'out', 1, 28, zeroblob(30000))",
    ],
    "no numbers": [*_anything_goes(), "UPDATE frames SET last_ns = 'soon'"],
    "no values": [*_anything_goes(), "UPDATE events SET detail = NULL"],
    "nothing in messages": [*_anything_goes(), "UPDATE messages SET kind = NULL, summary = NULL"],
    "text that is none": [
        "UPDATE messages SET summary = CAST(x'fffe00c328' AS TEXT)",
        "UPDATE sessions SET name = CAST(x'ff' AS TEXT)",
    ],
    "no JSON": [
        "UPDATE events SET detail = '{\"a\": [NaN'",
        "UPDATE sessions SET facts = '[1, 2', traits = '{}'",
    ],
    "circles": [
        "UPDATE messages SET answers = frame, answers_part = part, about = frame, asks = 1",
    ],
    "answers to each other": [
        "UPDATE messages SET asks = 1, answers = CASE frame WHEN 1 THEN 4 WHEN 4 THEN 2 ELSE 1 "
        "END, answers_part = 0, latency_ns = 1"
    ],
    "references to nothing": [
        "UPDATE messages SET answers = 999, answers_part = 3, about = 777, latency_ns = 5",
        "UPDATE frames SET first_chunk = 500, last_chunk = 600 + number",
        "DELETE FROM chunks WHERE seq = 3",
    ],
    "no session": ["DELETE FROM sessions"],
    "another session's": ["UPDATE chunks SET session = 7", "UPDATE frames SET session = 8"],
    "too many sessions": [
        f"INSERT INTO sessions {_numbers(2, 10_002)} "
        "SELECT n, 'x', 'x', 0, 0, 1, 'exit 0', 'lines', '', '{}', NULL, NULL, NULL FROM more"
    ],
    "many values": [f"UPDATE sessions SET facts = {_quoted(_LONG_LIST)}"],
    "deep facts": [
        f"UPDATE sessions SET facts = {_quoted(_DEEP)}",
        f"UPDATE events SET detail = {_quoted(_DEEP)}",
        f"UPDATE messages SET decoded = CAST({_quoted(_DEEP)} AS BLOB)",
    ],
    "strange facts": _facts(
        {
            "argv": {"base64": 5},
            "tags": {NASTY: [NASTY]},
            "cwd": ["/etc"],
            "descriptors": {"in": 7, "out": {"kind": [NASTY]}},
            "host_command": [{}],
            "dialect": {"a": 1},
            "framing": [],
            "unrecorded": {},
            "number": 10**300,
        }
    ),
    "paths and programs": _facts(
        {
            "argv": ["sh", "-c", "touch /tmp/owned; $(id)", "--args-file", "/etc/passwd"],
            "cwd": "/etc",
            "host_command": ["/bin/sh"],
        }
    ),
    "nasty words": [
        *_anything_goes(),
        *[
            f"UPDATE messages SET {column} = {_quoted(NASTY)}"
            for column in ("kind", "method", "id", "summary", "run", "flags", "note")
        ],
        *[
            f"UPDATE sessions SET {column} = {_quoted(NASTY)}"
            for column in ("name", "outcome", "dialect", "dialect_reason", "command", "started_at")
        ],
        f"UPDATE sessions SET traits = {_quoted(json.dumps([NASTY] * 3))}",
        *_facts({"argv": [NASTY], "tags": {NASTY: 1}}),
        f"UPDATE events SET kind = {_quoted(NASTY)}",
        f"UPDATE events SET detail = {_quoted(json.dumps({NASTY: NASTY}))}",
        f"UPDATE chunks SET bytes = CAST({_quoted(NASTY)} AS BLOB)",
    ],
    "nasty streams": [f"UPDATE frames SET stream = {_quoted(NASTY)}"],
    "nasty framing": [f"UPDATE sessions SET framing = {_quoted(NASTY)}"],
    "a session that never ends": ["UPDATE sessions SET duration_ns = NULL, outcome = NULL"],
}
"""What is wrong with the rows."""

STRANGERS = {**SCHEMAS, **VALUES}

_KINDS = (
    "spawn", "spawn-error", "eof", "broken-pipe", "signal", "stopped", "stall", "stall-end",
    "exit", "lingering", "recording-error", "gap", "recorder-killed", "end",
)  # fmt: skip
_KEYS = (
    "pid", "stream", "by", "size", "unsent", "error", "signal", "sender", "from", "reader", "code",
    "duration_ns", "unread", "streams", "message", "path", "status", "reason", "noticed",
)  # fmt: skip
_ODD: tuple[object, ...] = (None, -1, 10**300, 1e300, NASTY, [], [NASTY, {}], {}, {"a": [1]}, False)


def _odd_events() -> list[str]:
    rows = []
    for kind in _KINDS:
        for odd in _ODD:
            detail = json.dumps(dict.fromkeys(_KEYS, odd))
            rows.append(f"(1, 1, '{kind}', {_quoted(detail)})")
    return [f"INSERT INTO events (session, t_ns, kind, detail) VALUES {', '.join(rows)}"]


STRANGERS["odd events"] = _odd_events()


def stranger(path: Path, statements: list[str]) -> str:
    """Make a sound recording and have somebody change it; return its path."""
    write_spoken(str(path))
    with closing(sqlite3.connect(path)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()
    return str(path)
