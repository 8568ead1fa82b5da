"""mcp-rec, the fastest of the tools of this kind on PyPI, in a venv of its own."""

import subprocess
import sys
from pathlib import Path

from platformdirs import user_cache_path

from tests.bench.workbench import Workbench

WANTED = "mcp-rec==0.1.1"
"""Pinned, so that the yardstick stays the same."""

VENV = user_cache_path("tapproxy") / "bench" / WANTED


def find_mcp_rec(bench: Workbench) -> Path | None:
    """Return the program, installed at the first time; None, and a note, where that fails."""
    program = VENV / "bin" / "mcp-rec"
    if program.exists():
        return program
    try:
        install()
    except (OSError, subprocess.CalledProcessError) as error:
        bench.note(f"mcp-rec is left out: {WANTED} could not be installed ({last_line(error)})")
        return None
    return program


def through(program: Path, folder: Path) -> list[str]:
    """Return the words to put before a child's command."""
    return [str(program), "record", "-o", str(folder / "mcp-rec.jsonl"), "--"]


def install() -> None:
    """Make the venv and install mcp-rec into it."""
    for command in (
        [sys.executable, "-m", "venv", str(VENV)],
        [str(VENV / "bin" / "python"), "-m", "pip", "install", "--quiet", WANTED],
    ):
        subprocess.run(command, check=True, capture_output=True, text=True)


def last_line(error: Exception) -> str:
    """Return what the failed program said last."""
    said = str(getattr(error, "stderr", "") or error)
    return said.strip().splitlines()[-1]
