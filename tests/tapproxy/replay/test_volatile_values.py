"""A host that differs in what differs in every run is answered from the recording."""

import json
from base64 import b64encode
from typing import Any

import pytest

from tests.tapproxy.replay.rig import MakeRig, answer, ask


def packed(value: Any) -> str:
    """Return JSON as LingXi sends it."""
    return b64encode(json.dumps(value).encode()).decode()


def lingxi(key: str, method: str, **params: Any) -> bytes:
    """Return the line of a request."""
    request = {"id": key, "method": method, "params": packed(params)}
    return json.dumps(request).encode() + b"\n"


def said(key: str, result: Any) -> bytes:
    """Return the line of a plugin's answer."""
    return json.dumps({"id": key, "result": packed(result)}).encode() + b"\n"


CALL = {"name": "add", "arguments": {"a": 1}}
CLIENT = {"protocolVersion": "2025-06-18", "capabilities": {}}


@pytest.mark.parametrize(
    ("dialect", "method", "recorded", "live"),
    [
        ("mcp", "tools/call", CALL, CALL | {"_meta": {"progressToken": 7, "com.example/run": "x"}}),
        (
            "mcp",
            "initialize",
            CLIENT | {"clientInfo": {"name": "ide", "version": "1.0"}},
            CLIENT | {"clientInfo": {"name": "ide", "version": "1.1"}},
        ),
        (
            "lsp",
            "initialize",
            {"processId": 1, "rootUri": "file:///a", "capabilities": {}},
            {"processId": 2, "rootUri": "file:///b", "capabilities": {}},
        ),
    ],
)
def test_its_question_is_known(
    rig: MakeRig, dialect: str, method: str, recorded: Any, live: Any
) -> None:
    played = rig(
        "plugin",
        (0, "in", ask(1, method, **recorded)),
        (5, "out", answer(1, "A")),
        dialect=dialect,
    )
    played.hear("in", ask(2, method, **live))
    assert played.until(10) == [(5, "out", answer(2, "A"))]
    assert played.found() == []


@pytest.mark.parametrize("is_text", [False, True], ids=["an object", "a tool's text"])
def test_a_lingxi_session_and_call_are_told_as_the_live_ones(
    rig: MakeRig, *, is_text: bool
) -> None:
    def result(session: str, call: str) -> Any:
        value = {"sessionID": session, "toolCallID": call, "sum": 3}
        return json.dumps(value) if is_text else value

    tool = {"toolName": "add", "arguments": "{}"}
    question = lingxi("A", "tool.execute", **tool, sessionID="S-1", toolCallID="C-1")
    recorded = said("A", result("S-1", "C-1"))
    played = rig("plugin", (0, "in", question), (5, "out", recorded), dialect="lingxi")
    live = lingxi("B", "tool.execute", **tool, sessionID="S-long-22", toolCallID="C-22")
    played.hear("in", live)
    assert played.until(10) == [(5, "out", said("B", result("S-long-22", "C-22")))]
    assert played.found() == []


def test_a_set_of_lingxi_comes_in_any_order(rig: MakeRig) -> None:
    def manifest(*capabilities: str) -> bytes:
        return said("A", {"manifest": {"id": "p", "capabilities": capabilities}, "ipcVersion": 1})

    question = lingxi("A", "plugin.initialize", hostIPCVersion=1, coreVersion="1.2.0")
    recorded = manifest("projectRead", "projectWrite")
    played = rig("host", (0, "in", question), (5, "out", recorded), dialect="lingxi")
    played.until(0)
    played.hear("out", manifest("projectWrite", "projectRead"))
    assert played.found() == []
