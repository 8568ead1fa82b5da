"""What one frame says, recorded or live, as matching compares it."""

from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import Any, NamedTuple

import orjson

from tapproxy.diffing.volatile import without_volatile
from tapproxy_store.records import Stream

UNKNOWN = "unknown"
BATCH = "batch"
"""The kind of a frame with several messages: it is compared as one."""

LARGEST_KEY = 256
"""Bytes by which a value is known again; of a longer one a digest is taken."""

Label = tuple[Stream, str | None, str | None]


class Spoken(NamedTuple):
    """One frame of one side (a tuple: there is one for every frame)."""

    number: int  # of a live frame, since the replay began; of a recorded one, in the script
    stream: Stream
    body: bytes  # without header and terminator; of a very large one its edges
    kind: str | None  # None where nothing is known of what it means
    method: str | None = None
    id: str | None = None  # as JSON text
    asks: bool = False
    answers: int | None = None  # number of the frame whose question it answers
    decoded: bytes | Callable[[], bytes | None] | None = None
    # JSON with all layers opened, where the body is not that; or what finds it
    frame: int | None = None  # of a recorded frame, its number there
    latency_ns: int | None = None  # of an answer
    is_regular: bool = False  # of a recorded one: one message, with nothing odd about it
    twin: int | None = None  # of a live one: that recorded one, less its id, by its number there

    @property
    def label(self) -> Label:
        """What it is, whatever its values are."""
        return self.stream, self.kind, self.method

    def value(self) -> Any:
        """Return the JSON value; the body as it is where it is none."""
        if self.kind is None or self.kind == UNKNOWN:
            return self.body
        opened = self.decoded() if callable(self.decoded) else self.decoded
        try:
            return orjson.loads(self.body if opened is None else opened)
        except ValueError:
            return self.body


def abridged(beginning: bytes, end: bytes, size: int) -> bytes:
    """Return what stands for a body that is too large to be read."""
    return b"%b... %d bytes ...%b" % (beginning, size, end)


def digest(value: Any) -> bytes:
    """Return bytes that are the same for equal JSON values, whatever the order of members."""
    if isinstance(value, bytes):
        return _short(b"\0" + value)
    try:
        return _short(orjson.dumps(value, option=orjson.OPT_SORT_KEYS))
    except TypeError:  # nested deeper than can be written
        return _short(b"\0" + repr(value).encode("utf-8", "backslashreplace"))


def essence(spoken: Spoken, volatile: Sequence[str]) -> Any:
    """Return the value less what differs from run to run."""
    value = spoken.value()
    return value if isinstance(value, bytes) else without_volatile(value, volatile)


def _short(key: bytes) -> bytes:
    return key if len(key) <= LARGEST_KEY else blake2b(key).digest()
