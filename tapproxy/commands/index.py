"""`tap index`: derives a recording's frames and messages anew."""

import click

from tapproxy.commands.output import write_bytes
from tapproxy.dialects.registry import get_dialect
from tapproxy.errors import USAGE, TapError
from tapproxy.framing import FRAMINGS
from tapproxy.ingest.deriving import AUTO
from tapproxy.opening import opened
from tapproxy_store.errors import CannotWrite
from tapproxy_viewers.visible import shown

EPILOG = """\b
Examples:
  tap index last --framing content-length
  tap index last --dialect mcp
\b
The bytes stay as they are; only what is derived from them is replaced.
"""


@click.command("index", epilog=EPILOG)
@click.argument("recording", metavar="[RECORDING]", default="last")
@click.option(
    "--framing",
    type=click.Choice(FRAMINGS),
    help="How to cut: auto looks at the first bytes; by default as it was cut last.",
)
@click.option(
    "--dialect",
    metavar="NAME",
    help="By which dialect the messages are read; auto recognises it, as does the default unless "
    "one was asked for before.",
)
def command(recording: str, framing: str | None, dialect: str | None) -> None:
    """Cut the streams of RECORDING (default: last) into frames again, and read their messages.

    RECORDING is a path, a name or its beginning, last or last~N.
    """
    from tapproxy.ingest.reindex import reindex

    if dialect not in (None, AUTO):
        get_dialect(str(dialect))
    with opened(recording) as it:
        path = it.path
        if it.place not in (None, path):
            raise CannotWrite(f"cannot write {it.place}: look at the permissions of its folder")
        if any(session.duration_ns is None for session in it.sessions()):
            message = f"{shown(path)} is still being recorded; try again when it is over"
            raise TapError(message, USAGE)
        if it.place is None:
            number = reindex(path, framing, dialect)
            _report(recording, path, number, "; a tape keeps none: reading it derives them")
            return
    _report(path, path, reindex(path, framing, dialect))


def _report(name: str, path: str, number: int, remark: str = "") -> None:
    frames = "frame" if number == 1 else "frames"
    with opened(path) as it:
        read_as = ", ".join(sorted({str(session.dialect) for session in it.sessions()}))
    said = f"{shown(name)}: {number} {frames}, read as {shown(read_as)}{remark}\n"
    write_bytes([said.encode()])
