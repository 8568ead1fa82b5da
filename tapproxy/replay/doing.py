"""The nouns of a replay that goes on: how it is to go, and what is to be done next."""

from dataclasses import dataclass
from typing import Literal

from tapproxy.replay.levels import Level
from tapproxy.replay.schedule import AS_RECORDED, Pace
from tapproxy.replay.script import Step
from tapproxy_store.records import Event, Stream

SECOND = 1_000_000_000

OnMiss = Literal["error", "silent", "exit", "forward"]


@dataclass(frozen=True, slots=True)
class Options:
    """How a replay is to go."""

    pace: Pace = AS_RECORDED
    level: Level = "semantic"
    ignored: tuple[str, ...] = ()  # paths that are volatile too
    on_miss: OnMiss = "error"
    learns: bool = False  # what is forwarded, and what is answered to it, is kept
    patience_ns: int = 10 * SECOND
    late_times: float | None = None  # an answer that took so many times as long is late


@dataclass(frozen=True, slots=True)
class Send:
    """Write these bytes at once; then tell `sent`."""

    stream: Stream
    data: bytes
    step: Step | None  # None: not from the recording
    is_edited: bool = False  # by hand: its frames need not be the recorded ones
    ended: int = 1  # frames that end with it, where they are not from the recording


@dataclass(frozen=True, slots=True)
class Pass:
    """Write these bytes to the real plugin, which is started for the first of them."""

    data: bytes


@dataclass(frozen=True, slots=True)
class Perform:
    """Do what is not bytes; then tell `performed`."""

    event: Event
    step: Step


@dataclass(frozen=True, slots=True)
class Sleep:
    """Nothing is due before this instant, unless the peer does something."""

    until_ns: int


@dataclass(frozen=True, slots=True)
class Over:
    """The replay is over; `why` is told where it ended in the middle."""

    why: str | None = None


Next = Send | Pass | Perform | Sleep | Over
