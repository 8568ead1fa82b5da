"""`tap demo`: the whole story in three seconds, nothing else needed."""

import os

import click

from tapproxy.demo.host import Failed, converse
from tapproxy.errors import TapError
from tapproxy_store import locate

WHAT_TO_SEE = """
What to see: a progress bar is glued to the answer of demo-2 (a host that expects JSON fails
there), demo-3 is answered late, and before the last answer there is silence.

What to try next:
  tap show last --json          the same for a program
  tap show last --raw out       the exact bytes that the host received
  tap ls                        your recordings
  tap run -- YOUR-COMMAND       put `tap run --` where your host names its child's command
"""


@click.command("demo", epilog="\b\nExample:\n  tap demo")
def command() -> None:
    """Try it: record a small plugin that has three faults, and show what happened."""
    from tapproxy.commands.output import Look
    from tapproxy.commands.show import show

    click.echo("A host talks to a plugin through `tap run`. This takes three seconds.\n")
    recording = os.path.join(locate.recordings_folder(), locate.recording_name("demo"))
    try:
        converse(recording)
    except Failed as error:
        raise TapError(str(error)) from error
    show(recording, Look(pager=False))
    click.echo(WHAT_TO_SEE)
