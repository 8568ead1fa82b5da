"""Writes LingXi's lines for tests as Swift does and as the page shows them, and reads them."""

import json
from base64 import b64encode
from collections.abc import Sequence
from typing import Any

from tapproxy.dialects.api import Heard, Meaning, Side
from tapproxy.dialects.lingxi import LINGXI

S = 1_000_000_000
"""Nanoseconds of a second."""

Line = tuple[Side, Any]
"""Whose words, and the message: bytes as they are, anything else as JSON."""

HANDSHAKE = {"hostIPCVersion": 1, "coreVersion": "1.2.0"}

MANIFEST = {
    "id": "demo",
    "name": "Demo",
    "version": "0.1.0",
    "description": "d",
    "capabilities": [],
}

ABOUT: dict[str, Any] = {
    "manifest": MANIFEST,
    "ipcVersion": 1,
    "sdkVersion": "0.1.0",
    "tools": [{"name": "echo", "description": "e", "inputSchema": '{"type":"object"}'}],
    "commands": [],
}


def data(value: Any) -> str:
    """Return a value as Swift's Data holds it: base64 of JSON, slashes escaped."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("/", "\\/")
    return b64encode(text.encode()).decode()


def asked(key: Any, method: str, **members: Any) -> Line:
    """Return a request; `params` stands as it is given."""
    return "in", {"id": key, "method": method, **members}


def answered(key: Any, **members: Any) -> Line:
    """Return an answer; `result` and `error` stand as they are given."""
    return "out", {"id": key, **members}


def tool(key: str, arguments: str = "{}", name: str = "echo") -> Line:
    """Return a Swift host's tool.execute."""
    params = {"toolName": name, "arguments": arguments, "sessionID": "s", "toolCallID": "t"}
    return asked(key, "tool.execute", params=data(params))


SHAKEN: tuple[Line, ...] = (
    asked("1", "plugin.initialize", params=data(HANDSHAKE)),
    answered("1", result=data(ABOUT)),
)
"""A handshake of Swift peers, version 4."""


def frames(*lines: Line, every_ns: int = 0) -> list[Heard]:
    """Return the lines as frames numbered from 1, each so much later than the one before."""
    return [
        Heard(side, it if isinstance(it, bytes) else json.dumps(it).encode(), number, at * every_ns)
        for at, (number, (side, it)) in enumerate(enumerate(lines, 1))
    ]


def read(heard: Sequence[Heard]) -> list[Meaning]:
    """Return what each frame means: one meaning each."""
    reading = LINGXI.begin([])
    meanings = [reading.read(it) for it in heard]
    assert all(len(it) == 1 for it in meanings)
    return [it[0] for it in meanings]


def last(*lines: Line) -> Meaning:
    """Return what the last of the lines means."""
    return read(frames(*lines))[-1]


def traits(*lines: Line) -> list[str]:
    """Return what has been learnt from the lines."""
    reading = LINGXI.begin([])
    for heard in frames(*lines):
        reading.read(heard)
    return list(reading.traits())


def opened(meaning: Meaning) -> Any:
    """Return the decoded form as a value, None where it does not differ from the body."""
    return None if meaning.decoded is None else json.loads(meaning.decoded)


def remarks(*lines: Line) -> tuple[str, tuple[str, ...]]:
    """Return the note and the flags of the last line."""
    meaning = last(*lines)
    return meaning.note, meaning.flags
