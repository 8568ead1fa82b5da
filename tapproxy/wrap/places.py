"""Where a LingXi host looks for plugins, and what it takes for one: its rules, in its order.

Known from PluginHostSupervisor.swift (`discoverAndStartAll`, `resolveExecutableBinary`) of all
generations that there are: docs/wrap.md has the rules and what follows from them.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

PLUGINS = "plugins"
"""The name that each of the three folders has."""

Rule = Literal["file", "same name", "bin", "main", "first"]
"""By which rule a host finds a plugin's program: as a file, or as one that it takes of a folder."""


@dataclass(frozen=True, slots=True)
class Plugin:
    """One plugin as a host finds it."""

    name: str  # of the file or the folder
    rule: Rule
    path: str  # of the program, absolute
    place: str  # the file or folder among the plugins


def plugin_folders(cwd: str, home: str, global_root: str | None = None) -> list[str]:
    """Return the folders in which a host looks that works in `cwd`, in its order.

    The project is the nearest folder above that has `.lingxi/plugins`. Where the host has its
    global root is its own affair: it is looked in only if it is named.
    """
    project = _project_folder(os.path.abspath(cwd))
    root = [] if global_root is None else [os.path.join(os.path.abspath(global_root), PLUGINS)]
    return [*project, *root, os.path.join(home, ".lingxiagent", PLUGINS)]


def _project_folder(cwd: str) -> list[str]:
    folder = os.path.join(cwd, ".lingxi", PLUGINS)
    if os.path.isdir(folder):
        return [folder]
    above = os.path.dirname(cwd)
    return _project_folder(above) if above != cwd else []


def plugins(folder: str) -> Iterator[Plugin]:
    """Yield what a host finds in a folder of plugins, by name; raises OSError."""
    for name in sorted(os.listdir(folder)):
        found = None if name.startswith(".") else find_plugin(os.path.join(folder, name))
        if found is not None:
            yield found


def find_plugin(place: str) -> Plugin | None:
    """Return the plugin that a file or folder is, by the host's rules; raises OSError."""
    name = os.path.basename(place)
    if not os.path.isdir(place):
        return Plugin(name, "file", place, place) if is_program(place) else None
    for rule, path in ranked(place):
        if is_program(path):
            return Plugin(name, rule, path, place)
    others = [os.path.join(place, it) for it in sorted(os.listdir(place))]
    first = next(filter(is_program, others), None)
    return None if first is None else Plugin(name, "first", first, place)


def ranked(place: str) -> list[tuple[Rule, str]]:
    """Return the paths that a host tries in a plugin's folder before it takes any program."""
    name = os.path.basename(place)
    return [
        ("same name", os.path.join(place, name)),
        ("bin", os.path.join(place, "bin", name)),
        ("main", os.path.join(place, "main")),
    ]


def plugin_of(path: str) -> Plugin:
    """Return the plugin whose program `path` is, told from the folder that it is in."""
    path = canonical(path)
    folder = os.path.dirname(path)
    if os.path.basename(folder) != PLUGINS:
        for place in (folder, os.path.dirname(folder)):
            if path in (it for _, it in ranked(place)):
                found = find_plugin(place)
                if found is not None and found.path == path:
                    return found
        if os.path.basename(os.path.dirname(folder)) == PLUGINS:
            found = find_plugin(folder)
            if found is not None and found.rule == "first":
                return Plugin(found.name, "first", path, folder)
    return Plugin(os.path.basename(path), "file", path, path)


def canonical(path: str) -> str:
    """Return the one path of a file, or of a symbolic link itself, however it is written."""
    folder, name = os.path.split(path.rstrip(os.sep) or path)
    if name in ("", os.curdir, os.pardir):
        return os.path.realpath(path)
    return os.path.join(os.path.realpath(folder), name)


def is_program(path: str) -> bool:
    """Tell whether a file can be executed.

    A host's own test takes folders, too, and then fails to start them: that is no plugin.
    """
    return os.path.isfile(path) and os.access(path, os.X_OK)
