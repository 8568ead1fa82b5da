"""LingXi's five methods in both shapes, the host's generations, and who is recognised."""

from typing import Any

import pytest

from tapproxy.dialects.api import Meaning
from tapproxy.dialects.lingxi import LINGXI
from tests.tapproxy.dialects.lingxi_lines import (
    ABOUT,
    HANDSHAKE,
    SHAKEN,
    Line,
    S,
    answered,
    asked,
    data,
    frames,
    last,
    opened,
    read,
    tool,
    traits,
)

SNAPSHOT = {
    "observedAt": 781000000.25,
    "ipcVersion": 1,
    "workspace": {"rootPath": "/p", "isGitRepository": True, "currentGitBranch": "main"},
    "contextState": {"activeModelID": "qwen-max", "totalTokenUsage": 1200},
}
TOOL = {"toolName": "echo", "arguments": '{"text":"hi","n":2}', "sessionID": "s", "toolCallID": "t"}
COMMAND = {"commandName": "x", "arguments": ["a", "b c"]}
HOOK = {"event": "toolBefore", "subjectID": "echo", "metadata": {"tool": "echo"}}

ASKED: list[tuple[str, dict[str, Any], str]] = [
    (
        "host.snapshot",
        SNAPSHOT,
        "2025-10-01T08:26:40.250Z, model qwen-max, 1200 tokens, /p on main",
    ),
    ("plugin.initialize", HANDSHAKE, "host IPC 1, core 1.2.0"),
    ("tool.execute", TOOL, 'echo(text="hi", n=2)'),
    ("command.execute", COMMAND, '/x "a" "b c"'),
    ("hook.emit", HOOK, 'toolBefore echo tool="echo"'),
]

SHOWN = {"isPrompt": False, "text": "none", "presentation": "inline", "title": "Notes"}

ANSWERED: list[tuple[str, Any, str]] = [
    ("plugin.initialize", ABOUT, "demo 0.1.0 (Demo), IPC 1, 1 tool: echo"),
    ("tool.execute", "done", '"done"'),
    ("command.execute", SHOWN, 'inline "Notes": "none"'),
    ("command.execute", {"isPrompt": True, "text": "do it"}, 'prompt "do it"'),
]


def deepest(method: str, params: dict[str, Any]) -> dict[str, Any]:
    """Return params as they are once also a tool's arguments are opened."""
    if method != "tool.execute":
        return params
    return params | {"arguments": {"text": "hi", "n": 2}}


@pytest.mark.parametrize(("method", "params", "words"), ASKED)
def test_a_swift_request_is_opened_to_its_last_layer(
    method: str, params: dict[str, Any], words: str
) -> None:
    meaning = last(asked("A", method, params=data(params)))
    assert meaning._replace(decoded=None) == Meaning(
        "request", method, words, '"A"', '"A"', within_ns=3 * S, flags=("swift-data",)
    )
    assert opened(meaning) == {"id": "A", "method": method, "params": deepest(method, params)}


@pytest.mark.parametrize(("method", "params", "words"), ASKED)
def test_a_documented_request_says_the_same(
    method: str, params: dict[str, Any], words: str
) -> None:
    meaning = last(asked("A", method, params=params))
    assert meaning._replace(decoded=None) == Meaning(
        "request", method, words, '"A"', '"A"', within_ns=3 * S, flags=("doc-json",)
    )
    if method == "tool.execute":
        assert opened(meaning) == {"id": "A", "method": method, "params": deepest(method, params)}
    else:
        assert meaning.decoded is None


@pytest.mark.parametrize(("method", "result", "words"), ANSWERED)
def test_a_swift_answer_is_opened_to_its_last_layer(method: str, result: Any, words: str) -> None:
    meaning = last(asked("A", method, params=data({})), answered("A", result=data(result)))
    assert meaning._replace(decoded=None) == Meaning(
        "response", None, words, '"A"', replies='"A"', flags=("swift-data",)
    )


@pytest.mark.parametrize(("method", "result", "words"), ANSWERED)
def test_a_documented_answer_says_the_same(method: str, result: Any, words: str) -> None:
    meaning = last(
        asked("0", "host.snapshot", params={}),
        answered("0", result=None, error=None),
        asked("A", method, params={}),
        answered("A", result=result, error=None),
    )
    assert meaning._replace(decoded=None) == Meaning(
        "response", None, words, '"A"', replies='"A"', flags=("doc-json",)
    )


def test_input_schemas_are_opened_too() -> None:
    tools = [ABOUT["tools"][0] | {"inputSchema": {"type": "object"}}]
    assert opened(last(*SHAKEN)) == {"id": "1", "result": ABOUT | {"tools": tools}}


def test_a_tools_text_that_is_json_is_opened() -> None:
    meaning = last(tool("A"), answered("A", result=data('{"files":["a/b"]}')))
    assert (meaning.summary, opened(meaning)) == (
        'files=["a/b"]',
        {"id": "A", "result": {"files": ["a/b"]}},
    )


