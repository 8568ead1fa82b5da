"""Writes a configuration anew, and keeps beside it what it was before tap."""

import os
import stat
from collections.abc import Iterable

from tapproxy.wrap.configs.reading import ConfigFile
from tapproxy.wrap.errors import CouldNot, WrapError
from tapproxy.wrap.files import NEW, Files, extended_attributes
from tapproxy.wrap.hidden import hidden

ENDING = ".before-tap"
OWNED = "tap-owned"
"""The ending of what gets another owner, or attributes, before it has its name."""

MOST_BACKUPS = 100


def place_for(config: ConfigFile) -> str:
    """Return where a backup of the file as it is goes; raises WrapError.

    An older one with another content stays: then it is `.before-tap~2`, and so on.
    """
    for number in range(1, MOST_BACKUPS + 1):
        path = config.path + ENDING + (f"~{number}" if number > 1 else "")
        if not os.path.lexists(path) or _content_of(path) == config.data:
            return path
    raise WrapError(f"there are {MOST_BACKUPS} backups beside {config.path}: remove old ones")


def back_up(config: ConfigFile, path: str, files: Files) -> None:
    """Write the file as it is to where its backup goes, for its owner alone; raises CouldNot."""
    if _content_of(path) == config.data:
        return
    try:
        files.write(path, config.data, 0o600)
    except OSError as error:
        raise CouldNot(f"cannot write {path}: {error.strerror}") from error


def write_anew(config: ConfigFile, data: bytes, files: Files) -> None:
    """Put new content in a file's place, with its mode, owner and attributes; raises WrapError.

    Refused where the file has changed since it was read: clients write theirs too.
    """
    try:
        told = os.stat(config.path)
        if _content_of(config.path) != config.data:
            raise WrapError(f"{config.path} was changed by another program just now; try again")
        mode = stat.S_IMODE(told.st_mode)
        is_ours = (told.st_uid, told.st_gid) == (os.geteuid(), os.getegid())
        if is_ours and not extended_attributes(config.path):
            files.write(config.path, data, mode)
            return
        new = hidden(config.path, OWNED)
        files.write(new, data, mode)
        if not is_ours:
            files.set_owner(new, told.st_uid, told.st_gid)
        files.copy_attributes(config.path, new)
        files.rename(new, config.path)
    except OSError as error:
        raise CouldNot(f"cannot write {config.path}: {error.strerror}") from error


def drop_backup(path: str, now: bytes, files: Files) -> bool:
    """Remove a backup if it has what the file has now; return whether there is none any more."""
    content = _content_of(path)
    if content is not None and content != now:
        return False
    try:
        files.remove(path)
    except OSError as error:
        raise CouldNot(f"cannot remove {path}: {error.strerror}") from error
    return True


def clear_away(paths: Iterable[str], files: Files) -> None:
    """Remove what writing these files has left that was not completed; raises CouldNot."""
    for path in paths:
        for ending in (NEW, OWNED):
            try:
                files.remove(hidden(path, ending))
            except OSError as error:
                raise CouldNot(f"cannot remove {hidden(path, ending)}: {error.strerror}") from error


def _content_of(path: str) -> bytes | None:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return None
