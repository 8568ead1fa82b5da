"""`tap index`: re-frames a recording's streams."""

import click

from tapproxy.commands.output import write_bytes
from tapproxy.errors import USAGE, TapError
from tapproxy.framing import FRAMINGS
from tapproxy.opening import opened
from tapproxy_store import locate
from tapproxy_store.tape import is_tape
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
    help="How to cut; by default as was asked for when it was recorded.",
)
def command(recording: str, framing: str | None) -> None:
    """Re-frame the streams of RECORDING (default: last): cut them into frames again.

    RECORDING is a path, a name or its beginning, last or last~N.
    """
    from tapproxy.ingest.reindex import reindex

    path = locate.find_recording(recording)
    if is_tape(path):
        raise TapError(f"{shown(path)} is a tape, and has no frames; `tap import` it first", USAGE)
    with opened(path) as opened_recording:
        if any(session.duration_ns is None for session in opened_recording.sessions()):
            message = f"{shown(path)} is still being recorded; try again when it is over"
            raise TapError(message, USAGE)
    number = reindex(path, framing)
    write_bytes([f"{shown(path)}: {number} {'frame' if number == 1 else 'frames'}\n".encode()])
