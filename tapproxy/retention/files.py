"""What a recording takes on the disk, whether it may go, and how it is removed as a whole."""

import os
import stat
import time
from collections.abc import Iterator
from contextlib import suppress

from tapproxy.retention.policy import Held
from tapproxy_store import locate
from tapproxy_store.errors import CannotRead, CannotWrite, NotARecording, StoreError
from tapproxy_store.journal import MAGIC as JOURNAL_MAGIC
from tapproxy_store.journal import SUFFIX
from tapproxy_store.journal_reading import is_live
from tapproxy_store.schema import APPLICATION_ID, MAGIC

ENDINGS = ("", "-wal", "-shm", "-journal", SUFFIX)
"""What belongs to a recording; its own file goes first, so that half of a removal leaves nothing
that looks whole."""

_ID_AT = slice(68, 72)
"""Where an SQLite file says of which program it is (its format, 1.3)."""

_STAMP = "%Y%m%d-%H%M%S"


def size_of(path: str) -> int:
    """Return how many bytes the recording takes, with its journal and what SQLite has beside it."""
    return sum(_size(path + ending) for ending in ENDINGS)


def held(path: str, opened: frozenset[str] = frozenset()) -> Held:
    """Return what decides how long the recording stays; `opened` are files that somebody reads."""
    busy = is_live(path) or os.path.realpath(path) in opened
    return Held(path, _began_s(path), size_of(path), busy)


def opened_files() -> frozenset[str]:
    """Return the files that programs of this user have open, ours apart; none but on Linux."""
    return frozenset(_opened())


def is_recording(path: str) -> bool:
    """Tell whether all that would be removed is a recording's."""
    try:
        check_recording(path)
    except StoreError:
        return False
    return True


def check_recording(path: str) -> None:
    """Refuse what is no recording, or has no journal in its journal's place.

    Raises NotARecording, CannotRead.
    """
    for ending in ENDINGS:
        begun = _beginning(path + ending)
        if begun is not None and not _is_own(path, ending, begun):
            what = "journal of a recording" if ending else "recording"
            raise NotARecording(f"{path}{ending} is no {what}; it stays (`rm` removes any file)")


def remove(path: str) -> None:
    """Remove the recording with all that is its own; raises CannotWrite."""
    for ending in ENDINGS:
        try:
            with suppress(FileNotFoundError):
                os.unlink(path + ending)
        except OSError as error:
            raise CannotWrite(f"cannot remove {path}{ending}: {error.strerror}") from error


def _began_s(path: str) -> float:
    """Return when the session began: as its name says, else when the file was last changed."""
    with suppress(ValueError, OverflowError):
        return time.mktime(time.strptime(os.path.basename(path)[: locate.STAMP_LENGTH], _STAMP))
    for place in (path, path + SUFFIX):
        with suppress(OSError):
            return os.stat(place).st_mtime
    return time.time()


def _beginning(path: str) -> bytes | None:
    """Return how the file begins, None where there is none; raises NotARecording, CannotRead."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise NotARecording(f"{path} is no file of a recording; it stays")
        with open(path, "rb") as file:
            return file.read(_ID_AT.stop)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise CannotRead(f"cannot read {path}: {error.strerror}") from error


def _is_own(path: str, ending: str, begun: bytes) -> bool:
    """Tell whether a file that begins so has its place in a recording: an empty one by its name."""
    if ending not in ("", SUFFIX):
        return True
    if not begun:
        return locate.is_recording_name(os.path.basename(path))
    if ending == SUFFIX:
        return begun.startswith(JOURNAL_MAGIC)
    return begun.startswith(MAGIC) and begun[_ID_AT] == APPLICATION_ID.to_bytes(4, "big")


def _size(path: str) -> int:
    try:
        return os.lstat(path).st_size
    except OSError:
        return 0


def _opened() -> Iterator[str]:
    own = str(os.getpid())
    with suppress(OSError):
        for process in os.listdir("/proc"):
            if process.isdecimal() and process != own:
                folder = f"/proc/{process}/fd"
                with suppress(OSError):
                    for descriptor in os.listdir(folder):
                        with suppress(OSError):
                            yield os.readlink(f"{folder}/{descriptor}")
