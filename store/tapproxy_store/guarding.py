"""Connections that do not trust the file: nothing of its schema runs, and every query ends.

A stranger's file may bring views, triggers and pages that lead in circles. A query of ours works
on tables, and takes as many steps as the file has rows.
"""

import sqlite3
from typing import Any

from tapproxy_store.bounds import SMALLEST_LIMIT, size_of

BUSY_S = 10.0
"""Seconds to wait for another program's transaction; ours take milliseconds."""

STEPS_A_LOOK = 1_000_000
"""Steps of SQLite's machine between two looks at how far a query is: some 10 ms."""
FREE_STEPS = 20_000_000
STEPS_A_BYTE = 100
"""What a query may take: ours take less than ten steps for each byte of the file."""

_FORBIDDEN = {sqlite3.SQLITE_ATTACH, sqlite3.SQLITE_CREATE_TRIGGER, sqlite3.SQLITE_CREATE_VTABLE}


class Guarded(sqlite3.Connection):
    """A connection whose every query is bounded by the size of the file."""

    work: "Work"

    def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:
        """Begin a query; it is interrupted where it does not end."""
        self.work.steps = 0
        return super().execute(sql, parameters)

    def executemany(self, sql: str, parameters: Any, /) -> sqlite3.Cursor:
        """Run a statement many times; nothing bounds how often."""
        self.work.steps = -(1 << 62)
        return super().executemany(sql, parameters)


class Work:
    """How far the query is that runs."""

    def __init__(self, path: str) -> None:
        self._path = path
        self.steps = 0

    def look(self) -> bool:
        """Tell whether it has gone on for too long."""
        self.steps += STEPS_A_LOOK
        if self.steps <= FREE_STEPS:
            return False
        return self.steps > FREE_STEPS + STEPS_A_BYTE * size_of(self._path)


def connect(path: str, name: str = "", *, repairs: bool = False) -> Guarded:
    """Connect to the file at `path`; `name` is the URI for SQLite where that is to say how.

    `repairs`: the schema's own table will be written to, which SQLite's defences do not allow.
    """
    connection = sqlite3.connect(
        name or path,
        timeout=BUSY_S,
        isolation_level=None,
        uri=bool(name),
        factory=Guarded,
    )
    connection.work = Work(path)
    connection.set_progress_handler(connection.work.look, STEPS_A_LOOK)
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    connection.set_authorizer(_allowed)
    _defend(connection, repairs=repairs)
    return connection


def bound_values(connection: sqlite3.Connection, path: str) -> None:
    """Have SQLite refuse values that are larger than the file, before it takes memory for them."""
    most = max(SMALLEST_LIMIT, size_of(path))
    highest = connection.getlimit(sqlite3.SQLITE_LIMIT_LENGTH)
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, min(most, highest))


def _defend(connection: sqlite3.Connection, *, repairs: bool) -> None:
    """Turn on what SQLite has against hostile files, as far as Python offers it (from 3.12 on)."""
    set_config = getattr(connection, "setconfig", None)
    if set_config is None:
        return
    switches = {"ENABLE_TRIGGER": False, "DEFENSIVE": not repairs}
    for name, value in switches.items():
        number = getattr(sqlite3, f"SQLITE_DBCONFIG_{name}", None)
        if number is not None:  # the SQLite that Python was built for has it
            set_config(number, value)


def _allowed(
    action: int, _one: str | None, _other: str | None, _database: str | None, inner: str | None
) -> int:
    """Forbid what no query of ours does, and whatever a view or a trigger (`inner`) would do."""
    if inner is not None or action in _FORBIDDEN:
        return sqlite3.SQLITE_DENY
    return sqlite3.SQLITE_OK
