"""Command lines of tap as a test asks for them, checked before anything is started."""

import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import Literal

Word = str | os.PathLike[str]

PYTHON = (sys.executable, "-P")
"""The interpreter of the tests; modules in a host's working folder are not ours."""

TAP = (*PYTHON, "-m", "tapproxy")

OURS = {"as", "junit", "output", "print", "record_mode", "report"}
"""Options that the fixtures set themselves."""


def command_words(command: Sequence[Word]) -> list[str]:
    """Return the command's words; raises TypeError where it is one text, or nothing."""
    if isinstance(command, str | bytes) or not command:
        raise TypeError("a command is a list of words, such as [sys.executable, 'server.py']")
    return [os.fspath(it) for it in command]


def option_words(options: Mapping[str, object]) -> list[str]:
    """Return `max_gap="2s"` as `--max-gap=2s`; True is a bare flag, a list is an option repeated.

    Raises TypeError for those that the fixtures set.
    """
    if taken := sorted(OURS & options.keys()):
        raise TypeError(f"the fixture sets --{taken[0]} itself")
    return [word for name, value in options.items() for word in _words(name, value)]


def _words(name: str, value: object) -> Iterator[str]:
    flag = "--" + name.replace("_", "-")
    if value is True:
        yield flag
    elif isinstance(value, list | tuple):
        yield from (f"{flag}={it}" for it in value)
    elif value is not None and value is not False:
        yield f"{flag}={value}"


def checked(subcommand: Literal["replay", "run"], words: Iterable[str]) -> list[str]:
    """Return the words where tap takes them; raises TypeError with what it would say of them.

    Said here it is part of the test's failure; later only the host's stderr would have it.
    """
    import click

    __tracebackhide__ = True
    listed = list(words)
    command: click.Command = import_module(f"tapproxy.commands.{subcommand}").command
    try:
        command.make_context(subcommand, [*listed])  # which empties its list
    except click.UsageError as error:
        raise TypeError(f"tap {subcommand}: {error.format_message()}") from None
    return listed


def find_recording(name: Word, *folders: Word) -> str:
    """Return the absolute path of a recording, or a folder of them, from the first to have it.

    Raises FileNotFoundError.
    """
    for folder in folders:
        path = os.path.abspath(os.path.join(folder, name))
        if os.path.exists(path):
            return path
    looked = " nor in ".join(dict.fromkeys(os.fspath(it) for it in folders))
    raise FileNotFoundError(f"no recording {os.fspath(name)} in {looked}")
