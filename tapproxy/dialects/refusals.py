"""Answers of each protocol to a question that a replay cannot answer: never silence, never a guess.

Each takes the question's body and the reason, and returns the body of the answer, None where the
question cannot be answered at all.
"""

from typing import Any

import orjson

from tapproxy.dialects.ids import id_text

NOT_RECORDED = -32001
"""The code of our error: JSON-RPC 2.0, section 5.1, leaves -32000 to -32099 to implementations."""

SEQ_AHEAD = 1_000_000
"""DAP: how far the `seq` of an answer that was not recorded is ahead of its request's."""


def jsonrpc_refusal(body: bytes, reason: str) -> bytes | None:
    """Return an error response (JSON-RPC 2.0, section 5.1); of a batch, one for each request."""
    value = _value(body)
    if isinstance(value, list):
        errors = [it for it in (_error(one, b"", reason) for one in value) if it]
        return b"[" + b",".join(errors) + b"]" if errors else None
    return _error(value, body, reason)


def lingxi_refusal(body: bytes, reason: str) -> bytes | None:
    """Return an answer with an error, which is a text (LingXi Plugin IPC)."""
    value = _value(body)
    if not isinstance(value, dict) or "id" not in value:
        return None
    return orjson.dumps({"id": value["id"], "error": reason})


def dap_refusal(body: bytes, reason: str) -> bytes | None:
    """Return a response without success (Debug Adapter Protocol, "Base Protocol", Response)."""
    value = _value(body)
    if not isinstance(value, dict) or not isinstance(value.get("seq"), int):
        return None
    return orjson.dumps({
        "seq": value["seq"] + SEQ_AHEAD,
        "type": "response",
        "request_seq": value["seq"],
        "success": False,
        "command": str(value.get("command", "")),
        "message": reason,
    })  # fmt: skip


def xlings_refusal(_: bytes, reason: str) -> bytes | None:
    """Return a log line of level warn, as xlings says of an action that it does not know."""
    return orjson.dumps({"kind": "log", "level": "warn", "message": reason})


def _error(value: Any, body: bytes, reason: str) -> bytes | None:
    if not isinstance(value, dict) or "id" not in value:
        return None
    key = id_text(value["id"], body).encode()
    error = orjson.dumps({"code": NOT_RECORDED, "message": "not recorded", "data": reason})
    return b'{"jsonrpc":"2.0","id":%b,"error":%b}' % (key, error)


def _value(body: bytes) -> Any:
    try:
        return orjson.loads(body)
    except ValueError:
        return None
