"""A session that may be played, and how its plugin was started."""

import os
from base64 import b64decode
from dataclasses import dataclass
from typing import Any

from tapproxy.errors import USAGE, TapError
from tapproxy.framing import FRAMINGS
from tapproxy.replay.command_lines import Started, started
from tapproxy_store import locate
from tapproxy_store.reading import Recording
from tapproxy_store.records import Session


@dataclass(frozen=True, slots=True)
class Candidate:
    """A session that may be played."""

    name: str  # of its recording, as the user knows it
    path: str
    session: Session
    is_empty: bool = False  # not a byte is on record, nor that a plugin ended

    @property
    def argv(self) -> list[str]:
        """The words that started its plugin, the program first; [] where they are not on record."""
        argv = self.session.facts.get("argv")
        words = [_word(it) for it in argv] if isinstance(argv, list) else []
        known = [it for it in words if it is not None and "\0" not in it]
        return known if len(known) == len(words) and "".join(known[:1]) else []

    @property
    def started(self) -> Started:
        """How its plugin was started."""
        return started(self.argv)


def find_session(recording: Recording, number: int) -> Session:
    """Return the session of that id; raises TapError where it is not there or cannot be cut."""
    it = next((it for it in recording.sessions() if it.id == number), None)
    if it is None:
        raise TapError(f"{recording.path} has no session {number}", USAGE)
    if it.framing not in FRAMINGS:
        words = f"{recording.path} says that its framing is {it.framing!r}, which is none"
        raise TapError(f"{words}; `tap index --framing` chooses one", USAGE)
    return it


def findable(path: str) -> str:
    """Return what commands find a recording by: its name, or its path where that is elsewhere."""
    folder, file = os.path.split(os.path.abspath(path))
    if folder == os.path.abspath(locate.recordings_folder()):
        return file.removesuffix(locate.ENDING)
    near = os.path.relpath(path)
    return os.path.join(folder, file) if near.startswith(os.pardir) else near


def _word(argument: Any) -> str | None:
    """Return an argument as a text; bytes that are none as the system spells them."""
    if isinstance(argument, str):
        return argument
    try:
        return os.fsdecode(b64decode(argument["base64"], validate=True))
    except (TypeError, KeyError, ValueError):
        return None
