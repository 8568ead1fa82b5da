"""Wraps commands: a shim of the command's name in a folder of ours, which goes first in PATH.

Nothing of the command is touched. Each time, the shim looks up the next program of its name in
PATH, so that an update, or another environment, is followed.
"""

import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from shlex import quote

from tapproxy.wrap import launched
from tapproxy.wrap.errors import CouldNot, WrapError
from tapproxy.wrap.files import NEW
from tapproxy.wrap.findings import Finding
from tapproxy.wrap.hidden import hidden
from tapproxy.wrap.kinds import Act
from tapproxy.wrap.launched import Wish, change_settings, is_in_place, settings_for
from tapproxy.wrap.launcher import Launcher, Made, make, sort_again, start_script
from tapproxy.wrap.registry import Entry, now
from tapproxy.wrap.settings import Settings, read
from tapproxy_store.locate import data_folder
from tapproxy_store.private import make_folder

KIND = "command"

USUAL_ONLY = {"xlings": "interface"}
"""Of these commands only the calls are recorded that begin so: the others are for people."""

mode = launched.mode
switch = launched.switch


def shims_folder() -> str:
    """Return the folder that goes first in PATH."""
    return os.path.join(data_folder(), "shims")


def wrap(name: str, wish: Wish, recordings: str, act: Act) -> None:
    """Wrap a command, or see to one that is wrapped; raises WrapError."""
    if os.path.basename(name) != name or not name:
        raise WrapError(f"{name!r} is no command's name; `tap wrap {name}` wraps a file")
    entry = act.registry.find(KIND, os.path.join(shims_folder(), name))
    if entry is None:
        _wrap_new(name, wish, recordings, act)
    else:
        _see_to(entry, wish, act)
    for advice in path_advice(name, os.environ.get("PATH", "")):
        act.say(advice)


def path_advice(name: str, path: str) -> Iterator[str]:
    """Say how to put our folder first, where the command is still found before it."""
    shims = shims_folder()
    found = shutil.which(name, path=path)
    if found is None or not _is_same(os.path.dirname(found), shims):
        yield f"put its folder first in PATH: export PATH={quote(shims)}:$PATH"


def find_original(name: str, path: str) -> str | None:
    """Return the program that a shell would find if it were not for us."""
    folders = [it for it in path.split(os.pathsep) if not _is_same(it, shims_folder())]
    return shutil.which(name, path=os.pathsep.join(folders))


def unwrap(entry: Entry, act: Act) -> None:
    """Remove the shim; raises WrapError where it is no longer ours."""
    if os.path.lexists(entry.path) and not is_in_place(entry) and not act.force:
        raise WrapError(
            f"{entry.path} is another program now; `tap unwrap --force {entry.name}` leaves it"
        )
    try:
        act.registry.put(replace(entry, state="unwrapping"))
        _remove(entry, act)
    except OSError as error:
        raise CouldNot(f"cannot unwrap {entry.name}: {error.strerror}") from error
    act.done(f"unwrapped {entry.name}: {entry.path} is gone")


def recover(entry: Entry, act: Act) -> str:
    """Complete what is in place, undo what is not; raises CouldNot."""
    try:
        if entry.state == "wrapping" and is_in_place(entry) and os.access(entry.path, os.X_OK):
            act.registry.put(entry.to("wrapped"))
            return f"{entry.name}: completed what had begun, it is wrapped"
        _remove(entry, act)
    except OSError as error:
        raise CouldNot(f"cannot complete {entry.name}: {error.strerror}") from error
    return f"{entry.name}: {entry.state} had begun, and is undone: it is not wrapped"


def findings(entry: Entry) -> Iterator[Finding]:
    """Look whether the shim is there, found first, and leads to a program."""
    again = f"`tap wrap --command {entry.name}`"
    path = os.environ.get("PATH", "")
    if not is_in_place(entry):
        yield Finding(
            ok=False, what=f"{entry.path} is gone or changed", advice=f"{again} makes it anew"
        )
    for advice in path_advice(entry.name, path):
        yield Finding(
            ok=False, what=f"{entry.name} is not found by way of {entry.path} here", advice=advice
        )
    original = find_original(entry.name, path) or entry.details["original"]
    if not os.access(original, os.X_OK):
        yield Finding(
            ok=False,
            what=f"there is no program {entry.name} behind {entry.path}",
            advice=f"install it again, or `tap unwrap {entry.name}`",
        )
    yield from launched.findings(entry)


