"""MCP in a few words: what stands beside each method, and beside each answer."""

from typing import Any

import pytest

from tapproxy.dialects.mcp import MCP
from tapproxy.dialects.mcp_words import LARGEST_TEXT, META
from tests.tapproxy.dialects.heard import meanings_of, spoken

CLIENT = {"name": "h", "version": "1"}
TEXT = {"type": "text", "text": "hello"}

PARAMS: list[tuple[str, Any, str]] = [
    ("initialize", {"protocolVersion": "2025-06-18", "clientInfo": CLIENT,
                    "capabilities": {"sampling": {}, "roots": {}}},
     "h 1, protocol 2025-06-18, sampling roots"),
    ("initialize", {"protocolVersion": "2025-06-18"}, "protocol 2025-06-18"),
    ("initialize", {"capabilities": {}}, "capabilities={}"),
    ("server/discover", {"_meta": {META + "protocolVersion": "2026-07-28",
                                   META + "clientInfo": CLIENT,
                                   META + "clientCapabilities": {"roots": {}}}},
     "h 1, protocol 2026-07-28, roots"),
    ("server/discover", {}, ""),
    ("tools/call", {"name": "add", "arguments": {"a": 2, "b": "x"}}, 'add a=2 b="x"'),
    ("tools/call", {"name": "add"}, "add"),
    ("tools/call", {"name": "add", "arguments": [1]}, 'name="add" arguments=[1]'),
    ("tools/list", {}, ""),
    ("tools/list", {"cursor": "p2", "_meta": {}}, 'from cursor "p2"'),
    ("prompts/get", {"name": "greet", "arguments": {"who": "you"}}, 'greet who="you"'),
    ("resources/read", {"uri": "file:///a"}, "file:///a"),
    ("resources/subscribe", {"uri": "file:///a"}, "file:///a"),
    ("resources/unsubscribe", {"uri": "file:///a"}, "file:///a"),
    ("completion/complete", {"ref": {"type": "ref/prompt", "name": "greet"},
                             "argument": {"name": "who", "value": "y"}}, 'greet who="y"'),
    ("completion/complete", {"ref": {"type": "ref/resource", "uri": "x://{id}"},
                             "argument": {"name": "id", "value": ""}}, 'x://{id} id=""'),
    ("logging/setLevel", {"level": "warning"}, "warning"),
    ("sampling/createMessage", {"messages": [{"role": "user", "content": TEXT}],
                                "maxTokens": 20}, 'user "hello", at most 20 tokens'),
    ("elicitation/create", {"message": "Who?", "requestedSchema": {"properties": {"name": {}}}},
     '"Who?" 1 field: name'),
    ("elicitation/create", {"mode": "url", "message": "Log in", "url": "https://a"},
     '"Log in" at https://a'),
    ("roots/list", None, ""),
    ("tasks/get", {"taskId": "t1"}, "t1"),
    ("notifications/progress", {"progressToken": 1, "progress": 3}, "3"),
    ("notifications/progress", {"progressToken": 1, "progress": 3, "total": 4}, "3/4"),
    ("notifications/cancelled", {"requestId": "a"}, 'id "a"'),
    ("notifications/message", {"level": "error", "logger": "db", "data": {"why": "full"}},
     'error db: {why="full"}'),
    ("notifications/message", {"level": "info", "data": "ready"}, 'info "ready"'),
    ("notifications/resources/updated", {"uri": "file:///a"}, "file:///a"),
    ("notifications/elicitation/complete", {"elicitationId": "e1"}, "e1"),
    ("notifications/subscriptions/acknowledged", {"notifications": {"toolsListChanged": True}},
     "toolsListChanged=true"),
    ("notifications/tasks/status", {"taskId": "t1", "status": "failed", "statusMessage": "full"},
     't1 failed "full"'),
    ("x/other", {"a": 1, "_meta": {"b": 2}}, "a=1"),
    ("x/other", [1], "[1]"),
]  # fmt: skip

