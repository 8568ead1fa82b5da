"""Creates the file of a recording, or opens the one that is there; two processes may do so at once.

The schema is made in one transaction before the file goes into WAL mode, so that whoever opens the
file meantime finds it empty or whole.
"""

import os
import sqlite3
import time

from tapproxy_store.companions import check_companions
from tapproxy_store.connecting import check_extent, check_file, check_schema
from tapproxy_store.errors import NotARecording
from tapproxy_store.guarding import BUSY_S, connect
from tapproxy_store.migrations import make_schema, migrate, version_of
from tapproxy_store.own_schema import check_writable
from tapproxy_store.private import create_file, make_folder
from tapproxy_store.schema import PAGE_SIZE, newest_version
from tapproxy_store.sqlite_errors import primary_code, writing

RETRY_S = 0.01
"""Seconds between two attempts to change the journal mode: SQLite does not wait for that lock."""


def connect_writing(path: str) -> sqlite3.Connection:
    """Return a connection to `path` with the newest schema, in WAL mode.

    Raises CannotWrite, NotARecording, NewerSchema, DamagedRecording.
    """
    with writing(path):
        make_folder(os.path.dirname(os.path.abspath(path)))
        if not _claim(path):
            _check_found(path)
        connection = connect(os.path.abspath(path))
        try:
            check_extent(connection, path, path)
            connection.execute("PRAGMA synchronous = OFF")
            connection.execute(f"PRAGMA page_size = {PAGE_SIZE}")
            _bring_to_newest(connection, path)
            _enter_wal(connection)
        except BaseException:
            connection.close()
            raise
        return connection


def _check_found(path: str) -> None:
    """Refuse a file that was there before and is not to be written to."""
    if os.path.getsize(path) > 0:
        check_file(path)
        return
    check_companions(path)
    if os.path.islink(path):  # whoever begins a recording makes a file, and never a link
        raise NotARecording(f"{path} is a link to an empty file, which is not written to")


def _claim(path: str) -> bool:
    """Create the file; return False where it exists."""
    try:
        os.close(create_file(path))
    except FileExistsError:
        return False
    return True


def _bring_to_newest(connection: sqlite3.Connection, path: str) -> None:
    version = _version(connection, path)
    if version:
        check_writable(connection, path, version)
    if version == newest_version():
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        version = _version(connection, path)  # another process may have been here meanwhile
        if version == 0:
            make_schema(connection)
        elif version < newest_version():
            migrate(connection)
            check_schema(connection, path)  # it may claim steps that it has not taken
        connection.execute("COMMIT")
    except BaseException:
        connection.rollback()
        raise


def _version(connection: sqlite3.Connection, path: str) -> int:
    """Return the schema version, 0 for an empty file; raises NotARecording or NewerSchema."""
    is_empty = connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone() is None
    return 0 if is_empty and version_of(connection) == 0 else check_schema(connection, path)


def _enter_wal(connection: sqlite3.Connection) -> None:
    """Let readers read while we write; where the file system cannot, they wait for us instead."""
    deadline = time.monotonic() + BUSY_S
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if primary_code(error) != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(RETRY_S)
        else:
            return
