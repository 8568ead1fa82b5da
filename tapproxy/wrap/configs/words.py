"""The words that start a server through tap, and how they are known again."""

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from tapproxy.wrap.modes import Mode

OURS = ("run", "replay")

USUAL_BOUNDS = "default"
"""As `tap run --keep` calls those of a program that is wrapped."""

NO_BOUNDS = "none"


@dataclass(frozen=True, slots=True)
class How:
    """How a server is recorded."""

    recordings: str
    """The folder, absolute."""
    rules: tuple[str, ...] = ()
    """By which secrets are kept out: those of `tap run --redact`."""
    keep: str = ""
    """Bounds of what is kept, as `tap run --keep` takes them; empty: the usual ones."""


def words_for(mode: Mode, name: str, how: How) -> tuple[str, ...]:
    """Return what is put before a server's command, or, to replay, in place of it.

    All options come before the command: `tap run` needs no `--`, should a client swallow it. Where
    recordings go is named, as clients pass on few variables; with a slash in the end, so that a
    folder that was deleted is made again. What a client starts unasked must not fill a disk: what
    is kept has bounds unless somebody has taken them away.
    """
    rules = tuple(it for rule in how.rules for it in ("--redact", rule))
    bounds = () if how.keep == NO_BOUNDS else ("--keep", how.keep or USUAL_BOUNDS)
    more = (*rules, *bounds)
    if mode.word == "replay":
        return (*own_command(), "replay", mode.recording, "--as", "plugin", *more)
    folder = os.path.join(how.recordings, "")
    return (*own_command(), "run", "-o", folder, "--name", name, *more, "--")


def own_command() -> tuple[str, ...]:
    """Return what starts this tap from anywhere: its path, else that of its Python.

    -P: modules in the folder of a client are not ours.
    """
    beside = os.path.join(os.path.dirname(os.path.abspath(sys.executable)), "tap")
    if os.path.isfile(beside) and os.access(beside, os.X_OK):
        return (beside,)
    return (os.path.abspath(sys.executable), "-P", "-m", "tapproxy")


def goes_through_tap(words: Sequence[str]) -> bool:
    """Tell whether a command starts tap before anything else."""
    for at, (word, following) in enumerate(pairwise(words)):
        if following in OURS and _is_tap(words[: at + 1], word):
            return True
        if word == "--":
            break
    return False


def _is_tap(before: Sequence[str], word: str) -> bool:
    name = word.replace("\\", "/").rpartition("/")[2].removesuffix(".exe")
    return name == "tap" or list(before[-2:]) == ["-m", "tapproxy"]
