"""Records as rows of their tables, and how a session ended as its events tell it."""

import json
from collections.abc import Mapping
from typing import Any

from tapproxy_store.recording import EventRow
from tapproxy_store.records import Event


def event_row(event: Event) -> EventRow:
    """Return the event as a row of `events`."""
    # Not orjson: a tape may hold lone surrogates and integers of any size.
    detail = json.dumps(event.detail, separators=(",", ":"))
    return (event.seq, event.session, event.t_ns, event.kind, detail)


def outcome(kind: str, detail: Mapping[str, Any]) -> str | None:
    """Return how the session ended, if this event says so."""
    if kind == "spawn-error":
        return "not started"
    if kind != "exit":
        return None
    if "signal" in detail:
        return f"signal {detail['signal']}"
    return f"exit {detail['code']}" if "code" in detail else None
