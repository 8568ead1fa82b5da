"""Puts the parts of a wrapped plugin in place, and takes them away: each step leaves it startable.

The original has its second name before the launcher takes the first one, by one rename, and gets
it back by one rename. All of it can be done again from wherever it stopped.
"""

import errno
import os
import stat
from contextlib import suppress

from tapproxy.wrap.files import NEW, Files
from tapproxy.wrap.hidden import hidden
from tapproxy.wrap.layout import Layout
from tapproxy.wrap.originals import digest_or_none
from tapproxy.wrap.parts import Parts

NO_LINKS = (errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EMLINK, errno.ENOSYS)
"""Why a file cannot have a second name: the file system has none, or the file is another's."""


def place(parts: Parts, launcher: bytes, settings: bytes, files: Files) -> None:
    """Put all parts in place; raises OSError, and then `take_away` undoes what was done."""
    layout = parts.layout
    for folder in layout.folders:
        files.make_folder(folder)
    for path, target in parts.links.items():
        if not os.path.lexists(path):
            files.symlink(target, path)
    files.write(layout.settings, settings)
    put_launcher(parts, launcher, files)
    restore_folder_times(parts, files)


def put_launcher(parts: Parts, launcher: bytes, files: Files) -> None:
    """Let the launcher take the plugin's name, or the place of an older launcher."""
    layout = parts.layout
    files.write(layout.staged, launcher, 0o755 & _permissions(parts))
    if not layout.moves:
        return
    if os.path.lexists(layout.original):
        files.rename(layout.staged, layout.launcher)
        return
    try:
        files.link(layout.launcher, layout.original)
    except OSError as error:
        if error.errno not in NO_LINKS:
            raise
        files.rename(layout.staged, layout.original)
        files.exchange(layout.original, layout.launcher)
    else:
        files.rename(layout.staged, layout.launcher)


def take_away(parts: Parts, files: Files) -> list[str]:
    """Take all parts away; the original has its name again, and its times.

    Returns the files that the plugin has made beside itself meanwhile and that could not be moved
    to where they belong. Raises OSError.
    """
    layout = parts.layout
    if not parts.keeps_new:
        _give_name_back(parts, files)
        restored = layout.launcher if layout.moves else layout.original
        if digest_or_none(restored) == parts.was.sha256:
            parts.was.restore_times(restored, files)
    for path in (layout.staged, layout.settings):
        if path != layout.launcher:
            files.remove(path)
        files.remove(hidden(path, NEW))
    left = _empty(parts, files)
    for folder in reversed(layout.folders):
        with suppress(OSError):  # others of ours are in it, or what was left
            files.remove_folder(folder)
    restore_folder_times(parts, files)
    return left


def restore_folder_times(parts: Parts, files: Files) -> None:
    """Let the folder look as if nobody had changed it."""
    files.set_times(parts.layout.folder, *parts.folder_times)


def _permissions(parts: Parts) -> int:
    """Return who may execute the launcher: who might execute the original."""
    return 0o777 if parts.was.is_link else stat.S_IMODE(parts.was.mode)


def _give_name_back(parts: Parts, files: Files) -> None:
    layout = parts.layout
    if not layout.moves or not os.path.lexists(layout.original):
        if digest_or_none(layout.launcher) in parts.launchers:
            files.remove(layout.launcher)
    elif digest_or_none(layout.original) in parts.launchers or _is_same(layout):
        files.remove(layout.original)  # the names were not exchanged yet
    else:
        files.rename(layout.original, layout.launcher)


def _is_same(layout: Layout) -> bool:
    """Tell whether both names are those of one file: a rename would leave both."""
    try:
        one, other = os.lstat(layout.original), os.lstat(layout.launcher)
    except OSError:
        return False
    return os.path.samestat(one, other)


def _empty(parts: Parts, files: Files) -> list[str]:
    """Remove our links, and move what the plugin has made there to where it belongs."""
    layout = parts.layout
    if not layout.folders:
        return []
    left = []
    real = layout.folders[-1]
    for name in sorted(os.listdir(real)) if os.path.isdir(real) else []:
        path = os.path.join(real, name)
        if os.path.islink(path) and os.readlink(path) == parts.links.get(path):
            files.remove(path)
        elif path != layout.original:
            try:
                files.rename(path, os.path.join(layout.folder, name))
            except OSError:
                left.append(path)
    return left
