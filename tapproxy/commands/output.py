"""Where a command's lines go: a pager on a terminal, plain text when piped.

A reader that leaves early (`tap show | head`, q in the pager) is no error and gets no message.
"""

import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

import click

from tapproxy.commands.pager import Pager, find_pager
from tapproxy_viewers.drawing import Line, coloured, plain

PIPED_WIDTH = 100
"""Columns where there is neither a terminal nor COLUMNS."""

FIRST_BATCH = 64
"""Lines until the first write: a screen, so that something is seen at once."""
BATCH = 1024
BATCH_SIZE = 1 << 18

CLOSED_PIPE = 128 + 13
"""What a shell reports for a program that died of SIGPIPE, as `cat` and `grep` do."""

F = TypeVar("F", bound=Callable[..., Any])


def look_options(function: F) -> F:
    """Add --color and --no-pager to a command."""
    function = click.option(
        "--no-pager", is_flag=True, help="Write straight to the terminal, without a pager."
    )(function)
    return click.option(
        "--color",
        type=click.Choice(["auto", "always", "never"]),
        default="auto",
        show_default=True,
        help="Colours; auto is on for a terminal where NO_COLOR is not set.",
    )(function)


def columns() -> int:
    """Return the width to draw for: COLUMNS, the terminal's, or 100."""
    return shutil.get_terminal_size((PIPED_WIDTH, 24)).columns


def write_lines(lines: Iterable[Line], color: str, *, no_pager: bool) -> None:
    """Draw lines where the user looks."""
    pager = None if no_pager or not sys.stdout.isatty() else find_pager(os.environ)
    paint = coloured if _wants_colour(color, pager) else plain
    text = (f"{paint(line)}\n".encode(sys.stdout.encoding or "utf-8", "replace") for line in lines)
    if pager is None:
        write_bytes(text)
    else:
        pager.page(batched(text))


def _wants_colour(color: str, pager: Pager | None) -> bool:
    if color != "auto":
        return color == "always"
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return sys.stdout.isatty() and (pager is None or pager.keeps_colours)


def write_bytes(pieces: Iterable[bytes]) -> None:
    """Write pieces to stdout as they are; exits where nobody reads any more."""
    stdout = sys.stdout.buffer
    try:
        for batch in batched(pieces):
            stdout.write(batch)
            stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(CLOSED_PIPE) from None


def batched(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Join pieces to fewer writes: a screenful first, then more at once, never many bytes."""
    batch: list[bytes] = []
    size, most = 0, FIRST_BATCH
    for piece in pieces:
        batch.append(piece)
        size += len(piece)
        if len(batch) >= most or size >= BATCH_SIZE:
            yield b"".join(batch)
            batch, size, most = [], 0, BATCH
    if batch:
        yield b"".join(batch)
