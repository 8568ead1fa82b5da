"""Says in our words what SQLite says in its own: none of its exceptions leaves the store."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from tapproxy_store.errors import CannotRead, CannotWrite, DamagedRecording, StoreError

_ADVICE = {
    sqlite3.SQLITE_BUSY: "another program holds it: try again, or close that program",
    sqlite3.SQLITE_LOCKED: "another program holds it: try again, or close that program",
    sqlite3.SQLITE_FULL: "the disk is full: make room, or record elsewhere with -o or TAP_DIR",
    sqlite3.SQLITE_IOERR: "the system reports an input/output error: look at the disk",
    sqlite3.SQLITE_PERM: "permission denied: look at the permissions of the file and its folder",
    sqlite3.SQLITE_READONLY: "it is read-only: look at the permissions of file and folder",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened: look at the permissions of file and folder",
}
"""What is wrong with the system, not with the file, by SQLite's primary result code."""


SQLITE_ERRORS = (sqlite3.Error, UnicodeDecodeError, OverflowError)
"""What Python raises for SQLite: the second where damage stands in the message itself, the third
where a number of a damaged journal or a tape is larger than any that SQLite keeps."""


class BentRow(Exception):
    """A row holds what no recorder writes."""


@contextmanager
def reading(path: str) -> Iterator[None]:
    """Translate what goes wrong while `path` is read."""
    try:
        yield
    except (*SQLITE_ERRORS, BentRow, MemoryError, OSError) as error:
        raise _explained(error, path, CannotRead) from error


@contextmanager
def writing(path: str) -> Iterator[None]:
    """Translate what goes wrong while `path` is written."""
    try:
        yield
    except (*SQLITE_ERRORS, MemoryError, OSError) as error:
        raise _explained(error, path, CannotWrite) from error


def primary_code(error: BaseException) -> int | None:
    """Return SQLite's primary result code, None where Python found the error."""
    code: int | None = getattr(error, "sqlite_errorcode", None)
    return None if code is None else code & 0xFF


_CLAIMS = {
    sqlite3.SQLITE_INTERRUPT: "to read it takes more steps than it can have rows",
    sqlite3.SQLITE_TOOBIG: "a value in it is larger than the file",
    sqlite3.SQLITE_AUTH: "it would have a statement of its own run",
}
"""What is wrong with a file that goes beyond the bounds of `guarding`."""


def _explained(error: BaseException, path: str, trouble: type[StoreError]) -> StoreError:
    verb = "write" if trouble is CannotWrite else "read"
    if isinstance(error, OSError):
        return trouble(f"cannot {verb} {path}: {error.strerror or error}")
    advice = _ADVICE.get(primary_code(error) or 0)
    if advice is not None:
        return trouble(f"cannot {verb} {path}: {advice}")
    reason = _CLAIMS.get(primary_code(error) or 0, str(error))
    return DamagedRecording(
        f"{path} is damaged ({reason}); what comes before the damage can be read, "
        "and `tap export --to tape` saves it"
    )
