"""Finds the terminal on which `tap replay --step` asks, and how it is to look there."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from tapproxy.commands.output import theme_of
from tapproxy_viewers.lines import painter, plain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tapproxy.commands.replay_asked import Asked
    from tapproxy.replay.terminal import Terminal
    from tapproxy_viewers.replay_report import Verdict

TIMES = {"pace": "--pace", "max_gap": "--max-gap", "late": "--late"}
"""Options about times, which mean nothing where somebody is asked."""


def terminal_of(asked: Asked) -> Terminal | None:
    """Open it if it is wanted; raises TapError where there is none."""
    if not asked.by_hand:
        return None
    from tapproxy.replay.terminal import OWN, Terminal

    look = asked.look
    is_dumb = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
    is_plain = look.color == "never" or (look.color == "auto" and is_dumb)
    return Terminal(asked.tty or OWN, plain if is_plain else painter(theme_of(look)))


def told_on(terminal: Terminal | None, verdict: Verdict) -> None:
    """Write the report there, too: as plugin, stderr is the host's."""
    if terminal is not None:
        from tapproxy_viewers.replay_report import report

        terminal.say(terminal.drawn(report(verdict, terminal.columns)))


def wrong_with_step(asked: Asked) -> Iterator[str]:
    """Yield what contradicts --step."""
    if not asked.by_hand:
        if asked.tty is not None:
            yield "--tty is where --step asks: add --step, or leave it out"
        return
    if asked.only_print:
        yield "--print runs nothing, and --step asks while it runs: leave one out"
    source = click.get_current_context().get_parameter_source
    for name, option in TIMES.items():
        if source(name) == ParameterSource.COMMANDLINE:
            yield f"--step goes as fast as you answer, and {option} is about times: leave one out"
