"""Writes a recording: rows in batches, each batch one transaction, and one file at the end."""

import json
import os
import shlex
import sqlite3
import time
from base64 import b64decode
from collections.abc import Iterable
from contextlib import closing
from typing import Any, Self, TypeAlias

from tapproxy_store.creating import RETRY_S, connect_writing
from tapproxy_store.guarding import BUSY_S
from tapproxy_store.instants import to_iso
from tapproxy_store.records import Session
from tapproxy_store.sqlite_errors import primary_code, writing

ChunkRow: TypeAlias = tuple[int, int, str, int, int, bytes]
"""seq, session, stream, t_ns, start_offset, bytes."""
EventRow: TypeAlias = tuple[int, int, int, str, str]
"""seq, session, t_ns, kind, detail as JSON text."""
FrameRow: TypeAlias = tuple[int, int, str, int, int, int, int, int, int, int, str, str | None]
"""A Frame, or a plain tuple of its fields in their order."""
MessageRow: TypeAlias = tuple[
    int, int, int, str, str | None, str | None, int, str, int | None, int | None, int | None,
    int | None, int | None, str | None, str | None, str | None, bytes | None,
]  # fmt: skip
"""A Message's fields in their order, less `answered_after_ns`, and the decoded JSON at the end."""
TotalsRow: TypeAlias = tuple[int, str, int, int, int]
"""session, stream, chunks, bytes, frames."""

FOLDING_MS = 1000
"""How long `finish` waits for readers in mid-read, milliseconds."""

_INSERT_SESSION = "INSERT OR IGNORE INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_SESSION_BEGAN = "SELECT started_ns, started_mono_ns FROM sessions WHERE id = ?"
_INSERT_CHUNK = "INSERT OR IGNORE INTO chunks VALUES (?, ?, ?, ?, ?, ?)"
_INSERT_EVENT = "INSERT OR IGNORE INTO events VALUES (?, ?, ?, ?, ?)"
_INSERT_FRAME = "INSERT OR IGNORE INTO frames VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_INSERT_MESSAGE = (
    "INSERT OR IGNORE INTO messages VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_PUT_TOTALS = "INSERT OR REPLACE INTO totals VALUES (?, ?, ?, ?, ?)"
_DERIVED = ("frames", "messages", "totals")


def create_or_open(path: str) -> "RecordingWriter":
    """Open the recording `path` for writing; create it, and its folder, where it is not there.

    Raises CannotWrite, NotARecording, NewerSchema, DamagedRecording.
    """
    return RecordingWriter(path, connect_writing(path))


