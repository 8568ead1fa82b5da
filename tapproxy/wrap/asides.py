"""Keeps originals that an update has replaced: they are no more of use, and not ours to delete."""

import os

from tapproxy.wrap.kinds import Act
from tapproxy_store.locate import data_folder
from tapproxy_store.names import free_names
from tapproxy_store.private import make_folder


def set_aside(path: str, act: Act) -> None:
    """Copy an original to our own folder, where it has no permission to be executed; OSError."""
    if os.path.islink(path) or not os.path.isfile(path):
        return
    folder = os.path.join(data_folder(), "replaced")
    if not act.dry:
        make_folder(folder)
    name = os.path.basename(path).removeprefix(".").removesuffix(".tap-original")
    kept = next(free_names(os.path.join(folder, name)))
    told = os.stat(path)
    with open(path, "rb") as file:
        act.files.write(kept, file.read())
    if not act.dry:
        act.files.set_times(kept, told.st_atime_ns, told.st_mtime_ns)
    act.done(f"kept the program that was wrapped: {kept}")
