"""`tap index`: re-frames a recording's streams."""

import click

from tapproxy.commands.output import write_bytes
from tapproxy.errors import USAGE, TapError
from tapproxy.framing import FRAMINGS
from tapproxy.opening import opened
from tapproxy_viewers.visible import shown

EPILOG = """\b
Example:
  tap index last --framing content-length
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
def command(recording: str, framing: str | None) -> None:
    """Re-frame the streams of RECORDING (default: last): cut them into frames again.

    RECORDING is a path, a name or its beginning, last or last~N.
    """
    from tapproxy.ingest.reindex import reindex

    with opened(recording) as it:
        path = it.path
        if any(session.duration_ns is None for session in it.sessions()):
            message = f"{shown(path)} is still being recorded; try again when it is over"
            raise TapError(message, USAGE)
        if it.place is None:
            _report(recording, reindex(path, framing), "; a tape keeps none: reading it cuts them")
            return
    _report(path, reindex(path, framing))


def _report(name: str, number: int, remark: str = "") -> None:
    frames = "frame" if number == 1 else "frames"
    write_bytes([f"{shown(name)}: {number} {frames}{remark}\n".encode()])
