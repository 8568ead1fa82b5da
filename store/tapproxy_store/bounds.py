"""What a file can hold at most: nothing in it is larger than the file, whatever it claims.

SQLite keeps every byte of a chunk on a page of the file, and a frame is made of chunks. A file that
seems to hold more has rows that share their pages, or a size that it does not have; reading it
would take memory and time without end.
"""

import os
from typing import NoReturn

from tapproxy_store.sqlite_errors import BentRow

WAL = "-wal"

SMALLEST_LIMIT = 1 << 24
"""Bytes of one value that are always allowed: a live recording grows after it was opened, and no
record of a journal is larger."""


def size_of(path: str) -> int:
    """Return how many bytes a recording takes, what is still in its WAL included.

    The WAL first: it is folded into the file, never the other way round.
    """
    return sum(_size(name) for name in (path + WAL, path))


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except OSError:  # no WAL, or just folded
        return 0


class Extent:
    """The size of the file of one open recording, which may grow."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._known = 0

    def has_room_for(self, size: int) -> bool:
        """Tell whether the file is at least so large; looks at it only where that is in doubt."""
        if size > self._known:
            self._known = size_of(self._path)
        return size <= self._known

    def pass_through(self) -> "Passed":
        """Begin to read along the recording."""
        return Passed(self)


class Passed:
    """How many bytes were read on one way along the recording, each of which is there once."""

    def __init__(self, extent: Extent) -> None:
        self._extent = extent
        self._size = 0

    def add(self, size: int) -> None:
        """Count more bytes; raises BentRow once they are more than the file can hold."""
        self._size += size
        if not self._extent.has_room_for(self._size):
            _too_much()


def _too_much() -> NoReturn:
    raise BentRow("it says that it holds more bytes than the file has")
