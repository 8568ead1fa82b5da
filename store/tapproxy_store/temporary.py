"""Folders for a while: they go with their process, or, where that was killed, with the next one."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from tempfile import TemporaryDirectory, gettempdir

from tapproxy_store.locks import hold, is_held

PREFIX = "tap-"

OWNER = ".held"
"""The file in each folder that its process holds for as long as it lives."""

UNBORN = ".unborn"
"""Its name before it is held: nobody is to take it for a dead one's."""

CAN_HOLD = os.name == "posix"


@contextmanager
def temporary_folder() -> Iterator[str]:
    """Make a folder that only we can read; what killed processes have left of such is removed."""
    if not CAN_HOLD:
        with TemporaryDirectory(prefix=PREFIX) as path:
            yield path
        return
    _remove_left()
    folder = TemporaryDirectory(prefix=PREFIX)
    owner = _held(folder.name)
    try:
        yield folder.name
    finally:
        folder.cleanup()
        os.close(owner)


def _held(folder: str) -> int:
    """Return the descriptor of the file that is held."""
    unborn = os.path.join(folder, UNBORN)
    owner = os.open(unborn, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    with suppress(OSError):  # a file system without locks: nobody takes it for a dead one's
        hold(owner)
        os.rename(unborn, os.path.join(folder, OWNER))
    return owner


def _remove_left() -> None:
    try:
        entries = list(os.scandir(gettempdir()))
    except OSError:
        return
    for it in entries:
        if it.name.startswith(PREFIX) and _is_own(it) and _is_left(it.path):
            shutil.rmtree(it.path, ignore_errors=True)


def _is_own(entry: "os.DirEntry[str]") -> bool:
    try:
        is_folder = entry.is_dir(follow_symlinks=False)
        return is_folder and entry.stat(follow_symlinks=False).st_uid == os.getuid()
    except OSError:  # it has just gone
        return False


def _is_left(folder: str) -> bool:
    """Tell whether the folder's process is dead."""
    try:
        owner = os.open(os.path.join(folder, OWNER), os.O_RDONLY | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        return not is_held(owner)
    finally:
        os.close(owner)
