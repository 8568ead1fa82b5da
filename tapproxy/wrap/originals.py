"""What an original was, so that the very same can be put back, and what has changed since."""

import os
from dataclasses import dataclass
from hashlib import file_digest, sha256

from tapproxy.wrap.files import Files
from tapproxy.wrap.launcher import MARKER

LARGEST_LAUNCHER = 1 << 20
"""Bytes of a file in which a launcher's mark is looked for: one has some 20 kB."""


@dataclass(frozen=True, slots=True)
class Original:
    """A file, or a symbolic link, as it was found."""

    sha256: str  # of its bytes; of a link, of where it leads
    mode: int  # st_mode
    atime_ns: int
    mtime_ns: int
    is_link: bool

    def restore_times(self, path: str, files: Files) -> None:
        """Give a file the times that it had."""
        files.set_times(path, self.atime_ns, self.mtime_ns)


def look_at(path: str) -> Original:
    """Look at a file without leaving a trace where the system allows that; raises OSError."""
    told = os.lstat(path)
    return Original(
        digest(path), told.st_mode, told.st_atime_ns, told.st_mtime_ns, os.path.islink(path)
    )


def digest(path: str) -> str:
    """Return the SHA-256 of a file, or of where a symbolic link leads; raises OSError."""
    if os.path.islink(path):
        return sha256(os.fsencode(os.readlink(path))).hexdigest()
    with os.fdopen(_open_unseen(path), "rb") as file:
        return file_digest(file, "sha256").hexdigest()


def digest_or_none(path: str) -> str | None:
    """Return the digest of a file; None where there is none, or it cannot be read."""
    try:
        return digest(path)
    except OSError:
        return None


def is_launcher(path: str) -> bool:
    """Tell whether a file is a launcher that some tap has made; raises OSError."""
    with os.fdopen(_open_unseen(path), "rb") as file:
        return MARKER in file.read(LARGEST_LAUNCHER)


def _open_unseen(path: str) -> int:
    """Open a file to read it, if possible without a new time of access (Linux, its owner)."""
    unseen = getattr(os, "O_NOATIME", 0)
    try:
        return os.open(path, os.O_RDONLY | os.O_CLOEXEC | unseen)
    except PermissionError:
        return os.open(path, os.O_RDONLY | os.O_CLOEXEC)
