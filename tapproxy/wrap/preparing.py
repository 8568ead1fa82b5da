"""What is to be known before a plugin is wrapped: whether it may be, and what goes where."""

import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from shlex import quote

from tapproxy.wrap.errors import CouldNot, WrapError
from tapproxy.wrap.launcher import Launcher, Made, start_script
from tapproxy.wrap.layout import Layout, links
from tapproxy.wrap.originals import is_launcher, look_at
from tapproxy.wrap.parts import Parts, folder_times
from tapproxy.wrap.places import Plugin
from tapproxy.wrap.settings import Settings


def check_writable(layout: Layout, what: str) -> None:
    """Raise CouldNot where nothing can be put in place or taken away: before anything is begun."""
    if not os.access(layout.folder, os.W_OK | os.X_OK):
        raise CouldNot(f"cannot {what}: the folder {layout.folder} cannot be written")


def check_new(layout: Layout, plugin: Plugin) -> None:
    """Raise WrapError where a plugin cannot be wrapped, or must not be."""
    check_writable(layout, f"wrap {plugin.path}")
    try:
        is_ours = is_launcher(plugin.path)
    except OSError as error:
        raise WrapError(f"cannot read {plugin.path}: {error.strerror}") from error
    if is_ours:
        raise WrapError(
            f"{plugin.path} is a launcher of tap that is not on your list: it is another user's, "
            "or of another XDG_DATA_HOME, or was moved; unwrap it there, or here by "
            f"`tap unwrap --force {quote(plugin.path)}`"
        )


def advice_for_root(layout: Layout) -> Iterator[str]:
    """Say where root wraps what is another user's: the settings are for root alone."""
    owner = os.stat(layout.folder).st_uid
    if os.geteuid() == 0 and owner != 0:
        yield (
            f"{layout.folder} is another user's (number {owner}): if the host runs as that user, "
            "it cannot read the settings, and nothing is recorded; then unwrap it, and wrap it as "
            "that user"
        )


def launcher_for(layout: Layout) -> Launcher:
    """Return what the launcher is to know."""
    settings = os.path.relpath(layout.settings, layout.folder)
    program = os.path.relpath(layout.program, layout.folder)
    name = "" if layout.moves else program
    return Launcher(layout.folder, settings, program, name)


def parts_for(plugin: Plugin, layout: Layout, made: Made, settings: Settings) -> Parts:
    """Look at the plugin, and return what is to be put where; raises WrapError."""
    try:
        was = look_at(plugin.path)
        times = folder_times(layout.folder)
        beside = links(layout)
    except OSError as error:
        raise WrapError(f"cannot read {plugin.path}: {error.strerror}") from error
    return made_with(
        Parts(
            layout,
            beside,
            was,
            times,
            plugin.place,
            launchers=(),
            native=made.native,
            python="",
            start="",
            recordings=settings.one("recordings"),
            settings=layout.settings,
        ),
        made,
    )


def made_with(parts: Parts, made: Made) -> Parts:
    """Return the parts with a launcher that this tap has made."""
    return replace(
        parts,
        launchers=(sha256(made.data).hexdigest(),),
        native=made.native,
        python=sys.executable,
        start=start_script(),
    )
