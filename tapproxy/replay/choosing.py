"""Which session is played: by the words that a host starts its plugin with, then in their order."""

import os
import shlex
from collections.abc import Sequence

from tapproxy.errors import USAGE, TapError
from tapproxy.replay.candidates import Candidate
from tapproxy.replay.command_lines import asked, differing_value, fits, likeness
from tapproxy.replay.turns import host_of, take_turn

LONGEST_LINE = 200
"""Characters of a command line in a message."""


class NothingFits(TapError):
    """No session was started with the words that the host adds; `first` is one of the others."""

    def __init__(self, message: str, first: Candidate) -> None:
        super().__init__(message, USAGE)
        self.first = first


def fitting(found: Sequence[Candidate], argv: Sequence[str]) -> list[Candidate]:
    """Return the sessions that were started with these words after the program; raises NothingFits.

    All of them where there are no words.
    """
    if not argv:
        return list(found)
    live = asked(argv)
    fit = [it for it in found if fits(it.started, live)]
    if not fit:
        words = f"no session was started with {_line(argv)}{_nearest(found, argv)}"
        raise NothingFits(words, found[0])
    return fit


def numbered(fit: Sequence[Candidate], number: int) -> Candidate:
    """Return the session of that number, from 1, among those that fit; raises TapError."""
    if number > len(fit):
        there = "there is one" if len(fit) == 1 else f"there are {len(fit)}"
        raise TapError(f"--session {number}: {there}", USAGE)
    return fit[number - 1]


def next_for_host(found: Sequence[Candidate], fit: Sequence[Candidate]) -> tuple[Candidate, bool]:
    """Return the first that fits of which our host has had none, and True.

    Once it had them all: the last of them, which is how things stayed, and False.
    """
    if len(fit) == 1:
        return fit[0], True
    keys = {(os.path.realpath(it.path), it.session.id): it for it in fit}
    turn = take_turn(host_of(os.getppid()), {it.path for it in found}, list(keys))
    return (fit[-1], False) if turn is None else (keys[turn], True)


def _nearest(found: Sequence[Candidate], argv: Sequence[str]) -> str:
    """Name the session whose command line is most like this one, and the first value that differs.

    Nothing where no command line is on record.
    """
    known = [it for it in found if it.argv]
    if not known:
        return ": no recorded command line is known"
    live = asked(argv)
    nearest = max(known, key=lambda it: likeness(it.started, live))
    where = differing_value(nearest.started, live)
    told = f"; the nearest is {_line(nearest.argv[1:])} in {nearest.name}"
    return told if where is None else f"{told}: {where}"


def _line(words: Sequence[str]) -> str:
    line = shlex.join(words) or "no words"
    return line if len(line) <= LONGEST_LINE else f"{line[: LONGEST_LINE - 1]}…"
