"""What is wrong or odd on a LingXi wire is said: shapes, layers, envelopes, versions, readers."""

from typing import Any

import pytest

from tapproxy.dialects.api import Heard, Meaning
from tests.tapproxy.dialects.lingxi_lines import (
    ABOUT,
    HANDSHAKE,
    MANIFEST,
    SHAKEN,
    Line,
    S,
    answered,
    asked,
    data,
    last,
    read,
    remarks,
    tool,
    traits,
)

DOC_SHAKEN = (
    asked("1", "plugin.initialize", params=HANDSHAKE),
    answered("1", result=ABOUT, error=None),
)

NO_JSON = "base64 of 76 89 DE, which is no JSON"


def without(value: dict[str, Any], *names: str) -> dict[str, Any]:
    return {key: it for key, it in value.items() if key not in names}


@pytest.mark.parametrize(
    ("lines", "note", "flags"),
    [
        (
            [SHAKEN[0], answered("1", result=ABOUT, error=None)],
            "result is inline JSON where this host decodes base64",
            ("doc-json", "shape-mismatch"),
        ),
        (
            [asked("1", "plugin.initialize"), answered("1", result=ABOUT)],
            "result is inline JSON where this host decodes base64",
            ("doc-json", "shape-mismatch"),
        ),
        (
            [SHAKEN[0], DOC_SHAKEN[1], tool("2"), answered("2", result="done", error=None)],
            "result is plain text where this host decodes base64",
            ("doc-json", "shape-mismatch"),
        ),
        (
            [DOC_SHAKEN[0], SHAKEN[1]],
            "result is base64 where this host wants inline JSON",
            ("swift-data", "shape-mismatch"),
        ),
        (
            [*SHAKEN, asked("2", "hook.emit", params={"event": "toolAfter"})],
            "params are inline JSON where this plugin decodes base64: it drops such a line",
            ("doc-json", "shape-mismatch"),
        ),
        (
            [SHAKEN[0], answered("1", result=None, error=None)],
            "an empty result, which this host cannot decode",
            ("doc-json", "empty-result"),
        ),
    ],
)
def test_a_shape_that_the_other_side_cannot_read_is_named(
    lines: list[Line], note: str, flags: tuple[str, ...]
) -> None:
    assert remarks(*lines) == (note, flags)


@pytest.mark.parametrize(
    ("result", "note", "flags"),
    [
        ("done", f"result is {NO_JSON}", ("bad-inner",)),
        ("clean", "result is not base64: its padding is missing or wrong", ("bad-base64",)),
        ("ImEi\n", "result is not base64: '\\n' at character 4", ("bad-base64",)),
        ("Ij8_Pz8_Ig==", "result is not base64: '_' at character 3", ("bad-base64",)),
        ("不", "result is not base64: '不' at character 0", ("bad-base64",)),
        (
            "AAECAwQFBgcICQ==",
            "result is base64 of 00 01 02 03 04 05 06 07 …, which is no JSON",
            ("bad-inner",),
        ),
        (data(12), "result is no string", ("swift-data", "bad-inner")),
    ],
)
def test_a_swift_result_that_cannot_be_opened_says_why(
    result: str, note: str, flags: tuple[str, ...]
) -> None:
    assert remarks(*SHAKEN, tool("2"), answered("2", result=result)) == (note, flags)


def test_a_text_that_happens_to_be_base64_of_json_stays_text_for_a_plugin_of_the_page() -> None:
    number = data(12)
    meaning = last(
        *DOC_SHAKEN,
        asked("2", "tool.execute", params={"toolName": "e", "arguments": "{}"}),
        answered("2", result=number, error=None),
    )
    assert (meaning.summary, meaning.note, meaning.flags) == (f'"{number}"', "", ("doc-json",))


def test_params_that_cannot_be_opened_say_why_and_stay_as_they_are() -> None:
    meaning = last(asked("1", "tool.execute", params="done"))
    assert meaning == Meaning(
        "request",
        "tool.execute",
        '"done"',
        '"1"',
        '"1"',
        within_ns=3 * S,
        flags=("bad-inner",),
        note=f"params are {NO_JSON}",
    )


@pytest.mark.parametrize(
    ("line", "note", "flags"),
    [
        (tool("2", "no"), "arguments: no JSON object in a string", ("swift-data", "bad-inner")),
        (tool("2", "{no"), "arguments: no JSON object in a string", ("swift-data", "bad-inner")),
        (
            asked("2", "tool.execute", params=data({"toolName": "e", "arguments": {}})),
            "arguments: no JSON object in a string",
            ("swift-data", "bad-inner"),
        ),
        (
            asked("2", "host.snapshot", params=data({"observedAt": "2025-10-01T08:26:40Z"})),
            "observedAt is no number, as Swift's Date is",
            ("swift-data", "date-shape"),
        ),
        (asked("2", "hook.emit"), "no params", ("no-params",)),
        (
            asked("2", "hook.emit", params=data([1])),
            "params are no object",
            ("swift-data", "bad-inner"),
        ),
        (asked("2", "plugin.stop", params=""), "unknown method", ("swift-data", "unknown-method")),
        (
            asked(2, "plugin.stop"),
            "id is a number; LingXi wants a string; unknown method",
            ("id-type", "unknown-method"),
        ),
        (
            asked(None, "plugin.stop"),
            "id is no string; LingXi wants a string; unknown method",
            ("id-type", "unknown-method"),
        ),
        (("in", {"method": "hook.emit", "params": data({})}), "no id", ("id-type", "swift-data")),
        (
            asked("2", "hook.emit", params=data({}), jsonrpc="2.0"),
            "a jsonrpc member, which LingXi does not have",
            ("jsonrpc", "swift-data"),
        ),
        (("in", [1]), "JSON, but a list and no object", ("not-object",)),
        (("in", {"event": 1}), "not lingxi: neither method, result nor error", ("not-dialect",)),
    ],
)
def test_an_odd_request_says_what_is_odd(line: Line, note: str, flags: tuple[str, ...]) -> None:
    assert remarks(line) == (note, flags)


