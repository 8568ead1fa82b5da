"""`tap index`: cut a recording's streams into frames anew."""

import click

from tapproxy.errors import USAGE, TapError
from tapproxy.framing import FRAMINGS
from tapproxy.opening import opened

EPILOG = """\b
Example:
  tap index last --framing content-length
\b
The bytes stay as they are; only what is derived from them is made again.
"""


@click.command("index", epilog=EPILOG)
@click.argument("recording", metavar="R", default="last")
@click.option(
    "--framing",
    type=click.Choice(FRAMINGS),
    help="Cut in this way, instead of the one that was asked for when it was recorded.",
)
def command(recording: str, framing: str | None) -> None:
    """Cut the streams of recording R (default: last) into frames anew."""
    from tapproxy.ingest.reindex import reindex

    with opened(recording) as opened_recording:
        path = opened_recording.path
        if any(session.duration_ns is None for session in opened_recording.sessions()):
            raise TapError(f"{path} is still being recorded; try again when it is over", USAGE)
    click.echo(f"{path}: {reindex(path, framing)} frames")
