"""MCP: how a session is recognised, and that values of any shape are said."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapproxy.dialects.api import Side
from tapproxy.dialects.mcp import MCP
from tapproxy.dialects.mcp_words import REQUESTS, RESULTS
from tests.tapproxy.dialects.heard import answer, ask, meanings_of, spoken

INITIALIZE = {"protocolVersion": "2025-06-18", "capabilities": {}}

REASONS: list[tuple[list[tuple[Side, Any]], str | None]] = [
    ([], None),
    ([("in", ask(1, "initialize", **INITIALIZE))], "initialize with protocolVersion 2025-06-18"),
    ([("in", ask(1, "server/discover"))], "server/discover is a method of MCP"),
    ([("out", answer(1, **INITIALIZE))], "an answer with protocolVersion 2025-06-18"),
    ([("out", b"Checking 127.0.0.1:3000..."), ("in", ask(2, "tools/list"))],
     "tools/list is a method of MCP"),
    ([("in", [ask(1, "ping"), ask(2, "tools/list")])], "tools/list is a method of MCP"),
    ([("in", b"\xef\xbb\xbf" + json.dumps(ask(1, "initialize", **INITIALIZE)).encode())],
     "initialize with protocolVersion 2025-06-18"),
    ([("in", ask(2, "tools/call", name="add", arguments={"t": "\ud83d"}))],
     "tools/call is a method of MCP"),
    ([("in", ask(0, "ping"))], None),
    ([("in", ask(0, "ping")), ("out", answer("0"))], "ping, answered with an empty result"),
    ([("in", ask(0, "ping")), ("out", answer(0)), ("in", ask(1, "textDocument/hover"))], None),
    ([("in", ask(1, "initialize", protocolVersion=1))], None),
    ([("in", ask(1, "initialize", processId=1, capabilities={}))], None),
    ([("in", {"id": 1, "method": "tools/call"})], None),
    ([("in", ask(1, "toString"))], None),
]  # fmt: skip


@pytest.mark.parametrize(("lines", "reason"), REASONS)
def test_a_session_is_recognised_by_what_only_mcp_says(
    lines: list[tuple[Side, Any]], reason: str | None
) -> None:
    assert MCP.recognise(["npx", "-y", "demo"], spoken(*lines)) == reason


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2) | st.floats(allow_nan=False) | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from((
                "_meta", "name", "arguments", "content", "type", "text", "progressToken", "params",
                "requestId", "protocolVersion", "clientInfo", "tools", "messages", "resultType",
                "inputRequests", "supportedVersions", "task", "structuredContent", "isError",
            )),
            inner,
        )
    ),
    max_leaves=12,
)  # fmt: skip


@given(st.sampled_from(sorted({*REQUESTS, *RESULTS})), json_values, json_values)
def test_values_of_any_shape_are_said(method: str, params: Any, result: Any) -> None:
    question = {"jsonrpc": "2.0", "method": method, "params": params}
    asked = question | {"id": 1}
    replied = {"jsonrpc": "2.0", "id": 1, "result": result}
    meanings = meanings_of(MCP, spoken(("in", asked), ("in", question), ("out", replied)))
    assert [it.kind for _, it in meanings] == ["request", "notification", "response"]
