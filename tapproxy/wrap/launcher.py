"""Makes launchers: a native one where there is a C compiler, else a script for /bin/sh."""

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass

from tapproxy.wrap.errors import CouldNot

MARKER = b"tap-wrap-launcher"
"""What every launcher has in it, and by which one is known."""

COMPILERS = ("cc", "gcc", "clang")
COMPILER_PATIENCE_S = 60
INSTEAD = "--no-native makes a script instead"

_PLAIN = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._- ")
_HERE = os.path.dirname(os.path.abspath(__file__))


@dataclass(frozen=True, slots=True)
class Launcher:
    """What a launcher is to know."""

    home: str  # its folder, absolute
    settings: str  # seen from its folder
    program: str  # seen from its folder; of a command, the absolute path that it had
    name: str = ""  # the program's own name where the launcher has another
    command: str = ""  # of a command: its name, by which the program is looked up in PATH
    only: str = ""  # the first argument of the calls that are recorded


class _NoLuck(Exception):
    """The compiler could not do it."""

    def __init__(self, compiler: str, reason: str) -> None:
        super().__init__(f"{compiler} cannot make the launcher ({reason})")


@dataclass(frozen=True, slots=True)
class Made:
    """A launcher's bytes, and whether a compiler made them."""

    data: bytes
    native: bool
    remark: str = ""  # why it is not native, where a compiler was asked and failed

    @property
    def sort(self) -> str:
        """Say which sort of launcher it is."""
        return "native launcher" if self.native else "launcher for /bin/sh"


def make(launcher: Launcher, *, native: bool | None) -> Made:
    """Make a launcher; `native` None takes the compiler if there is one that can. CouldNot."""
    compiler = find_compiler()
    if native is False or (native is None and compiler is None):
        return Made(script(launcher), native=False)
    if compiler is None:
        raise CouldNot(f"there is no C compiler (cc) in PATH; {INSTEAD}")
    try:
        return Made(_compiled(compiler, source(launcher)), native=True)
    except _NoLuck as error:
        if native is None:
            return Made(script(launcher), native=False, remark=str(error))
        raise CouldNot(f"{error}; {INSTEAD}") from error


def sort_again(*, was_native: bool, wished: bool | None) -> bool | None:
    """Return which sort to make in place of a launcher: of the same, if nothing else is wished."""
    if wished is None:
        return None if was_native else False
    return wished


def find_compiler() -> str | None:
    """Return the system's C compiler, if it has one."""
    return next(filter(None, map(shutil.which, COMPILERS)), None)


def source(launcher: Launcher) -> bytes:
    """Return the C source of a launcher."""
    lines = [f"#define {name.upper()} {_c_text(value)}" for name, value in _facts(launcher).items()]
    return "\n".join([*lines, ""]).encode() + _template("launcher.c")


def script(launcher: Launcher) -> bytes:
    """Return a launcher for /bin/sh, whose first line is short wherever tap is."""
    lines = [b"#!/bin/sh", b"# " + MARKER]
    facts = {"name": "", "command": "", "only": "", **_facts(launcher)}
    lines += [os.fsencode(f"_tap_{name}={shlex.quote(value)}") for name, value in facts.items()]
    return b"\n".join([*lines, b""]) + _template("launcher.sh")


def start_script() -> str:
    """Return the path of what a launcher starts."""
    return os.path.join(_HERE, "start.py")


def _facts(launcher: Launcher) -> dict[str, str]:
    given = {
        "home": launcher.home,
        "settings": launcher.settings,
        "program": launcher.program,
        "name": launcher.name,
        "command": launcher.command,
        "only": launcher.only,
    }
    own = {"python": sys.executable, "start": start_script()}
    return own | {name: value for name, value in given.items() if value}


def _compiled(compiler: str, text: bytes) -> bytes:
    with tempfile.TemporaryDirectory(prefix="tap-") as folder:
        made = os.path.join(folder, "launcher")
        command = [compiler, "-O2", "-x", "c", "-o", made, "-"]
        try:
            done = subprocess.run(
                command, input=text, capture_output=True, check=False, timeout=COMPILER_PATIENCE_S
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise _NoLuck(compiler, str(error)) from error
        if done.returncode:
            said = done.stderr.decode(errors="replace").strip().partition("\n")[0]
            raise _NoLuck(compiler, said)
        with open(made, "rb") as file:
            return file.read()


def _c_text(value: str) -> str:
    """Write a text as C takes it, whatever is in it."""
    written = (chr(it) if it in _PLAIN else f"\\{it:03o}" for it in os.fsencode(value))
    return f'"{"".join(written)}"'


def _template(name: str) -> bytes:
    with open(os.path.join(_HERE, name), "rb") as file:
        return file.read()
