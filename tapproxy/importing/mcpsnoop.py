"""The session logs of mcpsnoop: an envelope on each line, with `direction` and `raw` or `text`.

Directions are `c2s`, `s2c`, `stderr`, and `meta` for the envelope that tells the command. A message
that is JSON is in `raw`, any other line in `text`. (mcpsnoop, internal/proxy/frame.go: Envelope,
SessionMeta.)
"""

from collections.abc import Iterable, Iterator, Sequence
from json import JSONDecodeError
from typing import Any

from tapproxy.importing.api import Format, Record, Source
from tapproxy.importing.entries import Entry, entries, first_value
from tapproxy.importing.instants import instant
from tapproxy.importing.scribe import Scribe
from tapproxy_store.records import Stream

_STREAMS: dict[str, Stream] = {"c2s": "in", "s2c": "out", "stderr": "err"}
_KEYS = {"session_id", "seq", "ts", "direction"}


def recognise(head: Sequence[bytes]) -> bool:
    """Tell whether the first line is an envelope."""
    try:
        value = first_value(head)
    except JSONDecodeError:
        return False
    return isinstance(value, dict) and value.keys() >= _KEYS


def read(lines: Iterable[bytes], source: Source) -> Iterator[Record]:
    """Yield the sessions of the log, each with its messages; raises BadImport."""
    scribe = Scribe(source, "mcpsnoop")
    seen: list[object] = []  # the sessions' ids, the current one last
    for entry in entries(lines, source):
        at_ns = instant(entry.values.get("ts"))
        if at_ns is None:
            entry.refuse("ts", 'an instant such as "2026-11-30T20:30:05.123Z"')
        session = entry.values.get("session_id")
        if not seen or session != seen[-1]:
            if session in seen:
                entry.refuse("session_id", "that of one session after another; split the log")
            seen.append(session)
            yield scribe.begin(at_ns, _label(entry), **_facts(entry))
        if entry.values.get("direction") != "meta":
            yield _record(entry, scribe, at_ns)


def _record(entry: Entry, scribe: Scribe, at_ns: int) -> Record:
    direction = entry.values.get("direction")
    if not isinstance(direction, str) or direction not in _STREAMS:
        entry.refuse("direction", '"c2s", "s2c", "stderr" or "meta"')
    key = next((key for key in ("raw", "text") if key in entry.values), None)
    if key is None:  # over HTTP there are answers without a message
        return scribe.event("log", at_ns, entry.unread())
    return scribe.chunk(_STREAMS[direction], at_ns, entry.message(key))


def _label(entry: Entry) -> str:
    label = entry.values.get("server_label")
    return label if isinstance(label, str) else ""


def _facts(entry: Entry) -> dict[str, Any]:
    """Return the command and the folder, which the first envelope of a session tells."""
    told = entry.values.get("raw") if entry.values.get("direction") == "meta" else None
    if not isinstance(told, dict):
        return {}
    facts = {"argv": told.get("command"), "cwd": told.get("cwd")}
    return {key: value for key, value in facts.items() if value}


MCPSNOOP = Format("mcpsnoop", "session logs of mcpsnoop", recognise, read)
