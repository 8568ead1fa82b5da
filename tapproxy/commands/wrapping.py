"""What `tap wrap` and `tap unwrap` share: their options, and how each step is told."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click

from tapproxy.errors import COULD_NOT_RUN, TapError
from tapproxy.wrap.errors import WrapError
from tapproxy.wrap.files import Files, Told
from tapproxy.wrap.kinds import Act, recover_all
from tapproxy.wrap.modes import Mode
from tapproxy.wrap.registry import Registry
from tapproxy_store import locate
from tapproxy_viewers.visible import shown

target_options: list[Callable[[Any], Any]] = [
    click.option("--config", metavar="FILE", help="A client's configuration file."),
    click.option(
        "--client", metavar="NAME", help="The file of this client, such as cursor or claude-code."
    ),
    click.option(
        "--server", "servers", multiple=True, metavar="NAME", help="A server in it; repeatable."
    ),
    click.option("--dry-run", is_flag=True, help="Tell each step, and change nothing."),
]
"""Options of both commands."""


def with_target_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that both commands have."""
    for option in reversed(target_options):
        function = option(function)
    return function


@contextmanager
def acting(*, dry: bool, force: bool = False) -> Iterator[Act]:
    """Give what a kind acts by, while nobody else wraps; half-done work is seen to first."""
    if sys.platform == "win32":
        raise TapError("tap wrap needs files and links as Unix has them", COULD_NOT_RUN)
    if dry:
        files: Files = Told(say)
        yield Act(Registry(files=files), files, say, dry=True, force=force)
        return
    registry = Registry()
    with registry.locked():
        act = Act(registry, Files(), say, force=force)
        recover_all(act)
        yield act


def say(line: str) -> None:
    """Tell one line, with nothing in it that a terminal would obey."""
    click.echo(shown(line))


def complain(registry: Registry) -> None:
    """Raise WrapError for an entry that cannot be read, once all is done that can be."""
    for error in registry.unreadable():
        raise error


def mode_wanted(*, record: bool, replay: str | None, off: bool) -> Mode | None:
    """Return the mode that the options name; raises WrapError where they name two."""
    given = [record, replay is not None, off]
    if sum(given) > 1:
        raise WrapError("--record, --replay and --off contradict each other: name one")
    if replay is not None:
        return Mode("replay", os.path.abspath(locate.find_recording(replay)))
    return Mode("off") if off else Mode("record") if record else None


def config_file(
    config: str | None, client: str | None, servers: tuple[str, ...] = ()
) -> str | None:
    """Return the configuration file that is meant, if one is; raises WrapError."""
    if client is None:
        return config
    if config is not None:
        raise WrapError("--config and --client contradict each other: name one")
    from tapproxy.wrap.configs.places import file_of

    return file_of(client, servers)
