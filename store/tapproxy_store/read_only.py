"""Opens a recording for reading: without writing to it, and also where that takes a copy."""

import os
import sqlite3
from pathlib import Path

from tapproxy_store.bounds import Extent
from tapproxy_store.companions import WITH_BYTES
from tapproxy_store.connecting import check_extent, check_file, check_schema
from tapproxy_store.copies import TemporaryCopy
from tapproxy_store.errors import NotARecording
from tapproxy_store.guarding import bound_values, connect
from tapproxy_store.migrations import migrate, version_of
from tapproxy_store.own_schema import check_writable
from tapproxy_store.schema import newest_version
from tapproxy_store.sqlite_errors import primary_code, reading


class Opened:
    """A connection that only reads, and the copy that goes with it, where it takes one."""

    def __init__(self, path: str) -> None:
        """Open; raises StoreError."""
        self._path = path
        self._file = path  # which is read: the recording's own, or its copy
        self._copy = TemporaryCopy(path)
        check_file(path)
        try:
            with reading(path):
                self.connection = self._open()
                self._bound()
        except BaseException:
            self._copy.remove()
            raise

    @property
    def extent(self) -> Extent:
        """How large the file is that is read."""
        return Extent(self._file)

    def close(self) -> None:
        """Let go of the file, and of the copy."""
        self.connection.close()
        self._copy.remove()

    def _bound(self) -> None:
        try:
            check_extent(self.connection, self._path, self._file)
        except BaseException:
            self.connection.close()
            raise
        bound_values(self.connection, self._file)

    def _open(self) -> sqlite3.Connection:
        try:
            return _connect_original(self._path) or self._connect_copy()
        except sqlite3.DatabaseError as error:
            if primary_code(error) != sqlite3.SQLITE_CORRUPT:
                raise
            return self._connect_rest()

    def _connect_copy(self) -> sqlite3.Connection:
        """Make a copy, which may be written, and bring it forward."""
        self._file = self._copy.make()
        connection = connect(self._file)
        if _version(connection, self._path) < newest_version():
            _migrate(connection, self._path)
        return connection

    def _connect_rest(self) -> sqlite3.Connection:
        """Open what is there of a file that was cut off.

        SQLite refuses such a file as a whole, unless we say that we mean to repair it; and of half
        a page, which it would read as if zeros followed, we take nothing.
        """
        self._file = self._copy.make_of_whole_pages()
        connection = connect(self._file, repairs=True)
        connection.execute("PRAGMA writable_schema = ON")
        _version(connection, self._path)
        return connection


def _connect_original(path: str) -> sqlite3.Connection | None:
    """Open the file where it stands; None where that takes a copy."""
    try:
        connection = _connect(path)
    except sqlite3.OperationalError as error:
        if primary_code(error) not in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY):
            raise
        return _connect_unwritable(path)
    if _version(connection, path) == newest_version():
        return connection
    connection.close()
    return _migrated_in_place(path)


def _connect(path: str, how: str = "mode=ro") -> sqlite3.Connection:
    connection = connect(path, f"{Path(path).absolute().as_uri()}?{how}")
    try:
        connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone()
    except BaseException:
        connection.close()
        raise
    return connection


def _version(connection: sqlite3.Connection, path: str) -> int:
    """Return the schema version; closes the connection where it raises."""
    try:
        return check_schema(connection, path)
    except BaseException:
        connection.close()
        raise


def _connect_unwritable(path: str) -> sqlite3.Connection | None:
    """Read a file in WAL mode that has no WAL, in a folder where SQLite cannot make one.

    None where there is more to it, or where it must be brought forward.
    """
    if any(_size(path + companion) for companion in WITH_BYTES):
        return None
    connection = _connect(path, "mode=ro&immutable=1")
    if _version(connection, path) == newest_version():
        return connection
    connection.close()
    return None


def _size(path: str) -> int:
    return os.path.getsize(path) if os.path.exists(path) else 0


def _migrated_in_place(path: str) -> sqlite3.Connection | None:
    """Bring an older file forward where it stands; None where it lives or must not be written."""
    if not os.access(path, os.W_OK):
        return None
    connection = connect(os.path.abspath(path))
    try:
        check_writable(connection, path, version_of(connection))
        live = "SELECT count(*) FROM sessions WHERE duration_ns IS NULL"
        if connection.execute(live).fetchone()[0] > 0:
            return None
        _migrate(connection, path)
    except (sqlite3.Error, NotARecording):
        return None
    finally:
        connection.close()
    return _connect(path)


def _migrate(connection: sqlite3.Connection, path: str) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        if version_of(connection) < newest_version():
            migrate(connection)
            check_schema(connection, path)  # it may claim steps that it has not taken
        connection.execute("COMMIT")
    except BaseException:
        connection.rollback()
        raise