class RecordingWriter:
    """Made by `create_or_open`. Every method raises CannotWrite or DamagedRecording.

    A method that raises between `begin` and `commit` has rolled the transaction back.
    """

    def __init__(self, path: str, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def begin(self) -> None:
        """Begin a transaction; waits for another writer's to end."""
        self._run("BEGIN IMMEDIATE")

    def put_session(self, session: Session) -> bool:
        """Insert the session, unless it is there already; False where its id is another's."""
        row = (
            session.id,
            _storable(session.name),
            to_iso(session.started_ns),
            session.started_ns,
            session.started_mono_ns,
            session.duration_ns,
            session.outcome,
            session.framing,
            command_line(session.facts.get("argv")),
            json.dumps(session.facts),
            session.dialect,
            session.dialect_reason,
            json.dumps(session.traits),
        )
        self._run(_INSERT_SESSION, row)
        with writing(self.path):
            began = self._connection.execute(_SESSION_BEGAN, (session.id,)).fetchone()
        return bool(began == (session.started_ns, session.started_mono_ns))

    def is_over(self, session_id: int) -> bool:
        """Tell whether the end of a session is on record."""
        with writing(self.path):
            sql = "SELECT 1 FROM sessions WHERE id = ? AND duration_ns IS NOT NULL"
            return self._connection.execute(sql, (session_id,)).fetchone() is not None

    def end_session(self, session_id: int, duration_ns: int, outcome: str) -> None:
        """Enter how long the session took and how it ended."""
        self._run(
            "UPDATE sessions SET duration_ns = ?, outcome = ? WHERE id = ?",
            (duration_ns, outcome, session_id),
        )

    def set_framing(self, session_id: int, framing: str) -> None:
        """Enter by which framing the session's frames were cut."""
        self._run("UPDATE sessions SET framing = ? WHERE id = ?", (framing, session_id))

    def set_dialect(
        self, session_id: int, dialect: str | None, reason: str | None, traits: Iterable[str]
    ) -> None:
        """Enter by which dialect the session's messages were read, why, and what it has learnt."""
        self._run(
            "UPDATE sessions SET dialect = ?, dialect_reason = ?, traits = ? WHERE id = ?",
            (dialect, reason, json.dumps(list(traits)), session_id),
        )

    def set_facts(self, session_id: int, facts: dict[str, Any]) -> None:
        """Enter the session's facts anew."""
        self._run(
            "UPDATE sessions SET facts = ?, command = ? WHERE id = ?",
            (json.dumps(facts), command_line(facts.get("argv")), session_id),
        )

    def set_bytes(self, seq: int, data: bytes) -> bool:
        """Put other bytes in a chunk, as many; tell whether they are other ones."""
        sql = "UPDATE chunks SET bytes = ? WHERE seq = ? AND bytes <> ?"
        return self._run(sql, (data, seq, data)) > 0

    def set_detail(self, seq: int, detail: str) -> bool:
        """Put other details, JSON, in an event; tell whether they are other ones."""
        sql = "UPDATE events SET detail = ? WHERE seq = ? AND detail <> ?"
        return self._run(sql, (detail, seq, detail)) > 0

    def vacuum(self) -> None:
        """Write all pages anew, so that nothing is left in the file of what was replaced in it.

        By a connection of its own: VACUUM attaches a file, which a guarded one does not.
        """
        with writing(self.path), closing(sqlite3.connect(self.path, timeout=BUSY_S)) as connection:
            connection.execute("PRAGMA trusted_schema = OFF")
            connection.execute("VACUUM")

    def put_totals(self, totals: Iterable[TotalsRow]) -> None:
        """Enter how much each stream of a session that is over holds."""
        self._run_many(_PUT_TOTALS, totals)

    def insert(
        self,
        chunks: Iterable[ChunkRow],
        events: Iterable[EventRow] = (),
        frames: Iterable[FrameRow] = (),
        messages: Iterable[MessageRow] = (),
    ) -> None:
        """Insert those rows that are not there yet, in the transaction that `begin` began.

        Rows are the same whoever derives them, so two may write the same recording at once.
        """
        self._run_many(_INSERT_CHUNK, chunks)
        self._run_many(_INSERT_EVENT, events)
        self._run_many(_INSERT_FRAME, frames)
        self._run_many(_INSERT_MESSAGE, messages)

    def remove_derived(self, session_id: int) -> None:
        """Remove the session's frames, messages and totals, which are to be derived anew."""
        for table in _DERIVED:
            self._run(f"DELETE FROM {table} WHERE session = ?", (session_id,))

    def commit(self) -> None:
        """Make the transaction visible to readers."""
        self._run("COMMIT")

    def finish(self) -> bool:
        """Fold everything into the one file, and have the disk hold it.

        Return False where another program has the file open: then it stays in WAL mode, which is
        as good to read, and whoever calls `finish` later can fold it.
        """
        with writing(self.path):
            self._connection.execute(f"PRAGMA busy_timeout = {FOLDING_MS}")
            self._connection.execute("PRAGMA synchronous = FULL")
            folded = self._leave_wal()
            _sync(self.path)
        return folded

    def close(self) -> None:
        """Close the file; a transaction that is not committed is rolled back."""
        self._connection.close()

    def _leave_wal(self) -> bool:
        """Try as long as readers are waited for: SQLite waits for the first of the two alone."""
        deadline = time.monotonic() + FOLDING_MS / 1000
        while True:
            try:
                self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                self._connection.execute("PRAGMA journal_mode = DELETE")
            except sqlite3.OperationalError as error:
                if primary_code(error) not in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                    raise
                if time.monotonic() > deadline:
                    return False
                time.sleep(RETRY_S)
            else:
                return True

    def _run(self, sql: str, values: tuple[object, ...] = ()) -> int:
        """Return how many rows were changed."""
        with writing(self.path):
            try:
                return self._connection.execute(sql, values).rowcount
            except BaseException:
                self._connection.rollback()
                raise

    def _run_many(self, sql: str, rows: Iterable[tuple[object, ...]]) -> None:
        with writing(self.path):
            try:
                self._connection.executemany(sql, rows)
            except BaseException:
                self._connection.rollback()
                raise


def command_line(argv: Any) -> str:
    """Return an argv, as the facts have it, as a shell would read it; "" where there is none."""
    if not isinstance(argv, list):
        return ""
    line = shlex.join(map(_argument, argv))
    return "".join(it if it.isprintable() else ascii(it)[1:-1] for it in line)


def _argument(argument: Any) -> str:
    """Return an argument as text; what a tape says wrongly is shown as it stands there."""
    try:
        return b64decode(argument["base64"], validate=True).decode("utf-8", "backslashreplace")
    except (TypeError, KeyError, ValueError):
        return str(argument)


def _storable(text: str) -> str:
    """Return the text with an escape for what UTF-8 cannot hold (a name that came as raw bytes)."""
    return text.encode("utf-8", "backslashreplace").decode()


def _sync(path: str) -> None:
    """Have the disk hold the file and its name."""
    for name, flags in ((path, os.O_RDWR), (os.path.dirname(os.path.abspath(path)), os.O_RDONLY)):
        if os.name == "nt" and flags == os.O_RDONLY:
            continue  # Windows syncs no folders
        descriptor = os.open(name, flags)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
