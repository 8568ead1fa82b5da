"""Compares command lines, for programs whose command line is the request: JSON by its value."""

import json
import os
import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

ARGUMENTS = "--args"
ARGUMENTS_FILE = "--args-file"
"""The options of xlings that give the arguments, and a file of them (interface-ndjson-v1, 3)."""

LARGEST_FILE = 1 << 24
"""Bytes of such a file that are compared."""

LONGEST_COMPARED = 2000
"""Characters of a command line by which the nearest one is found."""

LONGEST_VALUE = 60
"""Characters of a value in a message."""

_LAUNCHER = re.compile(
    r"(python|pypy)[0-9.]*w?|node(js)?|deno|bunx?|npx|uvx?|ruby|perl|php|java|dotnet|env"
    r"|(ba|da|k|z|fi)?sh|pwsh|powershell|cmd"
)
"""Programs that run the one that is named after them, among options of their own."""
_SHELL_OPTIONS = ("-c", "-lc", "/c")
_LONG_OPTION = re.compile(r"(--[A-Za-z][\w-]*)=(.*)", re.DOTALL)

Word = str | None
"""A word in the one form that all its spellings share; None: what stood in a file, long ago."""


class Started(NamedTuple):
    """How a recorded program was started."""

    words: tuple[Word, ...]  # what follows the program
    is_launched: bool  # by another program: some of the first words are not its own


def asked(argv: Sequence[str]) -> tuple[Word, ...]:
    """Return what a live program is asked for, by the words that follow it."""
    return tuple(_comparable(argv, _content))


def started(argv: Sequence[str]) -> Started:
    """Return how a program was started, by its argv.

    A file that it names is not opened: what is there now need not be what was there then, and a
    recording from a stranger may name any.
    """
    for before, command in pairwise(argv):
        if before.lower() in _SHELL_OPTIONS and _is_launcher(argv[0]):
            inner = started(_split(command))
            return inner._replace(is_launched=True)  # behind exec, or variables
    return Started(
        tuple(_comparable(argv[1:], _unknown)), is_launched=bool(argv) and _is_launcher(argv[0])
    )


def fits(recorded: Started, live: Sequence[Word]) -> bool:
    """Tell whether the live words ask for what the recorded ones asked for."""
    start = len(recorded.words) - len(live)
    if start < 0 or (start > 0 and not recorded.is_launched):
        return False
    own = recorded.words[start:]
    return all(it is None or it == word for it, word in zip(own, live, strict=True))


def likeness(recorded: Started, live: Sequence[Word]) -> float:
    """Tell how much of the one line is in the other, from 0 to 1."""
    from difflib import SequenceMatcher

    one, other = (" ".join(map(str, it))[:LONGEST_COMPARED] for it in (recorded.words, live))
    return float(SequenceMatcher(None, one, other, autojunk=False).ratio())


def differing_value(recorded: Started, live: Sequence[Word]) -> str | None:
    """Say which value of their JSON words differs first; None where other words differ."""
    start = max(len(recorded.words) - len(live), 0)
    pairs = zip(recorded.words[start:], live, strict=False)
    was, now = next(((a, b) for a, b in pairs if a is not None and a != b), (None, None))
    if was is None or now is None:
        return None
    from tapproxy.diffing.values import differing

    unequal = next(differing(_parsed(was), _parsed(now)), None)
    if unequal is None or not unequal.path:
        return None
    return f"{unequal.path} was {_brief(unequal.a)}, now {_brief(unequal.b)}"


def _comparable(argv: Iterable[str], content: Callable[[str], str | None]) -> Iterator[Word]:
    words = iter(_parted(argv))
    for word in words:
        if word != ARGUMENTS_FILE:
            yield _canonical(word)
            continue
        yield ARGUMENTS
        text = content(next(words, ""))
        yield None if text is None else _canonical(text)


def _parted(argv: Iterable[str]) -> Iterator[str]:
    """Write `--option=value` as two words, as most programs take it."""
    for word in argv:
        option = _LONG_OPTION.fullmatch(word)
        yield from option.groups() if option else (word,)


def _canonical(word: str) -> str:
    """Return an object or an array in one spelling: spaces and the order of members are none."""
    value = _parsed(word)
    return word if value is None else json.dumps(value, sort_keys=True)


def _parsed(word: str) -> Any:
    """Return an object or an array; None for any other word."""
    if not word.lstrip().startswith(("{", "[")):
        return None
    try:
        return json.loads(word)
    except (ValueError, RecursionError):
        return None


def _brief(value: Any) -> str:
    from tapproxy_viewers.differences import ABSENT

    if value is ABSENT:
        return "absent"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= LONGEST_VALUE else f"{text[: LONGEST_VALUE - 1]}…"


def _unknown(_path: str) -> None:
    return None


def _content(path: str) -> str | None:
    try:
        if not os.path.isfile(path):
            return None
        with open(path, encoding="utf-8-sig", errors="surrogateescape") as file:
            return file.read(LARGEST_FILE)
    except (OSError, ValueError):
        return None


def _is_launcher(program: str) -> bool:
    name = program.replace("\\", "/").rpartition("/")[2].lower().removesuffix(".exe")
    return _LAUNCHER.fullmatch(name) is not None


def _split(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError:  # a quote is not closed
        return command.split()
