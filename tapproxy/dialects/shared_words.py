"""What MCP and ACP say alike: peers, lists of names, content blocks, values of a wrong shape.

Source: Model Context Protocol specification, schema of 2025-11-25 (`Implementation`,
`ContentBlock`); the Agent Client Protocol takes over both.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tapproxy.dialects.api import Meaning
from tapproxy.dialects.brief import brief, clipped, counted, inner, joined, plain, some
from tapproxy.dialects.json_reading import joined_notes
from tapproxy.dialects.jsonrpc import words_of

LONGEST = 100
"""Characters of what is said of one message."""

TRACING = ("params._meta.traceparent", "params._meta.tracestate", "params._meta.baggage")
"""What OpenTelemetry puts into each message: another value each time."""

Words = Mapping[str, Callable[[Any], str]]
"""How the members of an object are said, by the method that they belong to."""


def said(words: Words, name: str | None, value: Any) -> str:
    """Say params or a result by their method; what has not the shape it should, as any JSON."""
    say = words.get(name) if name else None
    if isinstance(value, dict):
        if say is not None:
            try:
                return clipped(say(value), LONGEST)
            except (AttributeError, IndexError, KeyError, TypeError, ValueError):
                pass
        if "_meta" in value:
            value = {key: it for key, it in value.items() if key != "_meta"}
    return words_of(value)


def noted(meaning: Meaning, note: str, *flags: str) -> Meaning:
    """Add what is odd about a message to what was said of it before."""
    return meaning._replace(note=joined_notes(meaning.note, note), flags=meaning.flags + flags)


def peer(implementation: Any) -> str:
    """Say who a client or a server is: name and version; nothing where it does not say."""
    return joined(plain(inner(implementation, "name")), plain(inner(implementation, "version")))


def named(noun: str, names: Sequence[Any], *, more: bool = False) -> str:
    """Return `3 tools: a, b, c`, or `3 tools and a next page: a, b, c`."""
    head = counted(len(names), noun) + (" and a next page" if more else "")
    return f"{head}: {', '.join(map(str, names))}" if names else head


def blocks(values: Any) -> str:
    """Say the first content blocks of a list, or a single one."""
    return some(map(block, values)) if isinstance(values, list) else block(values)


def block(value: Any) -> str:
    """Say one content block: its text, or what it holds and how many bytes."""
    kind = value["type"]
    if kind == "text":
        return brief(value["text"])
    if kind == "resource":
        return resource(value["resource"])
    if kind == "resource_link":
        return str(value["uri"])
    if "data" in value:
        return f"{value.get('mimeType', kind)} of {decoded_size(value['data'])} bytes"
    return str(kind)


def resource(value: Any) -> str:
    """Say the contents of a resource: address, and text or size."""
    if "text" in value:
        return f"{value['uri']} {brief(value['text'])}"
    return f"{value['uri']} of {decoded_size(value['blob'])} bytes"


def decoded_size(base64: str) -> int:
    """Return how many bytes a base64 text stands for."""
    return len(base64.rstrip("=")) * 3 // 4
