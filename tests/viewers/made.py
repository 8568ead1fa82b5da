"""Hand-made frames and events, with only what a test is about spelled out."""

from typing import Any

from tapproxy_store.records import Event, Frame, Stream

MS = 1_000_000
"""Nanoseconds."""
SECOND = 1000 * MS


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
        first_ns = at_ns - slow_ns
        return Frame(1, number, stream, 0, len(body) + 1, 1, 1, first_ns, at_ns, 0, "LF", flaw)

    def payload(self, frame: Frame, limit: int | None = None) -> bytes:
        """Return a frame's body as `Recording.payload` does."""
        return self.bodies[frame.number][:limit]


def event(at_ns: int, kind: str, /, **detail: Any) -> Event:
    """Make an event; a keyword in `detail` may end in `_` where Python has the word."""
    return Event(1, 1, at_ns, kind, {key.rstrip("_"): value for key, value in detail.items()})
