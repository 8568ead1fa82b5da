"""`tap import`: turns tapes and the logs of other tools into recordings."""

import os
import stat
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Any, Literal

import click

from tapproxy.dialects.registry import get_dialect
from tapproxy.errors import USAGE, TapError
from tapproxy.importing.api import HEAD, Record, Source
from tapproxy.importing.formats import FORMATS, get_format, recognised, records_of
from tapproxy.importing.json_lines import JSON_LINES
from tapproxy.importing.tape import TAPE
from tapproxy.ingest.tapes import import_file
from tapproxy_store import locate
from tapproxy_store.names import free_names
from tapproxy_store.reading import open_recording
from tapproxy_store.records import Session
from tapproxy_store.schema import MAGIC
from tapproxy_viewers.visible import shown

EXAMPLES = """\b
Examples:
  tap import tests/fixtures/late-answer.tape
  tap import trace.log -o trace.tap       of VS Code, "trace.server": "verbose"
  tap import --direction in requests.jsonl
  grep -v '"err"' a.tape | tap import -
"""

GUESSED = ", all taken as the plugin's (--direction in: the host's)"
"""What is said of a log whose lines do not tell where they go."""

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
            reader = _Reader(path, **how)
            import_file(path, target, reader, dialect)
        except OSError as error:
            raise TapError(f"cannot import {source}: {error.strerror}", USAGE) from error
        click.echo(f"{shown(source)} ({reader.told(target)}; it is now {shown(target)}")


class _Reader:
    """Reads one file, and remembers of which format it turned out to be."""

    def __init__(
        self, path: str, format_name: str | None, direction: Literal["in", "out"] | None
    ) -> None:
        self._form = None if format_name is None else get_format(format_name)
        self._direction = direction
        self._modified_ns = _modified_ns(path)

    def __call__(self, lines: Iterable[bytes], name: str) -> Iterator[Record]:
        lines = iter(lines)
        head = list(islice(lines, HEAD))
        self._form = self._form or recognised(head, name)
        source = Source(name, self._modified_ns, self._direction)
        return records_of(chain(head, lines), source, self._form)

    def told(self, target: str) -> str:
        """Say of what was read: its format, how much it is, and what was a guess."""
        with open_recording(target) as recording:
            sessions = recording.sessions()
            counts = [recording.counts(it.id).frames for it in sessions]
        count = sum(it["in"] + it["out"] for it in counts)
        noun = ("frame" if self._form is TAPE else "message") + "s" * (count != 1)
        form = "" if self._form is None else self._form.name
        is_bare = self._form is JSON_LINES and _is_exact(sessions)
        guess = GUESSED if is_bare and self._direction is None else ""
        return f"{form}): {count:,} {noun}{guess}"


def _is_exact(sessions: Sequence[Session]) -> bool:
    """Tell whether a log has nothing but messages, hence says of none where it goes."""
    imported = sessions[0].facts.get("imported", {}) if sessions else {}
    return imported.get("exact") is True


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
    name = locate.recording_name(Source(source, modified_ns=0).session_name)
    return next(free_names(os.path.join(locate.recordings_folder(), name)))