RESULTS: list[tuple[str, Any, str]] = [
    ("initialize", {"protocolVersion": "2025-06-18", "serverInfo": CLIENT,
                    "capabilities": {"tools": {}, "prompts": {}}},
     "h 1, protocol 2025-06-18, tools prompts"),
    ("server/discover", {"supportedVersions": ["2026-07-28", "2025-11-25"],
                         "capabilities": {"tools": {}}, "_meta": {META + "serverInfo": CLIENT}},
     "h 1, protocol 2026-07-28 2025-11-25, tools"),
    ("tools/list", {"tools": [{"name": "a"}, {"name": "b"}]}, "2 tools: a, b"),
    ("tools/list", {"tools": [{"name": "a"}], "nextCursor": "p2"}, "1 tool and a next page: a"),
    ("tools/list", {"tools": [{"title": "no name"}]}, 'tools=[{title="no name"}]'),
    ("tools/list", {"tools": []}, "0 tools"),
    ("tools/call", {"content": [TEXT]}, '"hello"'),
    ("tools/call", {"content": []}, ""),
    ("tools/call", {"content": [TEXT] * 4}, '"hello", "hello", "hello", …'),
    ("tools/call", {"content": [{"type": "image", "data": "AAEC", "mimeType": "image/png"}]},
     "image/png of 3 bytes"),
    ("tools/call", {"content": [{"type": "audio", "data": "AAE="}]}, "audio of 2 bytes"),
    ("tools/call", {"content": [{"type": "resource", "resource": {"uri": "a:b", "text": "t"}}]},
     'a:b "t"'),
    ("tools/call", {"content": [{"type": "resource_link", "uri": "a:b", "name": "n"}]}, "a:b"),
    ("tools/call", {"content": [{"type": "tool_use", "id": 1}]}, "tool_use"),
    ("tools/call", {"content": [{"type": "text", "text": '{"sum": 3}'}],
                    "structuredContent": {"sum": 3}}, "sum=3"),
    ("tools/call", {"content": [], "structuredContent": {"from": {"at": 1}, "by": "+1h"}},
     'by="+1h" from={at=1}'),
    ("tools/call", {"content": [{"type": "text", "text": '{\n "from": {"at": 1}, "by": "+1h"}'}]},
     'by="+1h" from={at=1}'),
    ("tools/call", {"content": [{"type": "text", "text": "{no JSON"}]}, '"{no JSON"'),
    ("tools/call", {"content": [{"type": "text", "text": '{"a": 1}'}, TEXT]},
     '"{"a": 1}", "hello"'),
    ("tools/call", {"content": [{"type": "text", "text": '{"a": "' + "x" * LARGEST_TEXT + '"}'}]},
     '"{"a": "' + "x" * 52 + '…"'),
    ("tools/call", {"task": {"taskId": "t1", "status": "working"}}, "t1 working"),
    ("resources/list", {"resources": [{"uri": "a:b", "name": "n"}]}, "1 resource: a:b"),
    ("resources/templates/list", {"resourceTemplates": [{"uriTemplate": "a:{b}"}]},
     "1 template: a:{b}"),
    ("resources/read", {"contents": [{"uri": "a:b", "blob": "AAEC"}]}, "a:b of 3 bytes"),
    ("prompts/list", {"prompts": [{"name": "greet"}]}, "1 prompt: greet"),
    ("prompts/get", {"messages": [{"role": "user", "content": TEXT}]}, 'user "hello"'),
    ("completion/complete", {"completion": {"values": ["a", "b"]}}, "2 values: a, b"),
    ("sampling/createMessage", {"role": "assistant", "content": TEXT, "model": "m"},
     'assistant "hello" by m'),
    ("elicitation/create", {"action": "accept", "content": {"name": "x"}}, 'accept name="x"'),
    ("elicitation/create", {"action": "decline"}, "decline"),
    ("tasks/get", {"taskId": "t1", "status": "completed"}, "t1 completed"),
    ("tasks/result", {"content": [TEXT]}, '"hello"'),
    ("tasks/list", {"tasks": [{"taskId": "t1"}]}, "1 task: t1"),
    ("subscriptions/listen", {"resultType": "complete"}, ""),
    ("ping", {}, ""),
    ("logging/setLevel", {}, ""),
]  # fmt: skip


@pytest.mark.parametrize(("method", "params", "words"), PARAMS)
def test_params_are_said_by_their_method(method: str, params: Any, words: str) -> None:
    message = {"jsonrpc": "2.0", "method": method, "params": params}
    ((_, meaning),) = meanings_of(MCP, spoken(("in", message)))
    assert meaning.summary == words


@pytest.mark.parametrize(("method", "result", "words"), RESULTS)
def test_a_result_is_said_by_what_was_asked(method: str, result: Any, words: str) -> None:
    request = {"jsonrpc": "2.0", "id": 1, "method": method}
    response = {"jsonrpc": "2.0", "id": 1, "result": result}
    _, (_, meaning) = meanings_of(MCP, spoken(("in", request), ("out", response)))
    assert meaning.summary == words


def test_a_result_whose_question_is_unknown_is_said_as_any_json() -> None:
    response = {"jsonrpc": "2.0", "id": 1, "result": {"tools": [], "_meta": {}}}
    assert [it.summary for _, it in meanings_of(MCP, spoken(("out", response)))] == ["tools=[]"]


def test_long_lists_are_cut() -> None:
    request = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    tools = [{"name": f"tool_{number:02}"} for number in range(50)]
    response = {"jsonrpc": "2.0", "id": 1, "result": {"tools": tools}}
    _, (_, meaning) = meanings_of(MCP, spoken(("in", request), ("out", response)))
    assert meaning.summary == (
        "50 tools: tool_00, tool_01, tool_02, tool_03, tool_04, tool_05, tool_06, tool_07, "
        "tool_08, tool_09,…"
    )
