"""What stands beside a recording's file and belongs to it, and what only looks as if it did.

SQLite reads a WAL or a journal that it finds there. A journal may name another file, which SQLite
takes for a journal that several databases share, and deletes (https://sqlite.org/fileformat2.html,
"The Rollback Journal", and https://sqlite.org/atomiccommit.html, 5.5): no recording shares one.
"""

import os
import stat

from tapproxy_store.errors import CannotRead, NotARecording

WITH_BYTES = ("-wal", "-journal")
"""What may hold a part of the recording."""
_ALL = (*WITH_BYTES, "-shm")

_JOURNAL_MAGIC = bytes.fromhex("d9d505f920a163d7")
"""With this a journal of SQLite begins; it ends so where the name of another file stands in it."""


def check_companions(path: str) -> None:
    """Refuse what SQLite must not read; raises NotARecording, CannotRead."""
    for place in {path, os.path.realpath(path)}:
        for ending in _ALL:
            _check_kind(place + ending)
        if _names_another(place + "-journal"):
            raise NotARecording(
                f"{place}-journal has SQLite delete another file, as no journal of a recording "
                "does; move it away if you trust the rest"
            )


def _check_kind(path: str) -> None:
    try:
        mode = os.lstat(path).st_mode
    except (OSError, ValueError):  # not there
        return
    if not stat.S_ISREG(mode):
        kind = "a link" if stat.S_ISLNK(mode) else "no regular file"
        raise NotARecording(f"{path} is {kind}, and no part of a recording: move it away")


def _names_another(path: str) -> bool:
    size = len(_JOURNAL_MAGIC)
    if not os.path.isfile(path):
        return False
    try:
        with open(path, "rb") as file:
            if file.seek(0, os.SEEK_END) < size:
                return False
            file.seek(-size, os.SEEK_END)
            return file.read(size) == _JOURNAL_MAGIC
    except FileNotFoundError:
        return False
    except OSError as error:
        raise CannotRead(f"cannot read {path}: {error.strerror}") from error
