"""The options of `tap replay`, in the order in which its help tells them."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from tapproxy.commands.record_modes import miss_options
from tapproxy.commands.replaying import recording_options
from tapproxy.replay.levels import LEVELS

F = TypeVar("F", bound=Callable[..., Any])


class Times(click.FloatRange):
    """So many times as fast as recorded; `recorded` is 1."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number."""
        return 1.0 if value == "recorded" else super().convert(value, param, ctx)


OPTIONS: tuple[Callable[[F], F], ...] = (
    click.option(
        "--as",
        "role",
        type=click.Choice(["plugin", "host"]),
        help="The side that is played; the other is live.",
    ),
    click.option(
        "--recorded-command",
        is_flag=True,
        help="As host: start the recorded command. It is shown first.",
    ),
    click.option(
        "--session",
        "number",
        type=click.IntRange(1),
        metavar="N",
        help="The Nth session of those that fit; by default, as plugin, the next that this host "
        "has not had, and as host the first.",
    ),
    click.option(
        "--pace",
        type=Times(0),
        default=1.0,
        show_default=True,
        metavar="N",
        help="N times as fast as recorded; 0 waits for the other side alone; `recorded` is 1.",
    ),
    click.option("--max-gap", metavar="TIME", help="No recorded pause is longer: 2s."),
    click.option(
        "--order",
        type=click.Choice(["causal", "strict"]),
        default="causal",
        show_default=True,
        help="causal: an answer waits for its own question; strict: all in recorded order.",
    ),
    click.option(
        "--chunks",
        type=click.Choice(["recorded", "frames", "any"]),
        default="recorded",
        show_default=True,
        help="recorded: each write is read as such; frames: each frame is; any: as fast as can be.",
    ),
    click.option(
        "--match",
        "level",
        type=click.Choice(LEVELS),
        default="semantic",
        show_default=True,
        help="How like a recorded question a live one must be to get its answer.",
    ),
    click.option(
        "--ignore",
        multiple=True,
        metavar="PATH",
        help="A value that may differ, such as params.cwd; repeatable.",
    ),
    miss_options,
    click.option(
        "--patience",
        default="10s",
        show_default=True,
        metavar="TIME",
        help="How much longer than recorded to wait for the other side.",
    ),
    click.option(
        "--late",
        type=click.FloatRange(1),
        metavar="N",
        help="An answer that takes N times as long as recorded is a difference.",
    ),
    click.option(
        "--step",
        "by_hand",
        is_flag=True,
        help="Ask on the terminal before each step: send it, skip it, edit it?",
    ),
    click.option(
        "--tty",
        metavar="FILE",
        help="Where --step asks, such as /dev/pts/3; by default the terminal tap was started from.",
    ),
    click.option("--print", "only_print", is_flag=True, help="Show the script, and run nothing."),
    click.option(
        "--report",
        "form",
        type=click.Choice(["text", "json"]),
        default="text",
        show_default=True,
        help="The report's form, on stderr.",
    ),
    click.option("--junit", metavar="FILE", help="Write the report as JUnit XML, too."),
    recording_options,
    click.option("--recorded-in", hidden=True),
    click.option("--chosen", type=(str, int), hidden=True),
)


def replay_options(command: F) -> F:
    """Add them to a command."""
    for add in reversed(OPTIONS):
        command = add(command)
    return command
