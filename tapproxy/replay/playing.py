"""Plays a recording for real: as the plugin on our own descriptors, or as the host of a child.

On the way to a plugin's first answer: what asks a person, and what tells of it, comes when needed.
"""

from __future__ import annotations

import time
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import anyio

from tapproxy.dialects.registry import find_dialect, get_dialect
from tapproxy.errors import COULD_NOT_RUN, TapError
from tapproxy.replay.candidates import findable
from tapproxy.replay.engine import Engine
from tapproxy.replay.player import Player
from tapproxy.replay.source import Source
from tapproxy.replay.stages import HostStage, PluginStage, started

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tapproxy.replay.doing import Options, Over
    from tapproxy.replay.forwarding import News
    from tapproxy.replay.forwarding_engine import ForwardingEngine
    from tapproxy.replay.player import Stage
    from tapproxy.replay.real_plugin import RealPlugin
    from tapproxy.replay.script import Role
    from tapproxy.replay.stages import Chunks
    from tapproxy.replay.terminal import Terminal
    from tapproxy_store.reading import Recording
    from tapproxy_store.records import Event, Session
    from tapproxy_viewers.replay_report import Verdict

ENDING = ("SIGTERM", "SIGHUP")
"""Signals that end a replay by hand; as plugin, the stage sees to those that a host may send."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How one session is to be played."""

    recording: str  # its path
    role: Role
    options: Options
    strict: bool = False  # in the total order of the recording
    chunks: Chunks = "recorded"
    replay: str | None = None  # the path of the replay's own recording
    real_plugin: tuple[str, ...] = ()  # what starts it, where it answers what the recording cannot
    terminal: Terminal | None = None  # where somebody is asked before each step


@dataclass(frozen=True, slots=True)
class Played:
    """What came of it."""

    verdict: Verdict
    ended: Event | None  # how the recorded plugin ended, where it is played and has
    news: Sequence[News] = ()  # what the real plugin was asked, and has answered


def play_plugin(recording: Recording, session: Session, plan: Plan) -> Played:
    """Play the plugin on our own stdin, stdout and stderr."""
    stage = PluginStage(plan.chunks, session.framing)
    said, news = _play(recording, session, plan, stage)
    return Played(said, stage.ended, news)


def play_host(recording: Recording, session: Session, plan: Plan, command: Sequence[str]) -> Played:
    """Play the host before a plugin that is started by the command; raises TapError."""
    try:
        with started(command) as child:
            stage = HostStage(child, plan.chunks, session.framing)
            return Played(_play(recording, session, plan, stage)[0], None)
    except OSError as error:
        raise TapError(f"cannot start {command[0]}: {error.strerror}", COULD_NOT_RUN) from error


def _play(
    recording: Recording, session: Session, plan: Plan, stage: Stage
) -> tuple[Verdict, Sequence[News]]:
    source = Source(recording, session)
    dialect = find_dialect(session.dialect or "raw") or get_dialect("raw")
    items, hand = source.items(plan.role, strict=plan.strict), None
    if plan.terminal is not None:
        from tapproxy.replay.hand import Hand

        hand = Hand(plan.terminal, recording, session, () if plan.role == "plugin" else ENDING)
        items = hand.watched(items)
    began_ns = time.monotonic_ns()
    given = items, session, plan.role, dialect, source.spoken, plan.options, began_ns
    news: Sequence[News] = ()
    if plan.options.on_miss == "forward":
        from tapproxy.replay.forwarding_engine import ForwardingEngine

        engine: Engine = (asking := ForwardingEngine(*given))
        with _real_plugin(asking, plan.real_plugin) as behind:
            over = anyio.run(Player(engine, stage, hand=hand, behind=behind).run)
        news = asking.news
    else:
        engine = Engine(*given)
        over = anyio.run(Player(engine, stage, hand=hand).run)
    return _told(engine, session, plan, over, time.monotonic_ns() - began_ns), news


def _told(engine: Engine, session: Session, plan: Plan, over: Over, took_ns: int) -> Verdict:
    """Say what came of it, once everything is said."""
    from tapproxy.replay.telling import verdict

    return verdict(
        engine.conclude(),
        findable(plan.recording),
        plan.role,
        took_ns,
        recorded_ns=session.duration_ns,
        pace=plan.options.pace,
        ended=over.why,
        replay=None if plan.replay is None else findable(plan.replay),
        by_hand=plan.terminal is not None,
    )


@contextmanager
def _real_plugin(engine: ForwardingEngine, command: Sequence[str]) -> Iterator[RealPlugin]:
    """Have a real plugin at hand for an engine that asks it; it ends with the replay."""
    from tapproxy.replay.real_plugin import RealPlugin

    plugin = RealPlugin(command, engine.heard_real, engine.lost_real, lambda: engine.is_full)
    try:
        yield plugin
    finally:
        plugin.end()
