"""Connects to the SQLite file of a recording, once it is known to be one that we can work with."""

import os
import sqlite3
import stat

from tapproxy_store.errors import CannotRead, NewerSchema, NotARecording, RecordingNotFound
from tapproxy_store.migrations import version_of
from tapproxy_store.schema import APPLICATION_ID, MAGIC, newest_version

TABLES = {"sessions", "chunks", "events", "frames"}
_OUR_TABLES = """SELECT name FROM sqlite_master
    WHERE type = 'table' AND name IN ('sessions', 'chunks', 'events', 'frames')"""
"""A view in the place of one could be endless."""

BUSY_S = 10.0
"""Seconds to wait for another program's transaction; ours take milliseconds."""

_OTHERS = (
    (b"TAPWIRE", "the journal of a recording: name the recording, without .wire"),
    (b"{", "text, perhaps a tape: see `tap import`"),
)
"""What people name by mistake, by its first bytes."""


def check_file(path: str) -> None:
    """Refuse what is no SQLite file, before SQLite creates or misreads something.

    Raises RecordingNotFound, CannotRead, NotARecording.
    """
    try:
        mode = os.stat(path).st_mode
        if not stat.S_ISREG(mode):
            kind = "a folder" if stat.S_ISDIR(mode) else "not a regular file"
            raise NotARecording(f"{path} is {kind}, not a recording; name a *.tap file")
        with open(path, "rb") as file:
            first = file.read(len(MAGIC))
    except (FileNotFoundError, NotADirectoryError) as error:
        raise RecordingNotFound(f"no file {path}; `tap ls` lists the recordings") from error
    except (OSError, ValueError) as error:
        raise CannotRead(f"cannot read {path}: {getattr(error, 'strerror', error)}") from error
    if first != MAGIC:
        raise NotARecording(f"{path} is {_looks_like(first)}")


def check_schema(connection: sqlite3.Connection, path: str) -> int:
    """Return the schema version; raises NotARecording or NewerSchema."""
    if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        raise NotARecording(f"{path} is an SQLite file of another program, not a recording")
    found = {name for (name,) in connection.execute(_OUR_TABLES)}
    if found != TABLES:
        raise NotARecording(f"{path} says that it is a recording, but its tables are not there")
    version = version_of(connection)
    if version > newest_version():
        raise NewerSchema(
            f"{path} has schema version {version}, and this tap knows versions up to "
            f"{newest_version()}; install a newer tap (pip install --upgrade tapproxy)"
        )
    return version


def connect(name: str, *, uri: bool = False) -> sqlite3.Connection:
    """Connect without trusting what the file's own schema would have us run."""
    connection = sqlite3.connect(name, timeout=BUSY_S, isolation_level=None, uri=uri)
    connection.execute("PRAGMA trusted_schema = OFF")
    return connection


def _looks_like(first: bytes) -> str:
    if not first:
        return "empty: its recorder has only just begun, or was stopped before it could write"
    for start, words in _OTHERS:
        if first.startswith(start):
            return words
    return "not a recording (a recording is an SQLite file)"