def _wrap_new(name: str, wish: Wish, recordings: str, act: Act) -> None:
    original = find_original(name, os.environ.get("PATH", ""))
    if original is None:
        raise WrapError(f"there is no command {name} in PATH")
    only = wish.only or USUAL_ONLY.get(name, "")
    settings = settings_for(name, wish, recordings, only)
    made = _make(name, os.path.abspath(original), only, native=wish.native)
    entry = _entry(name, os.path.abspath(original), made, settings)
    try:
        if not act.dry:
            make_folder(shims_folder())
        act.registry.put(entry)
        _put(entry, made, settings, act)
    except OSError as error:
        _remove(entry, act)
        raise CouldNot(f"cannot wrap {name}: {error.strerror}; nothing is changed") from error
    calls = f"calls of {name} {only}" if only else f"calls of {name}"
    act.done(f"wrapped {calls} ({settings.mode}): {entry.path}")


def _see_to(entry: Entry, wish: Wish, act: Act) -> None:
    other_calls = wish.only and wish.only != entry.details["only"]
    other_kind = wish.native is not None and wish.native != entry.details["native"]
    if other_calls or other_kind or not is_in_place(entry) or not launched.is_of_this_tap(entry):
        _renew(entry, wish, act)
    if launched.changes_settings(wish):
        change_settings(entry, wish, act)
    act.done(f"{entry.name} is wrapped ({mode(entry)})")


def _renew(entry: Entry, wish: Wish, act: Act) -> None:
    only = wish.only or entry.details["only"]
    native = sort_again(was_native=entry.details["native"], wished=wish.native)
    made = _make(entry.name, entry.details["original"], only, native=native)
    try:
        settings = read(entry.details["settings"]).but(only=only)
    except (OSError, ValueError):
        settings = settings_for(entry.name, wish, entry.details["recordings"], only)
    new = _entry(entry.name, entry.details["original"], made, settings)
    try:
        both = [*entry.details["launchers"], *new.details["launchers"]]
        act.registry.put(entry.to("wrapped", launchers=both))
        _put(new, made, settings, act)
    except OSError as error:
        raise CouldNot(f"cannot renew {entry.path}: {error.strerror}") from error


def _put(entry: Entry, made: Made, settings: Settings, act: Act) -> None:
    act.files.write(entry.details["settings"], settings.encoded())
    act.files.write(entry.path, made.data, 0o755)
    act.registry.put(entry.to("wrapped"))


def _remove(entry: Entry, act: Act) -> None:
    if is_in_place(entry):
        act.files.remove(entry.path)
    for path in (entry.path, entry.details["settings"]):
        act.files.remove(hidden(path, NEW))
    act.files.remove(entry.details["settings"])
    act.registry.remove(entry)


def _make(name: str, original: str, only: str, *, native: bool | None) -> Made:
    shims = shims_folder()
    settings = os.path.basename(hidden(os.path.join(shims, name), "tap"))
    return make(Launcher(shims, settings, original, command=name, only=only), native=native)


def _entry(name: str, original: str, made: Made, settings: Settings) -> Entry:
    path = os.path.join(shims_folder(), name)
    details = {
        "settings": hidden(path, "tap"),
        "launchers": [sha256(made.data).hexdigest()],
        "native": made.native,
        "python": sys.executable,
        "start": start_script(),
        "recordings": settings.one("recordings"),
        "only": settings.one("only"),
        "original": original,
    }
    return Entry(KIND, name, path, "", "wrapping", now(), details)


def _is_same(folder: str, other: str) -> bool:
    try:
        return os.path.samefile(folder or ".", other)
    except OSError:
        return False
