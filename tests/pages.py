"""Runs the `$ tap …` that the pages show; `python -m tests.pages` writes what they print anew."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
ENVIRONMENT = {"COLUMNS": "100", "TZ": "UTC", "NO_COLOR": "1", "LC_ALL": "C.UTF-8"}

Shown = tuple[str, str]
"""A command as the page shows it, and what the page says it prints."""

_SHOWN = re.compile(r"(?ms)^\$ tap (.*?)\n(.*?)(?=^\$ tap |\Z)")
_INDENTED = re.compile(r"(?:(?<=\n\n)|\A)((?:    .*\n|\n(?=    ))+)")
_FENCED = re.compile(r"(?ms)^```\w*\n(.*?)^```$")


def shown_commands(page: Path) -> Iterator[Shown]:
    """Yield what a page shows, in order: indented blocks first."""
    text = page.read_text(encoding="utf-8")
    for block in (*map(_outdented, _INDENTED.findall(text)), *_FENCED.findall(text)):
        yield from _SHOWN.findall(block)


def run(command: str) -> "subprocess.CompletedProcess[str]":
    """Run a command as the page shows it, without its `tap`."""
    return subprocess.run(
        [sys.executable, "-m", "tapproxy", *command.split()],
        cwd=ROOT,
        env=os.environ | ENVIRONMENT,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=30,
        check=False,
    )


def rewritten(text: str) -> str:
    """Return a page with what its commands print now."""
    text = _INDENTED.sub(lambda block: _indented(_reprinted(_outdented(block[1]))), text)
    return _FENCED.sub(lambda block: block[0].replace(block[1], _reprinted(block[1])), text)


def _reprinted(block: str) -> str:
    def printed(shown: re.Match[str]) -> str:
        lines = run(shown[1]).stdout.strip("\n").splitlines()
        return "\n".join([f"$ tap {shown[1]}", *(line.rstrip() for line in lines)]) + "\n"

    return _SHOWN.sub(printed, block)


def _indented(block: str) -> str:
    return re.sub(r"(?m)^(?=.)", "    ", block)


def _outdented(block: str) -> str:
    return re.sub(r"(?m)^ {4}", "", block)


if __name__ == "__main__":
    for path in PAGES:
        path.write_text(rewritten(path.read_text(encoding="utf-8")), encoding="utf-8")
