"""Calls tap as a user does: a process, and what it said."""

import subprocess
from dataclasses import dataclass

from tests.tapproxy.commands.terminals import TAP

PATIENCE_S = 30.0


@dataclass(frozen=True, slots=True)
class Said:
    """What came out, and how it ended."""

    code: int
    out: str
    err: str


def tap(*arguments: str) -> Said:
    """Run a command line to its end."""
    return said([*TAP, *arguments])


def said(command: list[str]) -> Said:
    """Run a command to its end."""
    result = subprocess.run(command, capture_output=True, check=False, timeout=PATIENCE_S)
    return Said(result.returncode, result.stdout.decode(), result.stderr.decode())
