"""`tap import`: turns tapes and the logs of other tools into recordings."""

import os
import stat
import time
from typing import Any, Literal

import click

from tapproxy.dialects.registry import get_dialect
from tapproxy.errors import USAGE, TapError
from tapproxy.importing.api import Format, Source
from tapproxy.importing.formats import FORMATS, get_format, records_of
from tapproxy.ingest.tapes import Reader, import_file
from tapproxy_store import locate
from tapproxy_store.names import free_names
from tapproxy_store.schema import MAGIC
from tapproxy_viewers.visible import shown

EXAMPLES = """\b
Examples:
  tap import tests/fixtures/late-answer.tape
  tap import trace.log -o trace.tap       what VS Code says with "trace.server": "verbose"
  tap import --direction in requests.jsonl
  grep -v '"err"' a.tape | tap import -
"""

_FORMATS = "\n".join(f"  {it.name:<11} {it.purpose}" for it in FORMATS)

HELP = f"""Turn each FILE, a tape or another tool's log, into a recording, and say where that is; -
is stdin.

Without -o the recordings go where all others are, and `tap ls` lists them. FILE may be in one of
these formats, and is recognised by how it begins:

\b
{_FORMATS}
"""


@click.command("import", help=HELP, epilog=EXAMPLES)
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("-o", "--output", metavar="FILE", help="Name the recording; for a single FILE.")
@click.option(
    "--from",
    "format_name",
    type=click.Choice([it.name for it in FORMATS]),
    help="The format, where it is not to be recognised.",
)
@click.option(
    "--direction",
    type=click.Choice(["in", "out"]),
    help="json-lines: where all messages go, in to the plugin or out of it. By default each line "
    "says so, and in a log that has nothing but messages all go out.",
)
@click.option(
    "--dialect",
    metavar="NAME",
    help="By which dialect the messages are read, such as mcp; by default it is recognised.",
)
def command(files: tuple[str, ...], output: str | None, dialect: str | None, **how: Any) -> None:
    """Make the recordings, one after another."""
    if output is not None and len(files) > 1:
        raise click.UsageError("-o names one recording: give one FILE, or leave -o out.")
    if dialect is not None:
        get_dialect(dialect)
    for source in files:
        target = output or _free_place(source)
        if os.path.lexists(target):
            raise TapError(f"{target} exists already; choose another name with -o", USAGE)
        try:
            _refuse_recording(source)
            path = "/dev/stdin" if source == "-" else source
            import_file(path, target, _reader(path, **how), dialect)
        except OSError as error:
            raise TapError(f"cannot import {source}: {error.strerror}", USAGE) from error
        click.echo(f"{shown(source)} is now {shown(target)}")


def _reader(path: str, format_name: str | None, direction: Literal["in", "out"] | None) -> Reader:
    form: Format | None = None if format_name is None else get_format(format_name)
    modified_ns = _modified_ns(path)
    return lambda lines, name: records_of(lines, Source(name, modified_ns, direction), form)


def _modified_ns(path: str) -> int:
    """Return when the file was last changed: logs without dates are of then. A pipe is of now."""
    status = os.stat(path)
    return status.st_mtime_ns if stat.S_ISREG(status.st_mode) else time.time_ns()


def _refuse_recording(source: str) -> None:
    if not os.path.isfile(source):  # what is read from a pipe cannot be read again
        return
    with open(source, "rb") as file:
        if file.read(len(MAGIC)) == MAGIC:
            raise TapError(
                f"{source} is no tape, but an SQLite file, as recordings are; "
                "`tap show` opens a recording as it is",
                USAGE,
            )


def _free_place(source: str) -> str:
    stem = os.path.splitext(os.path.basename(source))[0]
    path = os.path.join(locate.recordings_folder(), locate.recording_name(stem))
    return next(free_names(path))
