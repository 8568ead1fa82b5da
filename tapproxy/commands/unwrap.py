"""`tap unwrap`: takes tap out again, and leaves everything as it was."""

import os
from shlex import quote
from typing import Any

import click

from tapproxy.commands.wrapping import acting, complain, config_file, say, with_target_options
from tapproxy.wrap.adrift import find_adrift
from tapproxy.wrap.errors import WrapError
from tapproxy.wrap.kinds import Act, kind_of
from tapproxy.wrap.registry import Entry, Registry
from tapproxy.wrap.targets import entries_of, entry_of
from tapproxy_viewers.visible import shown

EXAMPLES = """\b
Examples:
  tap unwrap my-plugin                          by name, as `tap wrap` lists it
  tap unwrap ~/.lingxiagent/plugins/my-plugin   by path
  tap unwrap --config mcp.json --server time    a server in a client's configuration
  tap unwrap --all --dry-run                    what would be done for all
"""


@click.command("unwrap", epilog=EXAMPLES)
@click.argument("targets", nargs=-1, metavar="[TARGET]...")
@click.option("--all", "everything", is_flag=True, help="Everything that is wrapped.")
@click.option(
    "--force",
    is_flag=True,
    help="Although the target has changed meanwhile: what is there now stays.",
)
@with_target_options
def command(targets: tuple[str, ...], **options: Any) -> None:
    """Put TARGET back as it was before it was wrapped: the same bytes, modes and times.

    TARGET is a path, or a name as `tap wrap` lists it. Where it was changed meanwhile, by an
    update for instance, nothing is done, and the reason is told.
    """
    file = config_file(options["config"], options["client"], options["servers"] or targets)
    if not (targets or file or options["everything"]):
        raise click.UsageError("name what is to be unwrapped; `tap wrap` lists what is wrapped")
    # What is half done may be completed first, and then be no longer wrapped.
    options["known"] = [it for it in targets if entries_of(it, Registry())]
    with acting(dry=options["dry_run"], force=options["force"]) as act:
        _unwrap(_meant(targets, file, options, act), act)
        if options["everything"]:
            complain(act.registry)


def _unwrap(entries: list[Entry], act: Act) -> None:
    """Unwrap each; one that refuses keeps no other from it. Raises WrapError of the last such."""
    refused: WrapError | None = None
    for entry in entries:
        try:
            kind_of(entry).unwrap(entry, act)
        except WrapError as error:
            if refused is not None:
                click.echo(f"tap: {shown(str(refused))}", err=True)
            refused = error
    if refused is not None:
        raise refused


def _meant(
    targets: tuple[str, ...], file: str | None, options: dict[str, Any], act: Act
) -> list[Entry]:
    entries = act.registry.entries()
    if options["everything"]:
        return entries
    if file is not None:
        return _servers(entries, os.path.realpath(file), options["servers"] or targets)
    found = []
    for target in targets:
        known = os.path.lexists(target) or target in options["known"]
        if known and not entries_of(target, act.registry):
            adrift = find_adrift(target)
            if adrift is not None and not act.force:
                raise WrapError(
                    f"{adrift.path} is a launcher of tap that is not on your list: it was moved, "
                    f"or somebody else has put it there; `tap unwrap --force {quote(adrift.path)}` "
                    "takes it out all the same"
                )
            if adrift is None:
                say(f"{target} is not wrapped")
            else:
                found.append(adrift)
        else:
            found.append(entry_of(target, act.registry))
    return found


def _servers(entries: list[Entry], file: str, names: tuple[str, ...]) -> list[Entry]:
    own = [it for it in entries if os.path.realpath(it.path) == file]
    missing = set(names) - {it.part for it in own}
    if missing or not own:
        named = ", ".join(sorted(missing))
        what = f"{named} in {file} is not wrapped" if named else f"nothing in {file} is wrapped"
        raise WrapError(f"{what}; `tap wrap` lists what is")
    return [it for it in own if it.part in names or not names]
