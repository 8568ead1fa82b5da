"""`tap run`: help and error messages; the work is in `tapproxy.wire`."""

import sys
from typing import Any

import click

from tapproxy.commands.run_line import OPTIONS, Option, order
from tapproxy.errors import COULD_NOT_RUN, TapError

EPILOG = """\b
Examples:
  tap run -- mcp-server-time
  tap run --name night -- python3 server.py
  tap run -o bug.tap --env PATH -- ./my-plugin --verbose
  tap run --redact all --redact key:session -- ./my-plugin

Put it where the host names the plugin's command. It ends as the command ends: with its exit code,
or by the same signal. Recordings go to $TAP_DIR, else to your user data folder; `tap ls` lists
those, and no others.
"""

UNUSABLE = {
    "": "it is empty",
    "-": "a recording is a file, and stdout is the plugin's; name a file",
}
"""What cannot be a recording's place, and why."""


def _option(option: Option) -> click.Option:
    return click.Option(
        [*option.names, option.key],
        metavar=None if option.choices else option.metavar,
        help=option.text,
        default=None if option.repeated else option.default,
        show_default=option.default is not None,
        multiple=option.repeated,
        type=click.Choice(option.choices) if option.choices else None,
    )


def _run(command: tuple[str, ...], **values: Any) -> None:
    from tapproxy.wire.session import run

    if not command:
        raise click.UsageError("name the command to run: `tap run -- COMMAND`")
    if sys.platform == "win32":
        raise TapError("tap run needs pipes and signals as Unix has them", COULD_NOT_RUN)
    if bad := [tag for tag in values["tag"] if "=" not in tag]:
        raise click.BadParameter(f"{bad[0]!r} is not of the form KEY=VALUE", param_hint="--tag")
    if values["output"] in UNUSABLE:
        raise click.BadParameter(UNUSABLE[values["output"]], param_hint="--output")
    if values["dialect"] is not None:
        from tapproxy.dialects.registry import get_dialect

        get_dialect(values["dialect"])
    if values["redact"]:
        from tapproxy.redaction.rules import read_rules

        read_rules(values["redact"])
    if values["keep"] is not None:
        from tapproxy.retention.wording import read_bounds

        read_bounds(values["keep"])
    if not command[0]:
        raise click.BadParameter("it is empty", param_hint="COMMAND")
    run(order(list(command), {key: _listed(value) for key, value in values.items()}))


def _listed(value: Any) -> list[str]:
    if value is None:
        return []
    return [value] if isinstance(value, str) else list(value)


command = click.Command(
    "run",
    callback=_run,
    params=[
        *map(_option, OPTIONS),
        click.Argument(["command"], nargs=-1, metavar="[--] COMMAND..."),
    ],
    help="Record COMMAND: every byte passes untouched, and is on record before it is passed on.",
    epilog=EPILOG,
    context_settings={"allow_interspersed_args": False},
)
