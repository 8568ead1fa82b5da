"""Where a command's lines go: a pager on a terminal, plain text when piped.

A reader that leaves early (`tap show | head`, q in the pager) is no error and gets no message.
"""

import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import wraps
from typing import Any, TextIO, TypeVar

import click

from tapproxy.commands.pager import Pager, find_pager
from tapproxy.errors import TapError
from tapproxy_viewers.lines import Line, painter, plain
from tapproxy_viewers.palette import THEMES

PIPED_WIDTH = 100
"""Columns where there is neither a terminal nor COLUMNS."""

LIGHT_BACKGROUNDS = {"7", "15"}
"""The last number of COLORFGBG, by which rxvt, Konsole and others tell: white and bright white."""

STDERR = 2
"""Its descriptor."""

FIRST_BATCH = 64
"""Lines until the first write: a screen, so that something is seen at once."""
BATCH = 1024
BATCH_SIZE = 1 << 18

CLOSED_PIPE = 128 + 13
"""What a shell reports for a program that died of SIGPIPE, as `cat` and `grep` do."""

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Look:
    """How lines are to look, as the options say."""

    color: str = "auto"  # auto, always, never
    theme: str | None = None  # of palette.THEMES; None: the terminal is asked
    pager: bool = True


def look_options(function: F) -> F:
    """Add --color, --theme and --no-pager to a command, which gets them as `look`."""

    @wraps(function)
    def with_look(color: str, theme: str | None, *, no_pager: bool, **others: Any) -> Any:
        return function(look=Look(color, theme, pager=not no_pager), **others)

    added: Any = click.option(
        "--no-pager", is_flag=True, help="Write straight to the terminal, without a pager."
    )(with_look)
    added = click.option(
        "--theme",
        type=click.Choice(list(THEMES)),
        envvar="TAP_THEME",
        help="Colours for a dark or a light background, or none; by default what the terminal "
        "says (COLORFGBG), else dark. TAP_THEME sets it for good.",
    )(added)
    decorated: F = click.option(
        "--color",
        type=click.Choice(["auto", "always", "never"]),
        default="auto",
        show_default=True,
        help="Colours; auto is on for a terminal where NO_COLOR is not set.",
    )(added)
    return decorated


def columns() -> int:
    """Return the width to draw for: COLUMNS, the terminal's, or 100.

    A pipe may lead to a pager on the terminal that stderr is.
    """
    return shutil.get_terminal_size((_width_of_stderr() or PIPED_WIDTH, 24)).columns


def _width_of_stderr() -> int:
    try:
        return os.get_terminal_size(STDERR).columns
    except OSError:
        return 0


def write_lines(lines: Iterable[Line], look: Look) -> None:
    """Draw lines where the user looks."""
    program = find_pager(os.environ) if look.pager and sys.stdout.isatty() else None
    paint = painter(theme_of(look)) if wants_colour(look, program) else plain
    text = (f"{paint(line)}\n".encode(sys.stdout.encoding or "utf-8", "replace") for line in lines)
    if program is None:
        write_bytes(text)
    else:
        program.page(batched(text))


def write_live(lines: Iterable[Line], look: Look) -> None:
    """Draw each line the moment it comes, without a pager."""
    paint = painter(theme_of(look)) if wants_colour(look, None) else plain
    for line in lines:
        write_bytes([f"{paint(line)}\n".encode(sys.stdout.encoding or "utf-8", "replace")])


def theme_of(look: Look) -> str:
    """Return the theme that was asked for, else the one that suits the terminal."""
    if look.theme is not None:
        return look.theme
    background = os.environ.get("COLORFGBG", "").rpartition(";")[2]
    return "light" if background in LIGHT_BACKGROUNDS else "dark"


def wants_colour(look: Look, pager: Pager | None, stream: TextIO | None = None) -> bool:
    """Tell whether lines are to be coloured that go to a stream, by default stdout."""
    if look.color != "auto":
        return look.color == "always"
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    stream = sys.stdout if stream is None else stream
    return stream.isatty() and (pager is None or pager.keeps_colours)


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
