"""JSON of any other kind, one value a frame: log lines, events, and questions where they look it.

Two shapes are paired though no `jsonrpc` member says so: `id` with `method`, then `result` or
`error` (codex app-server), and `seq` with `command`, then `request_seq` (TypeScript's tsserver).
"""

from collections.abc import Mapping, Sequence
from typing import Any

from tapproxy.dialects.api import Dialect, Echo, Heard, Meaning
from tapproxy.dialects.brief import brief, members
from tapproxy.dialects.dap import TYPES, PacketReading
from tapproxy.dialects.jsonrpc import JsonRpcReading, Oddity, parsed

KIND_MEMBERS = ("type", "kind", "event", "action", "op", "cmd", "level", "msg_type")
"""Members that say what sort of thing an object is, the most telling first."""

LONGEST_KIND = 32
"""Characters; a longer text is prose, and no kind."""

ERROR_LEVELS = {"error", "fatal", "critical", "panic"}


class JsonlReading(JsonRpcReading):
    """Reads any JSON; remembers what was asked."""

    def __init__(self) -> None:
        super().__init__()
        self._packets = PacketReading()

    def oddities(self, value: dict[str, Any], replies: str | None) -> Sequence[Oddity]:
        """Return nothing: there is no specification that an answer could miss."""
        del value, replies
        return ()

    def understand(self, heard: Heard, value: Any) -> Meaning | list[Meaning]:
        """Return what a value means."""
        if not isinstance(value, dict):
            return Meaning(_kind_of(value), summary=brief(value))
        if _is_packet(value):
            return self._packets.understand(heard, value)
        if _is_call(value):
            return super().understand(heard, value)
        return _object(value)


def _object(value: dict[str, Any]) -> Meaning:
    found = next(((name, value[name]) for name in KIND_MEMBERS if _is_kind(value.get(name))), None)
    if found is None:
        return Meaning("object", summary=members(value))
    name, kind = found
    rest = {key: member for key, member in value.items() if key != name}
    flags = ("error",) if kind.lower() in ERROR_LEVELS else ()
    return Meaning(kind, summary=members(rest), flags=flags)


def _is_kind(value: Any) -> bool:
    return isinstance(value, str) and 0 < len(value) <= LONGEST_KIND


def _is_packet(value: Mapping[str, Any]) -> bool:
    return "seq" in value and value.get("type") in TYPES


def _is_call(value: Mapping[str, Any]) -> bool:
    """Tell whether an object has the shape of a request, a notification or an answer."""
    if isinstance(value.get("method"), str):
        return "id" in value or "params" in value
    return "id" in value and ("result" in value or "error" in value)


def _kind_of(value: Any) -> str:
    kinds = {list: "list", str: "string", bool: "boolean", int: "number", float: "number"}
    return kinds.get(type(value), "null")


def _recognise(argv: Sequence[str], frames: Sequence[Heard]) -> str | None:
    del argv
    found = sum(isinstance(parsed(it), dict) for it in frames)
    return f"{found} of {len(frames)} first frames are JSON objects" if found else None


JSONL = Dialect(
    name="jsonl",
    purpose="JSON values of any other kind, one a frame",
    recognise=_recognise,
    begin=lambda _: JsonlReading(),
    volatile=("id", "seq", "request_seq", "ts", "time", "timestamp"),
    last_resort=True,
    echoes=(Echo("id", "id", of_question=True),),
)
