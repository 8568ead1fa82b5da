"""Creates the file of a recording, or opens the one that is there; two processes may do so at once.

The schema is made in one transaction before the file goes into WAL mode, so that whoever opens the
file meantime finds it empty or whole.
"""

import os
import sqlite3
import time

from tapproxy_store.connecting import BUSY_S, check_file, check_schema, connect
from tapproxy_store.migrations import make_schema, migrate, version_of
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
        if not _claim(path) and os.path.getsize(path) > 0:
            check_file(path)
        connection = connect(path)
        try:
            connection.execute("PRAGMA synchronous = OFF")
            connection.execute(f"PRAGMA page_size = {PAGE_SIZE}")
            _bring_to_newest(connection, path)
            _enter_wal(connection)
        except BaseException:
            connection.close()
            raise
        return connection


def make_folder(path: str) -> None:
    """Make the folder and those above it, each for its owner alone."""
    if os.path.isdir(path):
        return
    make_folder(os.path.dirname(path))
    try:
        os.mkdir(path, 0o700)
    except FileExistsError:
        if not os.path.isdir(path):
            raise


def _claim(path: str) -> bool:
    """Create the file for its owner alone, whatever the umask; False where it exists."""
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return False
    try:
        os.chmod(path, 0o600)
    finally:
        os.close(descriptor)
    return True


def _bring_to_newest(connection: sqlite3.Connection, path: str) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        if _is_empty(connection):
            make_schema(connection)
        elif check_schema(connection, path) < newest_version():
            migrate(connection)
        connection.execute("COMMIT")
    except BaseException:
        connection.rollback()
        raise


def _is_empty(connection: sqlite3.Connection) -> bool:
    found: int = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    return found == 0 and version_of(connection) == 0


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
