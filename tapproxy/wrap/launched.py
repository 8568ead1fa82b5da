"""What all targets with a launcher have in common: settings, modes, the launcher itself."""

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from shlex import quote

from tapproxy.wrap import settings as told
from tapproxy.wrap.errors import CouldNot
from tapproxy.wrap.findings import Finding
from tapproxy.wrap.kinds import Act
from tapproxy.wrap.launcher import start_script
from tapproxy.wrap.modes import Mode
from tapproxy.wrap.originals import digest_or_none
from tapproxy.wrap.registry import Entry
from tapproxy.wrap.settings import Settings, Unreadable

UNREADABLE = "its settings cannot be read: off"


@dataclass(frozen=True, slots=True)
class Wish:
    """What the user asks for; what is None or empty stays as it is, or as is usual."""

    mode: Mode | None = None
    recordings: str = ""  # a folder, absolute
    native: bool | None = None
    only: str = ""
    redact: tuple[str, ...] | None = None  # all rules
    keep: str = ""  # bounds of what is kept
    drop_old: bool = False


def changes_settings(wish: Wish) -> bool:
    """Tell whether a wish is about the settings of what is wrapped already."""
    given = (wish.mode, wish.redact)
    return any(it is not None for it in given) or bool(wish.recordings or wish.keep)


def settings_for(name: str, wish: Wish, recordings: str, only: str = "") -> Settings:
    """Return the settings of a target that is wrapped for the first time."""
    values = {"mode": (told.RECORD,), "name": (name,), "recordings": (recordings,)}
    return as_wished(Settings(values).but(only=only), wish)


def as_wished(settings: Settings, wish: Wish) -> Settings:
    """Return the settings with what a wish says of them."""
    if wish.recordings:
        settings = settings.but(recordings=wish.recordings)
    if wish.keep:
        settings = settings.but(keep=wish.keep)
    if wish.redact is not None:
        settings = settings.but(redact=wish.redact)
    return settings if wish.mode is None else in_mode(settings, wish.mode)


def in_mode(settings: Settings, mode: Mode) -> Settings:
    """Return the settings in a mode; a recording is kept for the next time."""
    if not mode.recording:
        return settings.but(mode=mode.word)
    return settings.but(mode=mode.word, recording=mode.recording)


def mode(entry: Entry) -> str:
    """Return the mode in words."""
    try:
        settings = told.read(entry.details["settings"])
    except (OSError, Unreadable):
        return UNREADABLE
    recording = settings.one("recording") if settings.mode == told.REPLAY else ""
    return f"{settings.mode} {recording}".rstrip()


def switch(entry: Entry, mode: Mode, act: Act) -> None:
    """Change the mode; raises CouldNot."""
    change_settings(entry, Wish(mode=mode), act)


def change_settings(entry: Entry, wish: Wish, act: Act) -> None:
    """Write the settings anew, as wished; raises CouldNot."""
    path = entry.details["settings"]
    try:
        settings = told.read(path)
    except (OSError, Unreadable):
        settings = settings_for(entry.name, wish, entry.details["recordings"])
    write_settings(path, as_wished(settings, wish), act)


def write_settings(path: str, settings: Settings, act: Act) -> None:
    """Put settings in place, with the folder's times as they were; raises CouldNot."""
    folder = os.path.dirname(path)
    try:
        before = os.stat(folder)
        act.files.write(path, settings.encoded())
        act.files.set_times(folder, before.st_atime_ns, before.st_mtime_ns)
    except OSError as error:
        raise CouldNot(f"cannot write {path}: {error.strerror}") from error


def is_in_place(entry: Entry) -> bool:
    """Tell whether what is at the target's path is the launcher that was put there."""
    return digest_or_none(entry.path) in entry.details["launchers"]


def findings(entry: Entry) -> Iterator[Finding]:
    """Look at the settings and at what the launcher starts."""
    path = entry.details["settings"]
    try:
        settings = told.read(path)
    except (OSError, Unreadable):
        yield Finding(
            ok=False,
            what=f"{path} cannot be read: {entry.name} runs unrecorded",
            advice=f"`tap wrap {quote(entry.path)} --record` writes it anew",
        )
        return
    recording = settings.one("recording")
    if settings.mode == told.REPLAY and not os.path.exists(recording):
        yield Finding(
            ok=False,
            what=f"{entry.name} is to be played from {recording}, which is gone",
            advice=f"`tap wrap {quote(entry.path)} --record` lets the program run again",
        )
    needed = (entry.details["python"], entry.details["start"])
    gone = [it for it in needed if not os.path.exists(it)]
    if gone:
        yield Finding(
            ok=False,
            what=f"{entry.name} runs unrecorded: {gone[0]} is gone (was tap moved?)",
            advice=f"`tap wrap {quote(entry.path)}` leads its launcher to this tap",
        )


def is_of_this_tap(entry: Entry) -> bool:
    """Tell whether the launcher starts the tap that we are."""
    made_by = (entry.details["python"], entry.details["start"])
    return made_by == (sys.executable, start_script())
