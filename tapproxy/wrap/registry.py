"""What is wrapped: one file for each target, in a folder of the user's that no TAP_DIR moves.

A host passes on few environment variables, and a recordings folder may be chosen anew in every
shell: what was put in place must be found by whoever wants to take it out.
"""

import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields, replace
from hashlib import sha256
from typing import Any, Literal, get_args

from tapproxy.wrap.errors import CouldNot, WrapError
from tapproxy.wrap.files import Files
from tapproxy_store.locate import data_folder
from tapproxy_store.private import make_folder

State = Literal["wrapping", "wrapped", "unwrapping"]
"""The first and the last are intents: met later, they say that something was not completed."""

ENDING = ".json"
LOCK = ".lock"
PATIENCE_S = 10.0
BETWEEN_TRIES_S = 0.02
DETAILS = {
    "lingxi": {"layout", "links", "was", "folder_times", "place", "launchers", "settings"},
    "command": {"settings", "launchers", "original", "recordings", "only", "native"},
    "config": {"format", "standing", "is_new", "recordings", "redact"},
}
"""What an entry of a kind has at least, by the kind's name."""

LONGEST_WORD = 40
"""Characters of the target's name in the name of its file."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One wrapped target."""

    kind: str  # a key of kinds.KINDS: lingxi, command, config
    name: str  # what the user calls it
    path: str  # of the one file that was changed, or taken the name of; absolute
    part: str  # which part of that file; empty where it is the whole
    state: State
    since: str  # when it was wrapped: ISO 8601, with zone
    details: dict[str, Any]  # what its kind needs, as JSON takes it

    @property
    def key(self) -> str:
        """Return the name of its file, without its ending."""
        digest = sha256(os.fsencode(f"{self.kind}\0{self.path}\0{self.part}")).hexdigest()[:16]
        kept = "".join(it if it.isalnum() or it in "._-" else "-" for it in self.name)
        return f"{kept.strip('.-')[:LONGEST_WORD] or self.kind}-{digest}"

    def to(self, state: State, **details: Any) -> "Entry":
        """Return the entry in another state, with these details besides."""
        return replace(self, state=state, details={**self.details, **details})


class Registry:
    """The folder of entries."""

    def __init__(self, folder: str | None = None, files: Files | None = None) -> None:
        """Take the folder (by default the user's), and by what files are changed."""
        self.folder = os.path.join(data_folder(), "wrapped") if folder is None else folder
        self._files = Files() if files is None else files

    def entries(self) -> list[Entry]:
        """Return what is wrapped, by kind and name, as far as it can be read; raises WrapError."""
        found = [it for it in map(self._read, self._paths()) if isinstance(it, Entry)]
        return sorted(found, key=lambda it: (it.kind, it.name, it.path, it.part))

    def unreadable(self) -> list[WrapError]:
        """Return what is wrong with the entries that cannot be read: the others can do without."""
        return [it for it in map(self._read, self._paths()) if isinstance(it, WrapError)]

    def find(self, kind: str, path: str, part: str = "") -> Entry | None:
        """Return the entry of a target; None where it is not wrapped. Raises WrapError."""
        wanted = (kind, path, part)
        return next((it for it in self.entries() if (it.kind, it.path, it.part) == wanted), None)

    def put(self, entry: Entry) -> None:
        """Write an entry, whole or not at all; raises OSError."""
        text = json.dumps(asdict(entry), indent=1, sort_keys=True)
        self._files.write(self._path(entry), text.encode() + b"\n")

    def remove(self, entry: Entry) -> None:
        """Remove an entry, if it is there; raises OSError."""
        self._files.remove(self._path(entry))

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep everybody else from wrapping and unwrapping meanwhile; raises CouldNot."""
        import fcntl

        try:
            make_folder(self.folder)
            lock = os.open(os.path.join(self.folder, LOCK), os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise CouldNot(f"cannot write to {self.folder}: {error.strerror}") from error
        try:
            deadline = time.monotonic() + PATIENCE_S
            while True:
                try:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError as error:
                    if time.monotonic() > deadline:
                        raise CouldNot("another tap is wrapping; try again") from error
                    time.sleep(BETWEEN_TRIES_S)
            yield
        finally:
            os.close(lock)

    def _path(self, entry: Entry) -> str:
        return os.path.join(self.folder, entry.key + ENDING)

    def _paths(self) -> list[str]:
        try:
            names = sorted(os.listdir(self.folder))
        except FileNotFoundError:
            return []
        except OSError as error:
            raise CouldNot(f"cannot read {self.folder}: {error.strerror}") from error
        return [
            os.path.join(self.folder, it) for it in names if it.endswith(ENDING) and it[0] != "."
        ]

    def _read(self, path: str) -> Entry | WrapError:
        try:
            with open(path, "rb") as file:
                return _checked(json.load(file))
        except (OSError, ValueError, RecursionError) as error:
            return WrapError(
                f"cannot read {path}, which says what is wrapped ({error}): remove it, and then "
                "take out what it was about with `tap unwrap --force PATH`"
            )


def _checked(told: Any) -> Entry:
    """Return an entry as it was read; raises ValueError where it is none."""
    names = {it.name for it in fields(Entry)}
    if not isinstance(told, dict) or told.keys() != names:
        raise ValueError("it is no entry")
    entry = Entry(**told)
    texts = (entry.name, entry.path, entry.part, entry.since)
    if not all(isinstance(it, str) for it in texts) or not isinstance(entry.details, dict):
        raise ValueError("it is no entry")
    if entry.state not in get_args(State):
        raise ValueError(f"it has the state {entry.state!r}")
    needed = DETAILS.get(entry.kind) if isinstance(entry.kind, str) else None
    if needed is None:
        raise ValueError(f"this tap wraps nothing of the kind {entry.kind!r}")
    if not needed <= entry.details.keys():
        raise ValueError("its details are incomplete")
    return entry


def now() -> str:
    """Return the instant as an entry has it."""
    return time.strftime("%Y-%m-%dT%H:%M:%S%z")
