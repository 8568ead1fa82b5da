"""`tap demo`: the whole story in ten seconds, nothing else needed."""

import click

from tapproxy.demo.host import converse
from tapproxy.errors import TapError

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
    """See it work: record a small plugin with three faults, and show what happened."""
    from tapproxy.commands.show import show

    click.echo("A host talks to a plugin through `tap run`. This takes three seconds.\n")
    code = converse()
    if code != 0:
        raise TapError(f"the demo's plugin ended with code {code}; see `tap show last`")
    show("last", pager=False)
    click.echo(WHAT_TO_SEE)
