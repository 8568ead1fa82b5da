"""Finds the user's pager and feeds it; leaving it early is quiet."""

import os
import shlex
import shutil
import signal
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import IO, cast

LESS_OPTIONS = "FRX"
"""For a user who has not set LESS: short output is just printed (F, X), colours are kept (R)."""


@dataclass(frozen=True, slots=True)
class Pager:
    """A program that reads lines and lets a person move through them."""

    argv: list[str]
    environment: dict[str, str]
    keeps_colours: bool

    def page(self, pieces: Iterable[bytes]) -> None:
        """Feed it until it has all, or until the user leaves it; return when it has ended.

        Meanwhile Ctrl-C is the pager's: less stops reading and stays.
        """
        process = subprocess.Popen(self.argv, stdin=subprocess.PIPE, env=self.environment)
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            _feed(cast("IO[bytes]", process.stdin), pieces)
        finally:
            process.wait()
            signal.signal(signal.SIGINT, before)


def _feed(pager_input: IO[bytes], pieces: Iterable[bytes]) -> None:
    try:
        with pager_input as stdin:
            for piece in pieces:
                stdin.write(piece)
                stdin.flush()
    except BrokenPipeError:
        return


def find_pager(environment: Mapping[str, str]) -> Pager | None:
    """Return the pager of PAGER, or less.

    None where that is cat, nothing, or not installed, and on a dumb terminal, as in an editor.
    """
    if environment.get("TERM") == "dumb":
        return None
    argv = _split(environment.get("PAGER", "less"))
    program = shutil.which(argv[0]) if argv else None
    if program is None or argv[0] == "cat":
        return None
    settings = {"LESS": LESS_OPTIONS, "LESSCHARSET": "utf-8", **environment}
    is_less = os.path.basename(program) == "less"
    keeps_colours = is_less and _asks_for_raw([*settings["LESS"].split(), *argv[1:]])
    return Pager([program, *argv[1:]], settings, keeps_colours)


def _split(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError:  # a quote without its partner: no program has such a name
        return []


def _asks_for_raw(options: list[str]) -> bool:
    long = any(option.lower() == "--raw-control-chars" for option in options)
    return long or any("r" in option.lower() for option in options if option[:2] != "--")
