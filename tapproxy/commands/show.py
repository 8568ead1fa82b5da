"""`tap show`: the timeline of a recording, or its content for programs."""

import sys
import time
from collections.abc import Iterator

import click

from tapproxy.commands.output import columns, look_options, write_bytes, write_lines
from tapproxy.errors import USAGE, TapError
from tapproxy.opening import opened
from tapproxy_store.reading import Recording
from tapproxy_store.records import STREAMS, Stream
from tapproxy_viewers import jsonl
from tapproxy_viewers.screen import screen

EXAMPLES = """\b
Examples:
  tap show                     the last recording
  tap show last~2 --no-pager   the one before the one before
  tap show my-plugin           the newest of that name
  tap show FILE --json | jq -r 'select(.stream == "out") | .text'
  tap show FILE --raw out > stdout.bin
"""


@click.command("show", epilog=EXAMPLES)
@click.argument("recording", default="last")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per line, frames whole.")
@click.option("--raw", type=click.Choice(STREAMS), help="One stream's exact bytes, nothing else.")
@look_options
def command(
    recording: str, raw: Stream | None, color: str, *, as_json: bool, no_pager: bool
) -> None:
    """Show the timeline of RECORDING: frames, events and gaps, one line each.

    RECORDING is a path (of a recording or a tape), a name or its beginning, last (the default) or
    last~N. Frames are cut to the terminal's width, or to COLUMNS; --json has them whole.

    With --json each line has a `type`: session (recording, name, command, started, duration_ns,
    outcome, frames, bytes, facts …), then in their order frame (number, stream, first_ns, last_ns,
    size, terminator, flaw, open …, and the body as text or, where it is not UTF-8, as base64) and
    event (seq, t_ns, kind, detail). Times are nanoseconds since the session's start.
    """
    if raw and as_json:
        raise click.UsageError("--raw and --json exclude each other: choose one.")
    if raw or as_json:
        with opened(recording) as it:
            write_bytes(_raw(it, raw) if raw else jsonl.lines(it))
    else:
        show(recording, color, pager=not no_pager)


def show(recording: str, color: str = "auto", *, pager: bool = True) -> None:
    """Draw the timeline of the recording of that name where the user looks."""
    with opened(recording) as it:
        write_lines(screen(it, columns(), time.time_ns(), place=it.place), color, pager=pager)


def _raw(recording: Recording, stream: Stream) -> Iterator[bytes]:
    if sys.stdout.isatty():
        raise TapError(
            f"--raw {stream} writes bytes that a terminal may obey; send them to a file"
            f" or a pipe: `tap show … --raw {stream} > FILE`",
            USAGE,
        )
    for session in recording.sessions():
        yield from recording.stream_bytes(session.id, stream)
