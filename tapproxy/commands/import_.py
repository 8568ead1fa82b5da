"""`tap import`: turns tapes into recordings."""

import os

import click

from tapproxy.errors import USAGE, TapError
from tapproxy.ingest.tapes import import_tape
from tapproxy_store import locate
from tapproxy_store.names import free_names
from tapproxy_store.schema import MAGIC
from tapproxy_viewers.visible import shown

EXAMPLES = """\b
Examples:
  tap import tests/fixtures/late-answer.tape
  tap import by-hand.tape -o by-hand.tap
  grep -v '"err"' a.tape | tap import -
"""


@click.command("import", epilog=EXAMPLES)
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("-o", "--output", metavar="FILE", help="Name the recording; for a single FILE.")
def command(files: tuple[str, ...], output: str | None) -> None:
    """Turn each FILE, a tape, into a recording, and say where that is; - is stdin.

    Without -o the recordings go where all others are, and `tap ls` lists them.
    """
    if output is not None and len(files) > 1:
        raise click.UsageError("-o names one recording: give one FILE, or leave -o out.")
    for source in files:
        target = output or _free_place(source)
        if os.path.lexists(target):
            raise TapError(f"{target} exists already; choose another name with -o", USAGE)
        try:
            _refuse_recording(source)
            import_tape("/dev/stdin" if source == "-" else source, target)
        except OSError as error:
            raise TapError(f"cannot import {source}: {error.strerror}", USAGE) from error
        click.echo(f"{shown(source)} is now {shown(target)}")


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
