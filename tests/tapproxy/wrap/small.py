"""A plugin that says one line, and how tests talk to it and to tap."""

import subprocess
from pathlib import Path

from tests.tapproxy.calls import tap

SAYS = '#!/bin/sh\necho said "$1"\n'


def installed(path: Path, text: str = SAYS) -> Path:
    """Put a program there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


def said(path: Path) -> str:
    """Start a program; return what it says."""
    return subprocess.run(
        [path, "it"], capture_output=True, text=True, check=True, timeout=60
    ).stdout


def refused(*arguments: str) -> str:
    """Have tap refuse; return why."""
    done = tap(*arguments)
    assert (done.out, done.code) == ("", 2)
    return done.err.removeprefix("tap: ").removesuffix("\n")
