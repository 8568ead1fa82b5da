"""Gathers the messages in a session's first frames, to recognise a dialect by."""

from collections.abc import Sequence
from typing import Any

from tapproxy.dialects.api import Heard, Meaning
from tapproxy.dialects.json_reading import JsonReading


def envelopes(frames: Sequence[Heard]) -> list[dict[str, Any]]:
    """Return the messages of JSON-RPC 2.0 among the objects."""
    return [it for it in objects(frames) if it.get("jsonrpc") == "2.0"]


def objects(frames: Sequence[Heard]) -> list[dict[str, Any]]:
    """Return all objects in their order; those of batches and of damaged frames are among them."""
    gathering = _Gathering()
    for heard in frames:
        gathering.read(heard)
    return gathering.found


class _Gathering(JsonReading):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[dict[str, Any]] = []

    def understand(self, heard: Heard, value: Any) -> list[Meaning]:
        del heard
        values = value if isinstance(value, list) else [value]
        self.found += [it for it in values if isinstance(it, dict)]
        return []
