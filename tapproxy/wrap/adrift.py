"""Finds a wrapped plugin of which no list tells: its folder was moved, or the list is lost.

All that is needed to unwrap it lies beside its launcher; as it was counts what the original is now.
"""

import os
from collections.abc import Iterator

from tapproxy.wrap.hidden import hidden
from tapproxy.wrap.layout import Layout, links_in, plain_layouts
from tapproxy.wrap.originals import digest, is_launcher, look_at
from tapproxy.wrap.parts import Parts, folder_times
from tapproxy.wrap.places import canonical
from tapproxy.wrap.registry import Entry, now

KIND = "lingxi"


def find_adrift(path: str) -> Entry | None:
    """Return an entry for the launcher that a file is, or that is in a folder; None without one."""
    for launcher in _launchers(path):
        for layout in (*plain_layouts(launcher), _beside_the_first(launcher)):
            if os.path.lexists(layout.original) and os.path.lexists(layout.settings):
                return _entry(layout)
    return None


def _beside_the_first(launcher: str) -> Layout:
    """Return the layout of a launcher that was put beside an original that stayed."""
    return Layout(launcher, hidden(launcher, "tap"), launcher, launcher, launcher)


def _launchers(path: str) -> Iterator[str]:
    folders = (path, os.path.join(path, "bin")) if os.path.isdir(path) else ()
    inside = (os.path.join(it, name) for it in folders if os.path.isdir(it) for name in _names(it))
    for it in (path, *inside):
        try:
            is_ours = os.path.isfile(it) and not os.path.islink(it) and is_launcher(it)
        except OSError:
            continue
        if is_ours:
            yield canonical(it)


def _names(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def _entry(layout: Layout) -> Entry:
    name = os.path.basename(layout.launcher)
    parts = Parts(
        layout,
        links_in(layout),
        look_at(layout.original),
        folder_times(layout.folder),
        place=layout.launcher,
        launchers=(digest(layout.launcher),),
        native=False,
        python="",
        start="",
        recordings="",
        settings=layout.settings,
    )
    return Entry(KIND, name, layout.launcher, "", "wrapped", now(), parts.details())
