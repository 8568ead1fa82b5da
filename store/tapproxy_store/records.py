"""The nouns of a recording: sessions, chunks, events and frames, as frozen values."""

from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

Stream = Literal["in", "out", "err"]

STREAMS: tuple[Stream, ...] = ("in", "out", "err")
"""`in` is host to plugin, `out` plugin to host, `err` the plugin's stderr."""


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
