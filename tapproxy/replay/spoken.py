"""What one frame says, recorded or live, as matching compares it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from tapproxy.diffing.volatile import without_volatile
from tapproxy_store.records import Stream

UNKNOWN = "unknown"
BATCH = "batch"
"""The kind of a frame with several messages: it is compared as one."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """One frame of one side."""

    number: int  # of the frame, in its recording or since the replay began
    stream: Stream
    body: bytes  # without header and terminator
    kind: str | None  # None where nothing is known of what it means
    method: str | None = None
    id: str | None = None  # as JSON text
    asks: bool = False
    answers: int | None = None  # number of the frame whose question it answers
    decoded: bytes | None = None  # JSON with all layers opened, where the body is not that

    @property
    def label(self) -> tuple[str, str | None, str | None]:
        """What it is, whatever its values are."""
        return self.stream, self.kind, self.method

    def value(self) -> Any:
        """Return the JSON value; the body as it is where it is none."""
        if self.kind is None or self.kind == UNKNOWN:
            return self.body
        try:
            return orjson.loads(self.body if self.decoded is None else self.decoded)
        except ValueError:
            return self.body


def digest(value: Any) -> bytes:
    """Return bytes that are the same for equal JSON values, whatever the order of members."""
    if isinstance(value, bytes):
        return b"\0" + value
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except TypeError:  # nested deeper than can be written
        return b"\0" + repr(value).encode("utf-8", "backslashreplace")


def essence(spoken: Spoken, volatile: Sequence[str]) -> Any:
    """Return the value less what differs from run to run."""
    value = spoken.value()
    return value if isinstance(value, bytes) else without_volatile(value, volatile)
