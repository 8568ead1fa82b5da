"""Tells whether the SQLite file of a recording is one that we can work with."""

import os
import sqlite3
import stat

from tapproxy_store.bounds import size_of
from tapproxy_store.companions import check_companions
from tapproxy_store.errors import (
    CannotRead,
    DamagedRecording,
    NewerSchema,
    NotARecording,
    RecordingNotFound,
)
from tapproxy_store.migrations import version_of
from tapproxy_store.own_schema import has_tables
from tapproxy_store.schema import APPLICATION_ID, MAGIC, newest_version

HEADER_SIZE = 100
"""Bytes of the header of an SQLite file."""

_JOURNAL = b"TAPWIRE"
"""With this a journal begins, which people name by mistake."""


def check_file(path: str) -> None:
    """Refuse what is no SQLite file, before SQLite creates or misreads something.

    Raises RecordingNotFound, CannotRead, NotARecording, DamagedRecording.
    """
    try:
        status = os.stat(path)
        if not stat.S_ISREG(status.st_mode):
            kind = "a folder" if stat.S_ISDIR(status.st_mode) else "not a regular file"
            raise NotARecording(f"{path} is {kind}, not a recording; name a *.tap file")
        with open(path, "rb") as file:
            first = file.read(HEADER_SIZE)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise RecordingNotFound(f"no file {path}; `tap ls` lists the recordings") from error
    except (OSError, ValueError) as error:
        raise CannotRead(f"cannot read {path}: {getattr(error, 'strerror', error)}") from error
    if not first.startswith(MAGIC):
        raise NotARecording(f"{path} is {_looks_like(first, path)}")
    check_companions(path)
    if status.st_size < _page_size(first):
        raise DamagedRecording(
            f"{path} is damaged: it is cut short after {status.st_size} bytes, and nothing in it "
            "can be read"
        )


def check_extent(connection: sqlite3.Connection, path: str, file: str) -> None:
    """Refuse a file whose header or WAL claims more pages than there are; raises DamagedRecording.

    `file` is what is connected to: `path`, or a copy of it.
    """
    pages, size = (_setting(connection, name) for name in ("page_count", "page_size"))
    if pages * size > size_of(file):
        raise DamagedRecording(f"{path} is damaged: it says that it is larger than it is")


def _setting(connection: sqlite3.Connection, name: str) -> int:
    value: int = connection.execute(f"PRAGMA {name}").fetchone()[0]
    return value


def check_schema(connection: sqlite3.Connection, path: str) -> int:
    """Return the schema version; raises NotARecording or NewerSchema."""
    if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        raise NotARecording(f"{path} is an SQLite file of another program, not a recording")
    version = version_of(connection)
    if version < 1 or not has_tables(connection, min(version, newest_version())):
        raise NotARecording(f"{path} says that it is a recording, but its tables are not there")
    if version > newest_version():
        raise NewerSchema(
            f"{path} has schema version {version}, and this tap knows versions up to "
            f"{newest_version()}; install a newer tap (pip install --upgrade tapproxy)"
        )
    return version


def _page_size(header: bytes) -> int:
    """Return what the file's first page takes: nothing is readable before that is whole.

    SQLite's file format, section 1.3: bytes 16 and 17, where 1 stands for 65,536.
    """
    size = int.from_bytes(header[16:18], "big")
    return 1 << 16 if size <= 1 else size


def _looks_like(first: bytes, path: str) -> str:
    if not first:
        return "empty: its recorder has only just begun, or was stopped before it could write"
    if first.startswith(_JOURNAL):
        return "the journal of a recording: name the recording, without .wire"
    if first[:1] in (b"{", b"["):
        return f"text, not a recording: `tap import {path}` makes one of it"
    return "not a recording (a recording is an SQLite file)"
