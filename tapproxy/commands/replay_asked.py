"""What the command line of `tap replay` asks for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from tapproxy.commands.output import Look
    from tapproxy.replay.doing import OnMiss
    from tapproxy.replay.levels import Level
    from tapproxy.replay.script import Role
    from tapproxy.replay.stages import Chunks
    from tapproxy.replay.terminal import Terminal

RecordMode = Literal["none", "once", "new", "all"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Its options, as they were given; and from `max_gap_ns` on what was made of them."""

    role: Role | None
    look: Look
    recorded_command: bool
    number: int | None  # of the session, from 1, among those that fit
    pace: float  # times as fast as recorded; 0: without waiting
    max_gap: str | None
    order: Literal["causal", "strict"]
    chunks: Chunks
    level: Level
    ignore: tuple[str, ...]  # paths of values that may differ
    on_miss: OnMiss
    record_mode: RecordMode
    patience: str
    late: float | None  # times as long as recorded
    by_hand: bool
    tty: str | None
    only_print: bool
    form: Literal["text", "json"]  # of the report
    junit: str | None
    output: str | None
    no_record: bool
    redact: tuple[str, ...]
    keep: str | None
    recorded_in: str | None  # where the replay that we are is recorded
    chosen: tuple[str, int] | None  # the recording and session that we were started to play

    max_gap_ns: int | None = None
    patience_ns: int = 0
    terminal: Terminal | None = None  # on which --step asks
    real_plugin: tuple[str, ...] = ()  # its command, with what the host has added

    @property
    def needs_plugin(self) -> bool:
        """Whether the command of the real plugin stands after --."""
        return self.record_mode != "none" or self.on_miss == "forward"
