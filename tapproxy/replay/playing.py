"""Plays a recording for real: as the plugin on our own descriptors, or as the host of a child."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

import anyio

from tapproxy.dialects.registry import find_dialect, get_dialect
from tapproxy.errors import COULD_NOT_RUN, TapError
from tapproxy.replay.candidates import findable
from tapproxy.replay.engine import Engine, Options, Over
from tapproxy.replay.player import Player, Stage
from tapproxy.replay.script import Role
from tapproxy.replay.source import Source
from tapproxy.replay.stages import HostStage, PluginStage, started
from tapproxy.replay.telling import verdict
from tapproxy_store.reading import Recording
from tapproxy_store.records import Event, Session
from tapproxy_viewers.replay_report import Verdict


@dataclass(frozen=True, slots=True)
class Plan:
    """How one session is to be played."""

    recording: str  # its path
    role: Role
    options: Options
    strict: bool = False  # in the total order of the recording
    apart: bool = True  # writes kept apart, as in the recording
    replay: str | None = None  # the path of the replay's own recording


@dataclass(frozen=True, slots=True)
class Played:
    """What came of it."""

    verdict: Verdict
    ended: Event | None  # how the recorded plugin ended, where it is played and has


def play_plugin(recording: Recording, session: Session, plan: Plan) -> Played:
    """Play the plugin on our own stdin, stdout and stderr."""
    stage = PluginStage(apart=plan.apart)
    return Played(_play(recording, session, plan, stage), stage.ended)


def play_host(recording: Recording, session: Session, plan: Plan, command: Sequence[str]) -> Played:
    """Play the host before a plugin that is started by the command; raises TapError."""
    try:
        with started(command) as child:
            stage = HostStage(child, apart=plan.apart)
            return Played(_play(recording, session, plan, stage), None)
    except OSError as error:
        raise TapError(f"cannot start {command[0]}: {error.strerror}", COULD_NOT_RUN) from error


def _play(recording: Recording, session: Session, plan: Plan, stage: Stage) -> Verdict:
    source = Source(recording, session)
    dialect = find_dialect(session.dialect or "raw") or get_dialect("raw")
    began_ns = time.monotonic_ns()
    engine = Engine(
        source.items(plan.role, strict=plan.strict),
        session,
        plan.role,
        dialect,
        source.spoken,
        plan.options,
        began_ns,
    )
    over: Over = anyio.run(Player(engine, stage).run)
    return verdict(
        engine.conclude(),
        findable(plan.recording),
        plan.role,
        time.monotonic_ns() - began_ns,
        recorded_ns=session.duration_ns,
        pace=plan.options.pace,
        ended=over.why,
        replay=None if plan.replay is None else findable(plan.replay),
    )
