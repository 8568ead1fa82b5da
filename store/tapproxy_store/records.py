"""The nouns of a recording: sessions, chunks, events, frames and messages, as frozen values."""

from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

Stream = Literal["in", "out", "err"]

MOST_SESSIONS = 10_000
"""Sessions of one recording: each is kept in memory, and has a page of its own. Normally it is one;
a tape may have one after another."""

STREAMS: tuple[Stream, ...] = ("in", "out", "err")
"""`in` is host to plugin, `out` plugin to host, `err` the plugin's stderr."""

ASKED_FOR = "asked for"
"""The reason for a dialect that was chosen by a person: it stays when messages are read again."""
NOT_INSTALLED = " was asked for, but is not installed; "
"""Stands in the reason between such a dialect's name and why another was taken."""


@dataclass(frozen=True, slots=True)
class Session:
    """One run of one plugin process.

    `facts` has the keys that the schema page lists for `sessions.facts`: argv, cwd, pids,
    descriptors, names of environment variables. `outcome` is None while the session lives.
    """

    id: int
    name: str
    started_ns: int  # wall clock, nanoseconds since 1970-01-01 UTC
    started_mono_ns: int  # the monotonic clock at the same instant, nanoseconds
    duration_ns: int | None  # until the last thing recorded; None while the session lives
    outcome: str | None  # "exit 0", "signal SIGKILL", "not started", "recorder killed"
    framing: str  # as asked for: auto, lines, content-length, raw
    facts: dict[str, Any] = field(default_factory=dict)
    dialect: str | None = None  # by which its messages were read; None while it is not known
    dialect_reason: str | None = None  # why it was taken for that one
    traits: tuple[str, ...] = ()  # what the dialect has learnt of the session, in words

    @property
    def asked_dialect(self) -> str | None:
        """The dialect, where a person has chosen it, be it installed here or not."""
        if self.dialect_reason == ASKED_FOR:
            return self.dialect
        asked, missing, _ = (self.dialect_reason or "").partition(NOT_INSTALLED)
        return asked if missing else None


class Chunk(NamedTuple):
    """The bytes of one read, with the instant at which they arrived (a tuple, as a frame is)."""

    seq: int  # place in the total order over chunks and events, from 1
    session: int
    stream: Stream
    t_ns: int  # since the session's start, nanoseconds
    start_offset: int  # of the first byte in its stream
    data: bytes


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened and is not bytes: spawn, eof, signal, exit, stall, gap."""

    seq: int  # place in the total order over chunks and events, from 1
    session: int
    t_ns: int  # since the session's start, nanoseconds
    kind: str
    detail: dict[str, Any] = field(default_factory=dict)


class Frame(NamedTuple):
    """One unit of the framing, as a span of its stream; the bytes stay in the chunks.

    A tuple, because a busy session has a million of them: a dataclass takes six times as long.
    """

    session: int
    number: int  # in the session, in order of completion, from 1
    stream: Stream
    start_offset: int  # of the frame's first byte in its stream, header included
    end_offset: int  # past the frame's last byte, terminator included
    first_chunk: int  # seq of the chunk that holds the first byte
    last_chunk: int  # seq of the chunk that holds the last byte
    first_ns: int  # arrival of the first byte since the session's start, nanoseconds
    last_ns: int  # arrival of the last byte
    header_size: int  # bytes of header before the body (Content-Length), else 0
    terminator: str  # LF, CRLF, CRCRLF, none
    flaw: str | None  # None: complete; unfinished, junk, gap

    @property
    def size(self) -> int:
        """Bytes on the wire, header and terminator included."""
        return self.end_offset - self.start_offset


class Message(NamedTuple):
    """What one frame means in its session's dialect; a frame may hold several (a batch)."""

    session: int
    frame: int  # number of the frame
    part: int  # place in the frame, from 0
    kind: str  # the protocol's word: request, response, error, notification, heartbeat; unknown
    method: str | None  # what is asked or told; of an answer, what was asked
    id: str | None  # as JSON text
    asks: int  # 1: it awaits an answer, else 0
    summary: str  # the essential values in a few words
    answers: int | None  # number of the frame whose question it answers
    answers_part: int | None
    latency_ns: int | None  # from that question to this answer
    about: int | None  # number of the frame whose question it concerns: progress, a cancellation
    within_ns: int | None  # a question: its answer is due; else: the next frame of its side is
    run: str | None  # consecutive messages of one run may be folded
    flags: str | None  # words, separated by one space
    note: str | None  # what is wrong or odd about it
    answered_after_ns: int | None = None  # how long after it its own answer came, if one did


class Told(NamedTuple):
    """A frame and what it says."""

    frame: Frame
    messages: tuple[Message, ...]
