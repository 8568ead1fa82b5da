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
from tapproxy.errors import TapError
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


def write_lines(lines: Iterable[Line], color: str, *, pager: bool) -> None:
    """Draw lines where the user looks."""
    program = find_pager(os.environ) if pager and sys.stdout.isatty() else None
    paint = coloured if _wants_colour(color, program) else plain
    text = (f"{paint(line)}\n".encode(sys.stdout.encoding or "utf-8", "replace") for line in lines)
    if program is None:
        write_bytes(text)
    else:
        program.page(batched(text))


def _wants_colour(color: str, pager: Pager | None) -> bool:
    if color != "auto":
        return color == "always"
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return sys.stdout.isatty() and (pager is None or pager.keeps_colours)


def write_bytes(pieces: Iterable[bytes]) -> None:
    """Write pieces to stdout as they are; exits where nobody reads any more."""
    for batch in batched(pieces):
        try:
            sys.stdout.buffer.write(batch)
            sys.stdout.buffer.flush()
        except OSError as error:
            _give_up_stdout()
            if isinstance(error, BrokenPipeError):
                raise SystemExit(CLOSED_PIPE) from None
            raise TapError(f"cannot write to stdout: {error.strerror}") from error


def _give_up_stdout() -> None:
    """Let what could not be written go nowhere, so that the interpreter can end in peace."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def batched(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Join pieces to fewer writes: a screenful first, then more at once, never many bytes.

    Where getting the next one fails, those before it are still given out.
    """
    batch: list[bytes] = []
    size, most = 0, FIRST_BATCH
    try:
        for piece in pieces:
            batch.append(piece)
            size += len(piece)
            if len(batch) >= most or size >= BATCH_SIZE:
                yield b"".join(batch)
                batch, size, most = [], 0, BATCH
    except Exception:
        yield b"".join(batch)
        raise
    if batch:
        yield b"".join(batch)
