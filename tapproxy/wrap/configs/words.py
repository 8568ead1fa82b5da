"""The words that start a server through tap, and how they are known again."""

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from tapproxy.wrap.modes import Mode

OURS = ("run", "replay")


@dataclass(frozen=True, slots=True)
class How:
    """How a server is recorded."""

    recordings: str
    """The folder, absolute."""
    rules: tuple[str, ...] = ()
    """By which secrets are kept out: those of `tap run --redact`."""


def words_for(mode: Mode, name: str, how: How) -> tuple[str, ...]:
    """Return what is put before a server's command, or, to replay, in place of it.

    All options come before the command: `tap run` needs no `--`, should a client swallow it. Where
    recordings go is named, as clients pass on few variables.
    """
    if mode.word == "replay":
        return (*own_command(), "replay", mode.recording, "--as", "plugin")
    rules = tuple(it for rule in how.rules for it in ("--redact", rule))
    return (*own_command(), "run", "-o", how.recordings, "--name", name, *rules, "--")


def own_command() -> tuple[str, ...]:
    """Return what starts this tap from anywhere: its path, else that of its Python."""
    beside = os.path.join(os.path.dirname(os.path.abspath(sys.executable)), "tap")
    if os.path.isfile(beside) and os.access(beside, os.X_OK):
        return (beside,)
    return (os.path.abspath(sys.executable), "-m", "tapproxy")


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
