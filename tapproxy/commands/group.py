"""The list of commands; each is imported when it is called."""

import gc
import os
from importlib import import_module
from typing import Any

import click

from tapproxy import __version__
from tapproxy.errors import COULD_NOT_RUN, USAGE, TapError
from tapproxy_store.errors import CannotWrite, StoreError
from tapproxy_viewers.visible import shown

COMMANDS = {
    "run": "record a program that is talked to over stdin and stdout",
    "ls": "list recordings, newest first",
    "show": "show a recording as a timeline",
    "tail": "the same while a session lives",
    "stats": "counts, latencies and gaps of a recording",
    "diff": "what differs between two recordings",
    "replay": "play the plugin or the host of a recording, against the other one",
    "wrap": "put tap where a host finds its plugin, and record each session",
    "unwrap": "take tap out again, and leave everything as it was",
    "doctor": "look whether tap and all that is wrapped are in order",
    "redact": "copy a recording without its secrets",
    "export": "write a recording in another form",
    "import": "turn a tape or another tool's log into a recording",
    "index": "derive a recording's frames and messages anew",
    "rm": "remove recordings",
    "demo": "record and show a small session, in five seconds",
}
"""Name and short help, in the order of the help page."""

FREQUENT = 50_000
"""Objects between collections of garbage: rows are many and none of it; that takes a fifth off."""

SYNONYMS = {"list": "ls", "record": "run", "view": "show", "cat": "show", "open": "show"}
"""What other programs call what we have."""


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
        collect_garbage_from_now_on()
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, or say what was meant."""
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            raise click.UsageError(f"No such command {args[0]!r}; {_meant(args[0])}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Try `tap demo`, or put `tap run --` before a command. `tap help COMMAND` explains one.",
)
@click.version_option(
    __version__, "-V", "--version", prog_name="tap", message="%(prog)s %(version)s"
)
def tap() -> None:
    """Record what a host and its child say to each other over stdin and stdout, and look at it."""


def collect_garbage_from_now_on() -> None:
    """Collect what a command leaves behind; what its start has made is passed over."""
    gc.freeze()
    gc.set_threshold(FREQUENT)
    gc.enable()


def run_group(arguments: list[str]) -> Any:
    """Run the command line; raise TapError for whatever the user must be told."""
    if arguments[:1] == ["help"]:
        arguments = [*arguments[1:2], "--help"]
    try:
        return tap.main(arguments, prog_name="tap", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.ctx.get_help() if error.ctx else "")
        return USAGE
    except click.UsageError as error:
        said = _without_command(error, arguments) or error.format_message()
        message = f"{said.rstrip('.')} (see `{_help_for(arguments)}`)"
        raise TapError(message, USAGE) from error
    except click.ClickException as error:
        raise TapError(error.format_message(), USAGE) from error
    except click.Abort as error:
        raise KeyboardInterrupt from error
    except StoreError as error:
        code = COULD_NOT_RUN if isinstance(error, CannotWrite) else USAGE
        raise TapError(str(error), code) from error


def _meant(word: str) -> str:
    """Guess what a word meant that is no command."""
    if os.path.isfile(word):
        return f"`tap show {shown(word)}` shows a recording or a tape"
    from difflib import get_close_matches

    close = get_close_matches(SYNONYMS.get(word, word), COMMANDS, 1)
    return f"did you mean `tap {close[0]}`?" if close else f"there are {', '.join(COMMANDS)}"


def _without_command(error: click.UsageError, arguments: list[str]) -> str | None:
    """Say that an option is unknown, without guesses: it may be one of a command left out."""
    is_option = isinstance(error, click.NoSuchOption) and arguments[0] not in COMMANDS
    return error.message if is_option else None


def _help_for(arguments: list[str]) -> str:
    """Name the help page by the command; click's errors know it only sometimes."""
    named = [word for word in arguments[:1] if word in COMMANDS]
    return " ".join(["tap", *named, "--help"])
