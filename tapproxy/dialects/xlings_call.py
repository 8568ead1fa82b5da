"""What xlings was started for: what its stdout means depends on its command line.

Source: interface-ndjson-v1, section 3 (--version, --list, a capability with its arguments).
"""

import json
import shlex
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

from tapproxy.dialects.brief import members

Mode = Literal["version", "list", "capability", "nothing"]

_OPTIONS: dict[str, Mode] = {"--version": "version", "--list": "list"}
_NAMES = ("xlings", "xlings.exe")
_SHELL_OPTIONS = ("-c", "-lc", "/c")


class Call(NamedTuple):
    """One command line `xlings interface …`."""

    mode: Mode
    capability: str = ""
    arguments: str | None = None  # JSON text, as it was passed
    arguments_file: str | None = None

    def reason(self) -> str:
        """Say by what it was recognised."""
        said = {"version": " --version", "list": " --list", "capability": f" {self.capability}"}
        return f"started as xlings interface{said.get(self.mode, '')}"

    def words(self) -> Iterator[str]:
        """Say the capability and its arguments, a few words each."""
        if self.mode != "capability":
            return
        yield f"capability {self.capability}"
        if self.arguments_file is not None:
            yield f"arguments in {self.arguments_file}"
        elif self.arguments:  # an empty text stands for {}
            yield _argument_words(self.arguments)


def find_call(argv: Sequence[str]) -> Call | None:
    """Return the call of xlings that a command line makes, itself or through a wrapper or shell."""
    words = _opened(argv)
    for index, (program, command) in enumerate(pairwise(words)):
        if _base_name(program) in _NAMES and command == "interface":
            return _parsed(words[index + 2 :])
    return None


def _opened(argv: Sequence[str]) -> list[str]:
    """Return the words of a command line, with those of a shell's command in its place."""
    words = list(argv[:1])
    for before, word in pairwise(argv):
        if before.lower() in _SHELL_OPTIONS:
            words += _shell_words(word)
        else:
            words.append(word)
    return words


def _shell_words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError:  # a quote is not closed
        return command.split()


def _base_name(program: str) -> str:
    return program.replace("\\", "/").rpartition("/")[2].lower()


def _parsed(words: Sequence[str]) -> Call:
    call = Call("nothing")
    rest = iter(words)
    for word in rest:
        option, equals, value = word.partition("=")
        if word in _OPTIONS:
            return Call(_OPTIONS[word])
        if option == "--args":
            call = call._replace(arguments=value if equals else next(rest, ""))
        elif option == "--args-file":
            call = call._replace(arguments_file=value if equals else next(rest, ""))
        elif not word.startswith("-") and not call.capability:
            call = call._replace(mode="capability", capability=word)
    return call


def _argument_words(text: str) -> str:
    try:
        arguments = json.loads(text)
    except (ValueError, RecursionError):
        return "arguments are not JSON"
    if not isinstance(arguments, dict):
        return "arguments are no object"
    return f"arguments {members(arguments)}" if arguments else "no arguments"
