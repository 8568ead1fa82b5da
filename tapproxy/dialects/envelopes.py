"""Gathers the messages of JSON-RPC 2.0 in a session's first frames, to recognise a dialect by."""

from collections.abc import Sequence
from typing import Any

from tapproxy.dialects.api import Heard, Meaning
from tapproxy.dialects.json_reading import JsonReading


def envelopes(frames: Sequence[Heard]) -> list[dict[str, Any]]:
    """Return the messages in their order; those of batches and of damaged frames are among them."""
    gathering = _Gathering()
    for heard in frames:
        gathering.read(heard)
    return gathering.messages


class _Gathering(JsonReading):
    def __init__(self) -> None:
        super().__init__()
        self.messages: list[dict[str, Any]] = []

    def understand(self, heard: Heard, value: Any) -> list[Meaning]:
        del heard
        for message in value if isinstance(value, list) else [value]:
            if isinstance(message, dict) and message.get("jsonrpc") == "2.0":
                self.messages.append(message)
        return []
