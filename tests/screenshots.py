"""Makes the pictures of the README: `python -m tests.screenshots`, with the sources on the path.

Each is what a command prints on a terminal, drawn by rich as SVG.
"""

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.text import Text

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs/images"
WIDTH = 100

BLANK = "&#160;"
CELL = 12.2
"""How wide rich draws a character."""
TEXT = re.compile(
    r'(?P<start><text class="tap-\w+-r\d+") x="(?P<x>[\d.]+)"(?P<y> y="[\d.]+")'
    r' textLength="(?P<length>[\d.]+)"(?P<rest>[^>]*>)(?P<blanks>(?:&#160;)+)(?P<text>[^<]*)<'
)

ENVIRONMENT = {"COLUMNS": str(WIDTH), "TZ": "UTC", "LC_ALL": "C.UTF-8", "TAP_THEME": "dark"}


@dataclass(frozen=True, slots=True)
class Picture:
    """One picture and the command that it shows."""

    name: str
    command: str
    lines: int = 40  # more are cut off


PICTURES = (
    Picture("show", "tap show fixtures/dialects/lingxi/late.tape"),
    Picture("exchanges", "tap show fixtures/dialects/mcp/everything.tape --exchanges", 26),
    Picture("stats", "tap stats fixtures/dialects/mcp/everything.tape", 34),
    Picture("frame", "tap show fixtures/dialects/lingxi/swift-v4.tape #18"),
)


def printed(picture: Picture) -> str:
    """Return what the command prints, with colours."""
    command, *arguments = picture.command.split()
    assert command == "tap"
    done = subprocess.run(
        [sys.executable, "-m", "tapproxy", *arguments, "--color", "always"],
        cwd=ROOT,
        env=os.environ | ENVIRONMENT,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    return "\n".join(done.stdout.splitlines()[: picture.lines])


def drawn(picture: Picture) -> str:
    """Return the SVG; fonts are the reader's own, nothing is loaded from elsewhere."""
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
        text = Text.from_ansi(printed(picture))
        width = max(WIDTH, *(line.cell_len for line in text.split()))
        console = Console(record=True, width=width, file=nowhere, force_terminal=True)
        console.print(text, soft_wrap=True)
        svg = console.export_svg(title=picture.command, unique_id=f"tap-{picture.name}")
    svg = re.sub(r"@font-face \{.*?\}\n?", "", svg, flags=re.DOTALL)
    return TEXT.sub(_moved, svg)


def _moved(found: re.Match[str]) -> str:
    """Return a text that begins with its first letter: not all that draw SVG keep blanks."""
    blanks = found["blanks"].count(BLANK)
    x, length = (float(found[it]) for it in ("x", "length"))
    x, length = x + blanks * CELL, length - blanks * CELL
    place = f'x="{x:.1f}"{found["y"]} textLength="{length:.1f}"'
    return f"{found['start']} {place}{found['rest']}{found['text']}<"


def main() -> None:
    """Write all pictures."""
    FOLDER.mkdir(exist_ok=True)
    for picture in PICTURES:
        (FOLDER / f"{picture.name}.svg").write_text(drawn(picture), encoding="utf-8")


if __name__ == "__main__":
    main()
