"""ACP in a few words: what stands beside each method, each update and each answer."""

from typing import Any

import pytest

from tapproxy.dialects.acp import ACP
from tests.tapproxy.dialects.heard import meanings_of, spoken

EDITOR = {"name": "editor", "version": "1"}
TEXT = {"type": "text", "text": "hello"}
FS = {"fs": {"readTextFile": True, "writeTextFile": False}, "terminal": True, "auth": {}}

PARAMS: list[tuple[str, Any, str]] = [
    ("initialize", {"protocolVersion": 1, "clientInfo": EDITOR, "clientCapabilities": FS},
     "editor 1, protocol 1, fs.readTextFile terminal"),
    ("initialize", {"protocolVersion": 1}, "protocol 1"),
    ("initialize", {"clientInfo": None}, "clientInfo=null"),
    ("authenticate", {"methodId": "key"}, "key"),
    ("session/new", {"cwd": "/p", "mcpServers": [{"name": "time"}]}, "in /p, 1 MCP server: time"),
    ("session/new", {"cwd": "/p", "mcpServers": []}, "in /p"),
    ("session/new", {}, ""),
    ("session/load", {"sessionId": "s", "cwd": "/p", "mcpServers": []}, "s, in /p"),
    ("session/set_mode", {"sessionId": "s", "modeId": "code"}, "code"),
    ("session/set_config_option", {"sessionId": "s", "configId": "model", "value": "m"},
     'model="m"'),
    ("session/prompt", {"prompt": [TEXT, {"type": "resource_link", "uri": "a:b"}]},
     '"hello", a:b'),
    ("session/prompt", {"sessionId": "s"}, 'sessionId="s"'),
    ("session/request_permission",
     {"toolCall": {"toolCallId": "c1", "title": "Edit"},
      "options": [{"optionId": "y", "name": "Allow"}, {"optionId": "n", "name": "Reject"}]},
     '"Edit" Allow / Reject'),
    ("session/request_permission", {"toolCall": {"toolCallId": "c1"}, "options": []},
     '"c1"'),
    ("fs/read_text_file", {"path": "/a", "line": 3, "limit": 9},
     "/a, from line 3, at most 9 lines"),
    ("fs/write_text_file", {"path": "/a", "content": "x"}, '/a "x"'),
    ("terminal/create", {"command": "ls", "args": ["-l"], "cwd": "/p"}, '"ls -l" in /p'),
    ("terminal/kill", {"terminalId": "t1"}, "t1"),
    ("_vendor/thing", {"a": 1}, "a=1"),
]  # fmt: skip

UPDATES: list[tuple[Any, str]] = [
    ({"sessionUpdate": "user_message_chunk", "content": TEXT}, 'user_message_chunk "hello"'),
    ({"sessionUpdate": "tool_call", "toolCallId": "c1", "title": "Edit a", "kind": "edit",
      "status": "pending", "locations": [{"path": "/a"}]},
     'tool_call c1 edit "Edit a" pending /a'),
    ({"sessionUpdate": "tool_call_update", "toolCallId": "c1", "status": "completed",
      "content": [{"type": "content", "content": TEXT}, {"type": "diff", "path": "/a"}]},
     'tool_call_update c1 completed, "hello", diff of /a'),
    ({"sessionUpdate": "tool_call_update", "toolCallId": "c1",
      "content": [{"type": "terminal", "terminalId": "t1"}]}, "tool_call_update c1, terminal t1"),
    ({"sessionUpdate": "plan", "entries": [
        {"content": "a", "status": "completed"}, {"content": "b", "status": "in_progress"}]},
     'plan 1 of 2 done, "b"'),
    ({"sessionUpdate": "available_commands_update", "availableCommands": [{"name": "web"}]},
     "available_commands_update 1 command: web"),
    ({"sessionUpdate": "current_mode_update", "currentModeId": "code"},
     "current_mode_update code"),
    ({"sessionUpdate": "usage_update", "used": 53, "size": 200},
     "usage_update 53 of 200 tokens"),
    ({"sessionUpdate": "later_kind", "a": 1, "_meta": {}}, "later_kind a=1"),
    ({"sessionUpdate": "tool_call", "title": "no id"}, 'tool_call title="no id"'),
    ({"a": 1}, 'sessionId="s" update={a=1}'),
]  # fmt: skip

RESULTS: list[tuple[str, Any, str]] = [
    ("initialize", {"protocolVersion": 1, "agentInfo": EDITOR,
                    "agentCapabilities": {"loadSession": True, "prompt": {"image": True}},
                    "authMethods": [{"id": "key", "name": "API key"}, {"id": "none"}]},
     "editor 1, protocol 1, loadSession prompt.image, "
     "authenticate with API key or none"),
    ("session/new", {"sessionId": "s", "modes": {"currentModeId": "ask"}}, "s, mode ask"),
    ("session/new", {"sessionId": "s"}, "s"),
    ("session/load", {}, ""),
    ("session/list", {"sessions": [{"sessionId": "s"}]}, "1 session: s"),
    ("session/prompt", {"stopReason": "max_tokens"}, "max_tokens"),
    ("session/prompt", {"stopReason": "end_turn", "usage": {"totalTokens": 9}},
     "end_turn, 9 tokens"),
    ("session/request_permission", {"outcome": {"outcome": "selected", "optionId": "y"}},
     "selected y"),
    ("session/request_permission", {"outcome": {"outcome": "cancelled"}}, "cancelled"),
    ("fs/read_text_file", {"content": "x"}, '"x"'),
    ("fs/write_text_file", None, ""),
    ("terminal/create", {"terminalId": "t1"}, "t1"),
    ("terminal/wait_for_exit", {"exitCode": 3, "signal": None}, "exit 3"),
    ("terminal/wait_for_exit", {"exitCode": None, "signal": "SIGTERM"}, "signal SIGTERM"),
    ("terminal/output", {"output": "x", "truncated": True}, '"x", truncated'),
    ("terminal/output", {"output": "x", "truncated": False, "exitStatus": {"exitCode": 0}},
     '"x", exit 0'),
]  # fmt: skip


@pytest.mark.parametrize(("method", "params", "words"), PARAMS)
def test_params_are_said_by_their_method(method: str, params: Any, words: str) -> None:
    message = {"jsonrpc": "2.0", "method": method, "params": params}
    assert [it.summary for _, it in meanings_of(ACP, spoken(("in", message)))] == [words]


@pytest.mark.parametrize(("update", "words"), UPDATES)
def test_an_update_is_said_by_its_kind(update: Any, words: str) -> None:
    params = {"sessionId": "s", "update": update}
    message = {"jsonrpc": "2.0", "method": "session/update", "params": params}
    assert [it.summary for _, it in meanings_of(ACP, spoken(("out", message)))] == [words]


@pytest.mark.parametrize(("method", "result", "words"), RESULTS)
def test_a_result_is_said_by_what_was_asked(method: str, result: Any, words: str) -> None:
    request = {"jsonrpc": "2.0", "id": 0, "method": method}
    response = {"jsonrpc": "2.0", "id": 0, "result": result}
    _, (_, meaning) = meanings_of(ACP, spoken(("in", request), ("out", response)))
    assert meaning.summary == words
