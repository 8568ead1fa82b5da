"""Tells whether the tables of a file are ours, so that reading and writing them runs nothing else.

A stranger's file may bring a view or a virtual table in a table's place, columns that SQLite
computes, and, where rows are written, triggers, checks, and indexes of whatever expression.
"""

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from functools import cache

from tapproxy_store import schema
from tapproxy_store.errors import NotARecording

TABLES = {"sessions": 1, "chunks": 1, "events": 1, "frames": 1, "messages": 2, "totals": 2}
"""The tables that we read, with the version that brought them."""

_PARTS = """SELECT name, tbl_name, sql FROM sqlite_master
    WHERE type IN ('table', 'index') AND sql IS NOT NULL"""
_FOUND = "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0"
_COLUMNS = "SELECT name, hidden FROM pragma_table_xinfo(?) ORDER BY cid"

Part = tuple[str, str]
"""The name of a table or an index, and the statement that makes it."""


def has_tables(connection: sqlite3.Connection, version: int) -> bool:
    """Tell whether all tables of a version are there, with its columns, each of which is stored."""
    found = {name for (name,) in connection.execute(_FOUND)}
    expected = _columns(version)
    return expected.keys() <= found and all(
        connection.execute(_COLUMNS, (table,)).fetchall()[: len(columns)] == columns
        for table, columns in expected.items()
    )


def check_writable(connection: sqlite3.Connection, path: str, version: int) -> None:
    """Refuse to write where that could set off something else; raises NotARecording."""
    if connection.execute("SELECT 1 FROM sqlite_master WHERE type = 'trigger'").fetchone():
        raise NotARecording(f"{path} has triggers, which no recording has; it is not written to")
    strange = sorted(set(_parts(connection, version)) - _own_parts(version))
    if strange:
        raise NotARecording(
            f"{path} has its own definition of {strange[0][0]}, not tap's; it is not written to"
        )


def _parts(connection: sqlite3.Connection, version: int) -> Iterable[Part]:
    """Yield the tables of a version and all indexes on them."""
    for name, table, sql in connection.execute(_PARTS):
        if TABLES.get(table, version + 1) <= version:
            yield str(name), str(sql)


@cache
def _own_parts(version: int) -> frozenset[Part]:
    with closing(_fresh(version)) as connection:
        return frozenset(_parts(connection, version))


@cache
def _columns(version: int) -> dict[str, list[tuple[str, int]]]:
    tables = [table for table, since in TABLES.items() if since <= version]
    with closing(_fresh(version)) as connection:
        return {table: connection.execute(_COLUMNS, (table,)).fetchall() for table in tables}


def _fresh(version: int) -> sqlite3.Connection:
    """Return an empty recording of that version, in memory."""
    connection = sqlite3.connect(":memory:")
    for step in schema.STEPS[:version]:
        for statement in step.statements:
            connection.execute(statement)
    return connection
