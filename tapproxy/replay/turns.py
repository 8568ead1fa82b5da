"""Whose turn it is: a host that starts its plugin again gets the next session, in a new process."""

import hashlib
import json
import os
import stat
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import NamedTuple, TextIO

from tapproxy.errors import TapError
from tapproxy_store.locks import hold
from tapproxy_store.private import make_folder

ENDING = ".turns"

PATIENCE_S = 5.0
"""How long `ps` may take to tell when a process began."""

Turn = tuple[str, int]
"""A recording's path and the id of a session in it."""


class Host(NamedTuple):
    """A process, told from others that had its number before."""

    pid: int
    began: str  # in the system's own count; empty where it does not tell


def host_of(pid: int) -> Host:
    """Return the process that has this number now."""
    return Host(pid, _beginning(pid))


def take_turn(
    host: Host, recordings: Iterable[str], wanted: Sequence[Turn], folder: str | None = None
) -> Turn | None:
    """Return the first that this host has not had, and note that it has it; None: it had them all.

    `recordings` are the paths of all that the host's plugin is played from: with others it begins
    anew. Raises TapError where nothing can be noted.
    """
    folder = folder or turns_folder()
    try:
        with _notes(host, recordings, folder) as notes:
            had = {(path, session) for path, session in map(json.loads, notes)}
            turn = next((it for it in wanted if it not in had), None)
            if turn is not None:
                notes.write(json.dumps(turn) + "\n")
            return turn
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or error
        raise TapError(
            f"cannot note in {folder} which session is played: {reason}; "
            "--session N plays the one you name, without a note"
        ) from error


def turns_folder() -> str:
    """Return the folder of our notes, which need not outlive the hosts."""
    base = os.environ.get("XDG_RUNTIME_DIR", "")
    if not os.path.isabs(base) or not os.path.isdir(base):
        base = tempfile.gettempdir()
    return os.path.join(base, f"tap-turns-{os.getuid()}")


@contextmanager
def _notes(host: Host, recordings: Iterable[str], folder: str) -> Iterator[TextIO]:
    """Open a host's notes for reading and adding to, while nobody else does."""
    _make_ours(folder)
    path = os.path.join(folder, _name(host, recordings))
    if not os.path.exists(path):
        _forget_dead(folder)
    descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    with open(descriptor, "r+", encoding="utf-8", errors="surrogateescape") as notes:
        hold(notes.fileno())
        yield notes


def _name(host: Host, recordings: Iterable[str]) -> str:
    paths = "\0".join(sorted(map(os.path.realpath, recordings)))
    digest = hashlib.sha256(os.fsencode(paths)).hexdigest()[:16]
    return f"{host.pid}-{host.began}-{digest}{ENDING}"


def _make_ours(folder: str) -> None:
    """Make the folder; raises PermissionError where somebody else could write to it."""
    make_folder(folder)
    status = os.lstat(folder)
    is_ours = stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid()
    if not is_ours or status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise PermissionError(0, "others can write there")


def _forget_dead(folder: str) -> None:
    """Remove the notes of hosts that have ended."""
    for name in os.listdir(folder):
        pid, _, rest = name.partition("-")
        if not name.endswith(ENDING) or not pid.isdecimal():
            continue
        if _beginning(int(pid)) != rest.partition("-")[0]:
            with suppress(FileNotFoundError):
                os.unlink(os.path.join(folder, name))


def _beginning(pid: int) -> str:
    """Say when a process began, in a word; nothing where there is none."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[19].decode()  # proc(5): starttime
    except (OSError, IndexError):
        return "" if os.path.isdir("/proc/self") else beginning_by_ps(pid)


def beginning_by_ps(pid: int) -> str:
    """Say when a process began, in a word, where there is no /proc; nothing if it has ended."""
    try:
        told = subprocess.run(
            ["ps", "-o", "lstart=", "-p", str(pid)],
            capture_output=True,
            check=False,
            timeout=PATIENCE_S,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return "".join(it for it in told.stdout.decode(errors="replace") if it.isalnum())
