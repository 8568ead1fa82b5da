"""Hand-made frames and events, with only what a test is about spelled out."""

import json
from dataclasses import replace
from typing import Any, TypeAlias

from tapproxy_store.recording import ChunkRow, EventRow, FrameRow, create_or_open
from tapproxy_store.records import Event, Frame, Message, Session, Stream, Told

MS = 1_000_000
"""Nanoseconds."""
SECOND = 1000 * MS


Entry: TypeAlias = Told | Event


class Made:
    """Makes the entries of one session and keeps the frames' bodies, as a recording would."""

    def __init__(self) -> None:
        self.bodies: dict[int, bytes] = {}

    def frame(
        self, stream: Stream, at_ns: int, body: bytes, flaw: str | None = None, *, slow_ns: int = 0
    ) -> Frame:
        """Make a line that ends at `at_ns`, having begun `slow_ns` before."""
        number = len(self.bodies) + 1
        self.bodies[number] = body
        place = (0, len(body) + 1, number, number)  # a read for each
        return Frame(1, number, stream, *place, at_ns - slow_ns, at_ns, 0, "LF", flaw)

    def bare(self, stream: Stream, at_ns: int, body: bytes, **changes: Any) -> Told:
        """Make a line of which nothing but the bytes is known."""
        return Told(self.frame(stream, at_ns, body, **changes), ())

    def told(
        self, stream: Stream, at_ns: int, kind: str, method: str | None = None, **columns: Any
    ) -> Told:
        """Make a line of one message."""
        frame = self.frame(stream, at_ns, b"{}")
        return Told(frame, (message(frame.number, kind, method, **columns),))

    def payload(self, frame: Frame, limit: int | None = None) -> bytes:
        """Return a frame's body as `Recording.payload` does."""
        return self.bodies[frame.number][:limit]


def message(number: int, kind: str, method: str | None = None, **columns: Any) -> Message:
    """Make what the frame of that number means; no column but those that are given."""
    usual: dict[str, Any] = dict.fromkeys(Message._fields)
    usual |= {"session": 1, "frame": number, "part": 0, "asks": 0, "summary": "", "kind": kind}
    return Message(**usual | {"method": method} | columns)


def event(at_ns: int, kind: str, /, **detail: Any) -> Event:
    """Make an event; a keyword in `detail` may end in `_` where Python has the word."""
    return Event(1, 1, at_ns, kind, {key.rstrip("_"): value for key, value in detail.items()})


STARTED_NS = 1_796_070_605_123_456_789
"""2026-11-30 20:30:05 UTC."""


def session(**changes: Any) -> Session:
    """Make a session of five seconds that ended well, but for the changes."""
    usual = Session(
        id=1,
        name="server.py",
        started_ns=STARTED_NS,
        started_mono_ns=7,
        duration_ns=5 * SECOND,
        outcome="exit 0",
        framing="auto",
        facts={"argv": ["./server.py", "--greet", "hello you"]},
    )
    return replace(usual, **changes)


def record(path: str, it: Session, *happened: tuple[Stream, int, bytes] | Event) -> None:
    """Write a recording: each (stream, t_ns, line) is a chunk and, where it ends in LF, a frame."""
    ends: dict[Stream, int] = {"in": 0, "out": 0, "err": 0}
    chunks: list[ChunkRow] = []
    events: list[EventRow] = []
    frames: list[FrameRow] = []
    for seq, one in enumerate(happened, 1):
        if isinstance(one, Event):
            events.append((seq, it.id, one.t_ns, one.kind, json.dumps(one.detail)))
            continue
        stream, t_ns, data = one
        start, ends[stream] = ends[stream], ends[stream] + len(data)
        chunks.append((seq, it.id, stream, t_ns, start, data))
        if data.endswith(b"\n"):
            number = len(frames) + 1
            place = (start, ends[stream], seq, seq, t_ns, t_ns)
            frames.append((it.id, number, stream, *place, 0, "LF", None))
    with create_or_open(path) as writer:
        writer.begin()
        writer.put_session(it)
        writer.insert(chunks, events, frames)
        writer.commit()
        writer.finish()