@pytest.mark.parametrize("text", ["[1", "{x}", "12", '"quoted"', "plain", ""])
def test_a_tools_text_that_is_no_object_or_list_stays_text(text: str) -> None:
    meaning = last(tool("A"), answered("A", result=data(text)))
    assert (meaning.summary, opened(meaning)) == (f'"{text}"', {"id": "A", "result": text})


@pytest.mark.parametrize(
    ("members", "flag"), [({"result": ""}, "swift-data"), ({"result": None}, "doc-json")]
)
def test_a_snapshot_is_answered_by_an_empty_result_in_either_shape(
    members: dict[str, Any], flag: str
) -> None:
    meaning = last(asked("A", "host.snapshot", params=data({})), answered("A", **members))
    assert meaning == Meaning("response", None, "", '"A"', replies='"A"', flags=(flag,))


@pytest.mark.parametrize(
    ("members", "flags"),
    [({}, ("error",)), ({"result": None}, ("doc-json", "error"))],
    ids=["swift", "page"],
)
def test_an_error_is_a_text(members: dict[str, Any], flags: tuple[str, ...]) -> None:
    meaning = last(tool("A"), answered("A", error="no such file", **members))
    assert meaning == Meaning("error", None, "no such file", '"A"', replies='"A"', flags=flags)


def test_escaped_slashes_in_base64_are_read_as_slashes() -> None:
    body = b'{"id":"A","result":"Ij8\\/Pz8\\/Ig=="}'
    assert last(tool("A"), ("out", body)).summary == '"?????"'


def test_non_ascii_text_survives_all_layers() -> None:
    assert last(tool("A", '{"text":"你好 🦊"}')).summary == 'echo(text="你好 🦊")'


@pytest.mark.parametrize(
    ("first", "watchdog_ns"),
    [
        (asked("A", "plugin.initialize"), 10 * S),
        (asked("A", "plugin.initialize", params=None), 10 * S),
        (asked("A", "plugin.initialize", params=data(HANDSHAKE)), 3 * S),
        (asked("A", "host.snapshot", params=data(SNAPSHOT)), 3 * S),
    ],
    ids=["no-params", "null-params", "params", "snapshot"],
)
def test_the_hosts_generation_tells_its_watchdog(first: Line, watchdog_ns: int) -> None:
    meanings = read(frames(first, answered("A", result=data(ABOUT)), tool("B")))
    assert [it.within_ns for it in meanings] == [watchdog_ns, None, watchdog_ns]


def test_a_host_of_the_first_generations_takes_a_plugin_without_version() -> None:
    first_sdk = {key: it for key, it in ABOUT.items() if key not in ("ipcVersion", "sdkVersion")}
    lines = (asked("A", "plugin.initialize"), answered("A", result=data(first_sdk)))
    assert [(it.summary, it.note) for it in read(frames(*lines))] == [
        ("without params", ""),
        ("demo 0.1.0 (Demo), 1 tool: echo", ""),
    ]
    assert traits(*lines) == [
        "host of the first generations (10 s watchdog)",
        "plugin demo 0.1.0",
        "plugin speaks swift-data",
    ]


def test_traits_tell_generation_core_plugin_and_shapes() -> None:
    assert traits(*SHAKEN) == [
        "host v4 (3.0 s watchdog)",
        "core 1.2.0",
        "host speaks swift-data",
        "plugin demo 0.1.0",
        "plugin speaks swift-data",
    ]


def test_a_side_that_mixes_the_shapes_is_said_to_speak_both() -> None:
    answer = answered("2", result=None, error=None)
    both = traits(*SHAKEN, asked("2", "hook.emit", params=data(HOOK)), answer)
    assert both[-1] == "plugin speaks swift-data and doc-json"


def test_nothing_is_known_of_a_session_without_frames() -> None:
    assert traits() == []


def test_long_names_do_not_make_long_summaries() -> None:
    assert len(last(tool("A", name="x" * 1000)).summary) == 160


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (asked("A", "plugin.initialize"), 'the host asks plugin.initialize, without "jsonrpc"'),
        (tool("A"), 'the host asks tool.execute, without "jsonrpc"'),
        (asked(1, "tool.execute"), None),
        (asked("A", "tools/call"), None),
        (asked("A", "plugin.initialize", jsonrpc="2.0"), None),
        (("in", {"id": "A", "method": ["tool.execute"]}), None),
        (("in", [1]), None),
        (("in", b"plugin.initialize"), None),
        (("out", asked("A", "plugin.initialize")[1]), None),
        (answered("A", result=""), None),
    ],
)
def test_a_session_is_lingxis_by_a_request_alone(line: Line, reason: str | None) -> None:
    assert LINGXI.recognise([], frames(line)) == reason
    assert LINGXI.recognise([], []) is None
