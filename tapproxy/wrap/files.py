"""Everything that changes something on the disk, one call each: tests stop it after any of them."""

import ctypes
import errno
import os
import sys
from collections.abc import Callable
from typing import Any

from tapproxy.wrap.hidden import hidden

NEW = "tap-new"
"""The ending of what is being written; never executable before it has its own name."""

ACCESS_LIST = "system.posix_acl_access"
"""The attribute that lists who else may access a file (acl(5))."""

AT_FDCWD = -100
RENAME_EXCHANGE = 2


class Files:
    """Changes files and folders; every system call goes through `_do`. All raise OSError."""

    def make_folder(self, path: str, mode: int = 0o755) -> None:
        """Make a folder where there is none; those above it must be there."""
        if not os.path.isdir(path):
            self._do(os.mkdir, path, mode)

    def write(self, path: str, data: bytes, mode: int = 0o600) -> None:
        """Put a file in place, whole or not at all; what was there is replaced.

        It gets its permission to be executed last, when it has its name: a host that looks on
        finds no program too many.
        """
        new = hidden(path, NEW)
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW
        descriptor = self._do(os.open, new, flags, 0o600)
        try:
            self._do(_write_all, descriptor, data)
            self._do(os.fchmod, descriptor, mode & ~0o111)
            self._do(os.fsync, descriptor)
            self._do(os.replace, new, path)
        except OSError:
            os.unlink(new)
            raise
        finally:
            os.close(descriptor)
        if mode & 0o111:
            self._do(os.chmod, path, mode)

    def link(self, path: str, other: str) -> None:
        """Give a file, or a symbolic link itself, a second name."""
        self._do(_link, path, other)

    def exchange(self, path: str, other: str) -> None:
        """Swap two names at one stroke (Linux)."""
        self._do(_exchange, path, other)

    def rename(self, path: str, new: str) -> None:
        """Give a file another name; what had that name is gone."""
        self._do(os.replace, path, new)

    def symlink(self, target: str, path: str) -> None:
        """Make a symbolic link."""
        self._do(os.symlink, target, path)

    def remove(self, path: str) -> None:
        """Remove a file, if it is there."""
        if os.path.lexists(path):
            self._do(os.unlink, path)

    def remove_folder(self, path: str) -> None:
        """Remove an empty folder, if it is there."""
        if os.path.isdir(path):
            self._do(os.rmdir, path)

    def chmod(self, path: str, mode: int) -> None:
        """Set a file's permissions."""
        self._do(os.chmod, path, mode)

    def set_owner(self, path: str, uid: int, gid: int) -> None:
        """Set a file's owner and group."""
        self._do(_set_owner, path, uid, gid)

    def copy_attributes(self, path: str, other: str) -> None:
        """Give another file the extended attributes of one, lists of who may access it included."""
        for name, value in extended_attributes(path).items():
            self._do(_set_attribute, other, name, value)

    def set_times(self, path: str, atime_ns: int, mtime_ns: int) -> None:
        """Set the times of a file, a folder or a symbolic link itself, where they differ.

        Of what is another user's they stay as they are: that is no reason to stop half-way.
        """
        told = os.lstat(path)
        if (told.st_atime_ns, told.st_mtime_ns) == (atime_ns, mtime_ns):
            return
        try:
            self._do(_utime, path, atime_ns, mtime_ns)
        except PermissionError:
            if told.st_uid == os.geteuid():
                raise

    def _do(self, call: Callable[..., Any], *arguments: Any) -> Any:
        return call(*arguments)


class Told(Files):
    """Tells what would be done, and does nothing: --dry-run."""

    def __init__(self, say: Callable[[str], None]) -> None:
        """Take where each step is told."""
        self._say = say

    def write(self, path: str, data: bytes, mode: int = 0o600) -> None:
        """Tell of the file."""
        self._say(f"write {path} ({len(data)} bytes, mode {mode:o})")

    def set_times(self, path: str, atime_ns: int, mtime_ns: int) -> None:
        """Tell nothing: a folder keeps its time, which nobody misses."""

    def _do(self, call: Callable[..., Any], *arguments: Any) -> Any:
        self._say(TOLD[call].format(*arguments))


def extended_attributes(path: str) -> dict[str, bytes]:
    """Return a file's own, where the system has such (Linux); raises OSError.

    Others, such as security.selinux, are for the system to give.
    """
    if sys.platform != "linux":
        return {}
    try:
        names = os.listxattr(path)
    except OSError as error:
        if error.errno == errno.ENOTSUP:
            return {}
        raise
    own = [it for it in names if it.startswith("user.") or it == ACCESS_LIST]
    return {it: os.getxattr(path, it) for it in own}


def _set_attribute(path: str, name: str, value: bytes) -> None:
    if sys.platform == "linux":
        os.setxattr(path, name, value)


def _write_all(descriptor: int, data: bytes) -> None:
    while data:
        data = data[os.write(descriptor, data) :]


def _link(path: str, other: str) -> None:
    os.link(path, other, follow_symlinks=False)


def _set_owner(path: str, uid: int, gid: int) -> None:
    os.chown(path, uid, gid)


def _utime(path: str, atime_ns: int, mtime_ns: int) -> None:
    os.utime(path, ns=(atime_ns, mtime_ns), follow_symlinks=False)


def _exchange(path: str, other: str) -> None:
    library = ctypes.CDLL(None, use_errno=True)
    if sys.platform != "linux" or not hasattr(library, "renameat2"):
        raise OSError(errno.ENOTSUP, os.strerror(errno.ENOTSUP), path)
    names = (os.fsencode(path), os.fsencode(other))
    if library.renameat2(AT_FDCWD, names[0], AT_FDCWD, names[1], RENAME_EXCHANGE):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), path)


TOLD: dict[Callable[..., Any], str] = {
    os.mkdir: "make the folder {0}",
    _link: "give {0} a second name, {1}",
    _exchange: "swap {0} and {1}",
    os.replace: "move {0} to {1}",
    os.symlink: "link {1} to {0}",
    os.unlink: "remove {0}",
    os.rmdir: "remove the folder {0}",
    os.chmod: "set the mode of {0}",
    _set_owner: "set the owner of {0}",
    _set_attribute: "set {1} of {0}",
}
"""What each call does, in words."""
