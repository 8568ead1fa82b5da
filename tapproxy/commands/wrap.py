"""`tap wrap`: puts tap where a host finds its plugin, its command, or its server."""

import os
from typing import Any

import click

from tapproxy.commands.wrapping import (
    acting,
    complain,
    config_file,
    mode_wanted,
    with_target_options,
)
from tapproxy.wrap.errors import WrapError
from tapproxy.wrap.kinds import Act, kind_of
from tapproxy.wrap.launched import Wish
from tapproxy.wrap.modes import Mode
from tapproxy.wrap.registry import Registry
from tapproxy_store.locate import recordings_folder
from tapproxy_viewers.cells import width_of
from tapproxy_viewers.visible import shown

NO_RULES = "none"

EXAMPLES = """\b
Examples:
  tap wrap ~/.lingxiagent/plugins/my-plugin     a LingXi plugin: a file, or a folder
  tap wrap --lingxi my-plugin                   the same, wherever a host would find it
  tap wrap --command xlings                     record `xlings interface ...`
  tap wrap --client cursor --server time        a server in a client's configuration
  tap wrap my-plugin --replay bug.tape          play a recording in its place
  tap wrap my-plugin --off                      leave it alone for a while
  tap wrap                                      what is wrapped
"""


@click.command("wrap", epilog=EXAMPLES)
@click.argument("targets", nargs=-1, metavar="[TARGET]...")
@click.option("--lingxi", is_flag=True, help="TARGET is the name of a LingXi plugin.")
@click.option("--command", "is_command", is_flag=True, help="TARGET is a command in PATH.")
@click.option("--record", is_flag=True, help="Record each session; the default.")
@click.option("--replay", metavar="RECORDING", help="Play a recording in the target's place.")
@click.option("--off", is_flag=True, help="Start the target as if it were not wrapped.")
@click.option(
    "--recordings",
    metavar="FOLDER",
    help="Where its recordings go; by default where yours go, now and from now on.",
)
@click.option(
    "--redact",
    multiple=True,
    metavar="RULE",
    help="Keep secrets out of its recordings, as `tap run --redact` does; repeatable. It stands "
    "in place of all rules that were given before; none takes them away.",
)
@click.option(
    "--keep",
    metavar="BOUNDS",
    help="Which of its recordings are kept, the newest ones, when the next session begins: "
    "count=200,age=30d,size=1GiB, which is the default; none for no bounds.",
)
@click.option(
    "--only",
    metavar="WORD",
    help="Of a command: record only calls that begin so; of xlings, interface by default.",
)
@click.option(
    "--native/--no-native",
    default=None,
    help="A launcher made by a C compiler, or a script for /bin/sh; by default what can be had.",
)
@click.option(
    "--global-root", metavar="FOLDER", help="With --lingxi: the host's global root, if it has one."
)
@click.option(
    "--drop-old",
    is_flag=True,
    help="Where an update has replaced what was wrapped: keep no copy of the old program.",
)
@with_target_options
def command(targets: tuple[str, ...], **options: Any) -> None:
    """Put tap in the place of TARGET, which is recorded from then on whenever its host starts it.

    The host notices nothing. TARGET may be the path of a LingXi plugin, or its name with --lingxi,
    or a command in PATH with --command; or a server in a client's configuration, with --config or
    --client. `tap unwrap` puts everything back as it was.

    Of a target that is wrapped already, the mode is switched. Without anything, what is wrapped is
    listed.
    """
    if options["lingxi"] and options["is_command"]:
        raise WrapError("--lingxi and --command contradict each other: name one")
    file = config_file(options["config"], options["client"], options["servers"] or targets)
    mode = mode_wanted(record=options["record"], replay=options["replay"], off=options["off"])
    if file is None and not targets:
        if mode is not None or options["lingxi"] or options["is_command"] or options["servers"]:
            raise click.UsageError("name what is to be wrapped")
        _list(Registry())
        return
    if file is not None:
        _check_for_servers(options)
    with acting(dry=options["dry_run"]) as act:
        if file is not None:
            _wrap_servers(file, options["servers"] or targets, mode, act, options)
        for target in () if file is not None else targets:
            _wrap(target, _wish(mode, options), act, options)


