"""The nouns of a script: what the played side does, and what each step of it waits for.

Tuples, because a busy session has a million of each: a dataclass takes three times as long.
"""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from tapproxy_store.records import Event, Frame, Message, Stream, Told

Role = Literal["plugin", "host"]

STREAMS: dict[Role, tuple[Stream, ...]] = {"plugin": ("out", "err"), "host": ("in",)}
"""What each side writes; the first of them is what the other answers to."""

OTHER: dict[Role, Role] = {"plugin": "host", "host": "plugin"}

DONE = {"eof", "broken-pipe", "exit", "signal", "stall", "stall-end"}
"""Kinds of events that one of the sides does."""
SEEN = {"eof", "exit", "signal"}
"""Those of them that the other side can see; of ends of streams, that of what it answers to."""


class Wait(NamedTuple):
    """One thing that must have been before a step is taken."""

    number: int  # the item's place in the script
    after_ns: int  # how long after it the step was taken, nanoseconds


class OwnFrame(NamedTuple):
    """A frame of the played side, whole, so that values in it can be replaced."""

    frame: Frame
    messages: tuple[Message, ...]
    data: bytes  # header and terminator included; empty where it is too large to be held


class Write(NamedTuple):
    """Send the bytes of one recorded read."""

    stream: Stream
    start_offset: int  # in the recorded stream
    data: bytes
    frames: tuple[OwnFrame, ...]  # those that the bytes are of, in their order
    goes_on: bool = False  # the last frame does, in the next write of the stream

    @property
    def end_offset(self) -> int:
        """Where the bytes end in the recorded stream."""
        return self.start_offset + len(self.data)


@dataclass(frozen=True, slots=True)
class Act:
    """Do what is not bytes: eof, exit, signal, stall, stall-end."""

    event: Event


class Step(NamedTuple):
    """Something that the played side does."""

    number: int  # place in the script, from 1
    t_ns: int  # when it was done, since the session's start
    does: Write | Act
    waits: tuple[Wait, ...]


class Expected(NamedTuple):
    """Something that the other side did."""

    number: int  # place in the script, from 1
    t_ns: int
    what: Told | Event
    body: bytes = b""  # of a frame, without header and terminator; of a very large one its edges


Item = Step | Expected


def is_own_event(event: Event, role: Role) -> bool:
    """Tell whether an event is the doing of that side."""
    if event.kind not in DONE:
        return False
    if event.kind == "signal":
        return role == "host"
    if event.kind == "exit":
        return role == "plugin"
    by = str(event.detail.get("by") or event.detail.get("reader"))
    return by == role if by in OTHER else _usual_doer(event) == role


def is_seen(event: Event, role: Role) -> bool:
    """Tell whether an event of the other side can be seen by that one: it reads no stderr."""
    if event.kind == "eof":
        return event.detail.get("stream") == STREAMS[OTHER[role]][0]
    return event.kind in SEEN


def _usual_doer(event: Event) -> Role:
    """Return who does such a thing to a stream, where the recording does not say: its writer."""
    writer: Role = "host" if event.detail.get("stream") == "in" else "plugin"
    return writer if event.kind == "eof" else OTHER[writer]
