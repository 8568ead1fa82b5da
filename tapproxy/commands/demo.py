"""`tap demo`: the whole story in three seconds, nothing else needed."""

import os

import click

from tapproxy.demo.host import Failed, converse
from tapproxy.errors import TapError
from tapproxy_store import locate

WHAT_TO_SEE = """
What to see: a progress bar is glued to an answer (a host that expects JSON fails there), the next
answer is slow, and the last one does not come: after 3.0 s the host's watchdog ends the plugin.

What to try next:
  tap show last '#5'            one frame whole, its base64 opened
  tap show last --exchanges     requests with their answers
  tap stats last                counts and latencies
  tap show last --json          all of it for a program
  tap ls                        your recordings
  tap run -- YOUR-COMMAND       put `tap run --` where your host names its child's command"""


@click.command("demo", epilog="\b\nExample:\n  tap demo")
def command() -> None:
    """Try it: record a small plugin that has three faults, and show what happened."""
    from tapproxy.commands.output import Look
    from tapproxy.commands.show import show

    click.echo("A host talks to a plugin through `tap run`. This takes five seconds.\n")
    recording = os.path.join(locate.recordings_folder(), locate.recording_name("demo"))
    try:
        converse(recording)
    except Failed as error:
        raise TapError(str(error)) from error
    show(recording, Look(pager=False))
    click.echo(WHAT_TO_SEE)