@pytest.mark.parametrize(
    ("members", "note", "flags"),
    [
        (
            {},
            "neither result nor error; an empty result, which this host cannot decode",
            ("no-result", "empty-result"),
        ),
        (
            {"result": ""},
            "an empty result, which this host cannot decode",
            ("swift-data", "empty-result"),
        ),
        (
            {"result": data("ok"), "error": "no"},
            "both result and error: the error wins",
            ("swift-data", "error"),
        ),
        (
            {"error": {"code": 1, "message": "no"}},
            "the error is no string, as LingXi wants one",
            ("error", "error-shape"),
        ),
    ],
)
def test_an_odd_answer_says_what_is_odd(
    members: dict[str, Any], note: str, flags: tuple[str, ...]
) -> None:
    assert remarks(*SHAKEN, tool("2"), answered("2", **members)) == (note, flags)


def test_an_answer_with_neither_member_is_an_empty_one_where_that_will_do() -> None:
    lines = (*SHAKEN, asked("2", "hook.emit", params=data({})), answered("2"))
    assert remarks(*lines) == ("neither result nor error", ("no-result",))


@pytest.mark.parametrize(
    ("about", "note", "flag"),
    [
        (without(ABOUT, "ipcVersion"), "no ipcVersion: this host refuses the plugin", "version"),
        (ABOUT | {"ipcVersion": 2}, "IPC 2 where this host speaks 1: refused", "version"),
        (without(ABOUT, "tools", "commands"), "result lacks tools, commands", "lacks-member"),
        (
            ABOUT | {"manifest": without(MANIFEST, "name", "version")},
            "manifest lacks name, version",
            "lacks-member",
        ),
        (
            ABOUT | {"manifest": "demo", "tools": ["echo", {"name": "t", "description": "d"}]},
            "manifest lacks id, name, version, description, capabilities; tool t lacks inputSchema",
            "lacks-member",
        ),
        (
            ABOUT | {"commands": [{"name": "x", "description": "d"}]},
            "command x lacks aliases, category, argumentHint",
            "lacks-member",
        ),
        (
            ABOUT | {"tools": [{"name": "t", "description": "d", "inputSchema": "none"}]},
            "inputSchema of t: no JSON object in a string",
            "bad-inner",
        ),
    ],
)
def test_an_introduction_that_the_host_refuses_says_why(
    about: dict[str, Any], note: str, flag: str
) -> None:
    line = answered("1", result=data(about))
    shown, flags = remarks(SHAKEN[0], line)
    assert (shown, set(flags)) == (note, {"swift-data", flag})


def test_a_plugin_that_asks_is_out_of_place() -> None:
    line: Line = ("out", {"id": "9", "method": "hook.emit", "params": data({})})
    assert remarks(*SHAKEN, line) == (
        "a plugin asks nothing in LingXi",
        ("swift-data", "from-plugin"),
    )


@pytest.mark.parametrize(
    "body",
    [
        b'{"id":"2","result":"Im9rIg=="}dbg: done',
        b'\xef\xbb\xbf{"id":"2","result":"Im9rIg=="}',
        b'\r[1/2] {"id":"2","result":"Im9rIg=="}',
    ],
)
def test_an_answer_with_text_around_it_is_read_and_opened(body: bytes) -> None:
    meaning = last(*SHAKEN, tool("2"), ("out", body))
    assert "mistaken" not in meaning.flags
    assert (meaning.summary, meaning.decoded) == ('"ok"', b'{"id":"2","result":"ok"}')


def test_values_too_deep_to_be_written_again_are_left_as_they_are() -> None:
    deep = "[" * 300 + "]" * 300
    meaning = last(tool("1", deep))
    assert (meaning.note, meaning.decoded) == ("", None)


def test_a_manifest_that_lacks_almost_everything_still_names_the_plugin() -> None:
    lines = (SHAKEN[0], answered("1", result={"manifest": {"id": "x"}}, error=None))
    assert traits(*lines)[3:] == ["plugin x", "plugin speaks doc-json"]


def test_a_frame_of_any_bytes_means_something() -> None:
    assert len(read([Heard("out", bytes(range(256)), 1)])) == 1
