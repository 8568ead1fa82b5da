"""Where the parts of a wrapped plugin lie: where no rule of the host finds the original.

docs/wrap.md says why each is where it is.
"""

import os
from dataclasses import dataclass

from tapproxy.wrap.errors import WrapError
from tapproxy.wrap.hidden import hidden
from tapproxy.wrap.places import PLUGINS, Plugin

BOX = ".tap"
"""The folder of ours among the plugins."""
REAL = "real"
"""The folder in it from which a plugin that is one file is started."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The paths, all absolute."""

    launcher: str  # the path that a host finds
    settings: str
    original: str  # where the plugin's own file is kept, not changed in any way
    program: str  # what is started: the original, or a link that leads where the original led
    staged: str  # where the launcher waits for the original's name
    folders: tuple[str, ...] = ()  # those of ours, outermost first

    @property
    def folder(self) -> str:
        """Return the launcher's folder."""
        return os.path.dirname(self.launcher)

    @property
    def moves(self) -> bool:
        """Tell whether the original is moved at all."""
        return self.staged != self.launcher


def lay_out(plugin: Plugin) -> Layout:
    """Return where the parts of a plugin go; raises WrapError where there is no place."""
    folder = os.path.realpath(os.path.dirname(plugin.path))
    path = os.path.join(folder, os.path.basename(plugin.path))
    if plugin.rule == "first":
        return _before_the_first(plugin, path)
    if plugin.rule == "file" and os.path.basename(folder) == PLUGINS:
        is_relative_link = os.path.islink(path) and not os.path.isabs(os.readlink(path))
        return _in_a_box(path, is_relative_link=is_relative_link)
    return _side_by_side(path)


def plain_layouts(path: str) -> tuple[Layout, ...]:
    """Return the layouts that a launcher at a path may have where its original was moved.

    The first of which an original is there is the one.
    """
    return (
        _in_a_box(path, is_relative_link=True),
        _in_a_box(path, is_relative_link=False),
        _side_by_side(path),
    )


def _side_by_side(path: str) -> Layout:
    original = hidden(path, "tap-original")
    return Layout(path, hidden(path, "tap"), original, original, hidden(path, "tap-launcher"))


def _before_the_first(plugin: Plugin, path: str) -> Layout:
    """Leave the original: the launcher gets a name that hosts try before they take any program."""
    folder = os.path.dirname(path)
    free = [os.path.join(folder, it) for it in ("main", os.path.basename(folder))]
    launcher = next((it for it in free if not os.path.lexists(it)), None)
    if launcher is None:
        raise WrapError(
            f"{plugin.place}: hosts take its first program, whichever that is, and {free[0]} and "
            f"{free[1]} are taken: rename one of them"
        )
    return Layout(launcher, hidden(launcher, "tap"), path, path, launcher)


def _in_a_box(path: str, *, is_relative_link: bool) -> Layout:
    """Put the original in a folder of its own, with links to what was beside it."""
    folder, name = os.path.split(path)
    box = os.path.join(folder, BOX)
    own = os.path.join(box, name)
    real = os.path.join(own, REAL)
    program = os.path.join(real, name)
    return Layout(
        path,
        os.path.join(own, "settings"),
        os.path.join(own, "link") if is_relative_link else program,
        program,
        os.path.join(own, "launcher"),
        (box, own, real),
    )


def links_in(layout: Layout) -> dict[str, str]:
    """Return those links that are in the box now: path and target of each that leads out of it."""
    if not layout.folders:
        return {}
    real = layout.folders[-1]
    back = os.path.relpath(layout.folder, real)
    paths = [os.path.join(real, it) for it in os.listdir(real)]
    leading = {it: os.readlink(it) for it in paths if os.path.islink(it) and it != layout.original}
    return {it: target for it, target in leading.items() if target.startswith(back)}


def links(layout: Layout) -> dict[str, str]:
    """Return the links from the box to what lies beside the plugin: path and target of each."""
    if not layout.folders:
        return {}
    real, name = layout.folders[-1], os.path.basename(layout.launcher)
    back = os.path.relpath(layout.folder, real)
    beside = [it for it in sorted(os.listdir(layout.folder)) if it not in (BOX, name)]
    made = {os.path.join(real, it): os.path.join(back, it) for it in beside}
    if layout.program != layout.original:
        kept = layout.original if os.path.lexists(layout.original) else layout.launcher
        made[layout.program] = os.path.join(back, os.readlink(kept))
    return made