def _check_for_servers(options: dict[str, Any]) -> None:
    """Raise WrapError for an option that says nothing about a server in a configuration."""
    others = {
        "--lingxi": options["lingxi"],
        "--command": options["is_command"],
        "--only": options["only"] is not None,
        "--native or --no-native": options["native"] is not None,
        "--drop-old": options["drop_old"],
        "--global-root": options["global_root"] is not None,
    }
    given = [name for name, is_given in others.items() if is_given]
    if given:
        raise WrapError(f"{given[0]} is not for servers in configurations: leave it out")


def _wish(mode: Mode | None, options: dict[str, Any]) -> Wish:
    folder = options["recordings"]
    return Wish(
        mode,
        "" if folder is None else os.path.abspath(folder),
        options["native"],
        options["only"] or "",
        _rules(options["redact"]),
        _bounds(options["keep"]),
        options["drop_old"],
    )


def _bounds(text: str | None) -> str:
    """Return bounds as they were given, if they are right; raises TapError."""
    if text is None:
        return ""
    from tapproxy.retention.wording import read_bounds

    read_bounds(text)
    return text


def _rules(given: tuple[str, ...]) -> tuple[str, ...] | None:
    """Return the rules that are wished for, () for none of them; None without a word on it."""
    if not given:
        return None
    if given == (NO_RULES,):
        return ()
    from tapproxy.redaction.rules import read_rules

    read_rules(given)
    return given


def _wrap(target: str, wish: Wish, act: Act, options: dict[str, Any]) -> None:
    from tapproxy.wrap import commands, plugins
    from tapproxy.wrap.targets import entries_of, entry_of, is_name_of, plugin_at, plugin_called

    recordings = wish.recordings or recordings_folder()
    if options["is_command"]:
        commands.wrap(target, wish, recordings, act)
    elif wish.only:
        raise WrapError("--only is for commands: add --command")
    elif options["lingxi"]:
        plugins.wrap(plugin_called(target, options["global_root"]), wish, recordings, act)
    elif os.path.lexists(target) and not is_name_of(target, act.registry):
        plugins.wrap(plugin_at(target), wish, recordings, act)
    elif not entries_of(target, act.registry):
        raise WrapError(
            f"there is no file {target}: a plugin's name needs --lingxi, a command's --command"
        )
    else:
        entry = entry_of(target, act.registry)
        if entry.kind == plugins.KIND:
            plugins.wrap(plugin_at(entry.details["place"]), wish, recordings, act)
        elif entry.kind == commands.KIND:
            commands.wrap(entry.name, wish, recordings, act)
        else:
            _wrap_servers(entry.path, (entry.part,), wish.mode, act, options)


def _wrap_servers(
    file: str, servers: tuple[str, ...], mode: Mode | None, act: Act, options: dict[str, Any]
) -> None:
    from tapproxy.wrap.configs.wrapping import wrap_config

    folder = options["recordings"]
    how = {
        "recordings": folder and os.path.abspath(folder),
        "redact": _rules(options["redact"]),
        "keep": _bounds(options["keep"]) or None,
    }
    wrap_config(os.path.abspath(file), servers, mode, act, how)


def _list(registry: Registry) -> None:
    entries = registry.entries()
    if not entries and not registry.unreadable():
        click.echo("Nothing is wrapped. `tap wrap --help` says what can be.")
        return
    cells = [(it.kind, it.name, kind_of(it).mode(it), it.path) for it in entries]
    rows = [[shown(cell) for cell in row] for row in cells]
    widths = [max((width_of(row[column]) for row in rows), default=0) for column in range(3)]
    for *row, path in rows:
        padded = [it + " " * (width - width_of(it)) for it, width in zip(row, widths, strict=True)]
        click.echo("  ".join([*padded, path]))
    complain(registry)
