"""The list of commands; each is imported when it is called."""

from importlib import import_module
from typing import Any

import click

from tapproxy import __version__
from tapproxy.errors import COULD_NOT_RUN, USAGE, TapError
from tapproxy_store.errors import CannotWrite, StoreError

COMMANDS = {
    "run": "record a program that is talked to over stdin and stdout",
    "ls": "list recordings, newest first",
    "show": "show a recording as a timeline",
    "export": "write a recording in another form",
    "import": "make a recording of a tape",
    "index": "cut a recording's streams into frames anew",
    "demo": "see it work, in ten seconds",
}
"""Name and short help, in the order of the help page."""


class LazyGroup(click.Group):
    """A group that knows its commands' names and imports one only to run it."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the commands' names in the order of the help page."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command."""
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"tapproxy.commands.{cmd_name}".replace(".import", ".import_"))
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Try `tap demo`, or put `tap run --` before a command.",
)
@click.version_option(
    __version__, "-V", "--version", prog_name="tap", message="%(prog)s %(version)s"
)
def tap() -> None:
    """Record what a host and its child say to each other over stdin and stdout, and look at it."""


def run_group(arguments: list[str]) -> Any:
    """Run the command line; raise TapError for whatever the user must be told."""
    try:
        return tap.main(arguments, prog_name="tap", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.ctx.get_help() if error.ctx else "")
        return USAGE
    except click.UsageError as error:
        message = f"{error.format_message().rstrip('.')} (see `{_help_for(arguments)}`)"
        raise TapError(message, USAGE) from error
    except click.ClickException as error:
        raise TapError(error.format_message(), USAGE) from error
    except click.Abort as error:
        raise KeyboardInterrupt from error
    except StoreError as error:
        code = COULD_NOT_RUN if isinstance(error, CannotWrite) else USAGE
        raise TapError(str(error), code) from error


def _help_for(arguments: list[str]) -> str:
    """Name the help page by the command; click's errors know it only sometimes."""
    named = [word for word in arguments[:1] if word in COMMANDS]
    return " ".join(["tap", *named, "--help"])
