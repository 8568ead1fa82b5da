"""The Language Server Protocol, both ways."""

from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapproxy.dialects.api import Heard, Meaning, Side
from tapproxy.dialects.lsp import LSP, MOST_TOKENS, LspReading
from tests.tapproxy.dialects.heard import FIXTURES, heard_of, meanings_of

INITIALIZE = {
    "id": 0,
    "method": "initialize",
    "params": {
        "processId": None,
        "clientInfo": {"name": "vim", "version": "9"},
        "rootUri": "file:///tmp/demo",
        "capabilities": {},
    },
}
INITIALIZED = {
    "id": 0,
    "result": {
        "capabilities": {"hoverProvider": True, "renameProvider": False, "textDocumentSync": 1},
        "serverInfo": {"name": "pyls", "version": "1.2"},
    },
}


def said(reading: LspReading, side: Side, message: dict[str, Any]) -> Meaning:
    """Return what one message of a session says."""
    (meaning,) = reading.read(Heard(side, orjson.dumps({"jsonrpc": "2.0", **message})))
    return meaning


def test_the_handshake_says_who_is_who_and_is_learnt() -> None:
    reading = LspReading()
    assert reading.traits() == []
    assert said(reading, "in", INITIALIZE) == Meaning(
        "request", "initialize", "vim 9, root demo", id="0", asks="0"
    )
    assert said(reading, "out", INITIALIZED) == Meaning(
        "response", None, "pyls 1.2: hover, textDocumentSync", id="0", replies="0"
    )
    assert reading.traits() == ["client vim 9", "server pyls 1.2", "root demo"]


def test_a_result_is_said_by_what_was_asked_on_the_other_side() -> None:
    reading = LspReading()
    items = {"items": [{"section": "python"}]}
    said(reading, "in", {"id": 1, "method": "textDocument/references", "params": {}})
    said(reading, "out", {"id": 1, "method": "workspace/configuration", "params": items})
    assert said(reading, "in", {"id": 1, "result": [{"a": 1}]}).summary == "[{a=1}]"
    assert said(reading, "out", {"id": 1, "result": []}).summary == "0 places"


@pytest.mark.parametrize(("id_", "key"), [(7, "7"), ("x", '"x"')])
def test_a_cancellation_withdraws_the_request_of_its_own_side(id_: object, key: str) -> None:
    message = {"method": "$/cancelRequest", "params": {"id": id_}}
    assert said(LspReading(), "out", message) == Meaning(
        "notification", "$/cancelRequest", key, about=("out", key), cancels=True
    )


@pytest.mark.parametrize("name", ["workDoneToken", "partialResultToken"])
def test_progress_is_about_the_request_that_gave_its_token(name: str) -> None:
    reading = LspReading()
    said(reading, "in", {"id": 3, "method": "workspace/symbol", "params": {name: "t"}})
    value = {"kind": "report", "message": "2/4", "percentage": 50}
    progress = {"method": "$/progress", "params": {"token": "t", "value": value}}
    assert said(reading, "out", progress) == Meaning(
        "notification",
        "$/progress",
        "report 2/4 50 %",
        about=("in", "3"),
        run='progress "t"',
    )
    cancel = {"method": "window/workDoneProgress/cancel", "params": {"token": "t"}}
    assert said(reading, "in", cancel) == Meaning(
        "notification",
        "window/workDoneProgress/cancel",
        'token="t"',
        about=("in", "3"),
        cancels=True,
    )


def test_progress_of_a_token_that_no_request_gave_only_folds() -> None:
    progress = {"method": "$/progress", "params": {"token": 5, "value": [1, 2]}}
    assert said(LspReading(), "out", progress) == Meaning(
        "notification", "$/progress", "2 items", run="progress 5"
    )


def test_the_oldest_tokens_are_forgotten() -> None:
    reading = LspReading()
    for number in range(MOST_TOKENS + 1):
        params = {"workDoneToken": number}
        said(reading, "in", {"id": number, "method": "m", "params": params})
    about = [
        said(reading, "out", {"method": "$/progress", "params": {"token": token}}).about
        for token in (0, 1)
    ]
    assert about == [None, ("in", "1")]


def test_an_exit_without_a_shutdown_is_told() -> None:
    reading = LspReading()
    assert said(reading, "in", {"method": "exit"}) == Meaning(
        "notification", "exit", flags=("no-shutdown",), note="exit without shutdown"
    )
    said(reading, "in", {"id": 1, "method": "shutdown"})
    assert said(reading, "in", {"method": "exit"}) == Meaning("notification", "exit")


def test_a_length_that_differs_when_counted_in_characters_is_flagged() -> None:
    message = {"method": "window/logMessage", "params": {"type": 3, "message": "测试"}}
    assert said(LspReading(), "out", message) == Meaning(
        "notification", "window/logMessage", "info: 测试", flags=("not-ascii",)
    )


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        (INITIALIZE, "initialize with capabilities and a process or a root"),
        ({"method": "textDocument/didOpen"}, "textDocument/didOpen is a method of LSP"),
        ({"method": "$/setTrace"}, "$/setTrace is a method of LSP"),
        ({"method": "initialize", "params": {"capabilities": {}, "protocolVersion": "1"}}, None),
        ({"method": "initialize", "params": ["rootUri"]}, None),
        ({"method": "$/other"}, None),
        ({"method": 1}, None),
        ([], None),
    ],
)
def test_a_session_is_recognised_by_its_handshake_or_a_method(
    message: object, reason: str | None
) -> None:
    frames = [Heard("out", b"log"), Heard("in", orjson.dumps(message))]
    assert LSP.recognise(["ruff", "server"], frames) == reason


def test_a_session_is_recognised_by_a_message_that_its_header_cuts_in_two() -> None:
    whole = b'{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{}}'
    frames = [Heard("in", whole[:-2], 1), Heard("in", whole[-2:], 2)]
    assert LSP.recognise([], frames[:1]) is None
    assert LSP.recognise([], frames) == "textDocument/didOpen is a method of LSP"


def test_a_real_session_is_understood_from_its_first_to_its_last_frame() -> None:
    heard = heard_of(FIXTURES / "dialects" / "lsp" / "ruff.tape")
    actions = (
        "4 actions: Ruff (F401): Remove unused import: `os`, Ruff (F401): Disable for this line, "
        "Ruff: Fix all auto-fixable problems, …"
    )
    command = 'ruff.applyAutofix {uri="file:///tmp/demo/gr%C3%BC%C3%9Fe.py" version=1}'
    offered = (
        "codeAction, diagnostic, documentFormatting, documentRangeFormatting, executeCommand, "
        "hover, notebookDocumentSync, positionEncoding, …"
    )
    fault = "F401 `os` imported but unused help: Remove unused import: `os`"
    hover = "# unused-import (F401) Derived from the **Pyflakes** linter. Fix is sometimes a…"
    meanings = meanings_of(LSP, heard)
    assert [(side, it.kind, it.method, it.summary) for side, it in meanings] == [
        ("in", "request", "initialize", "demo-editor 1.0, root demo"),
        ("out", "response", None, f"ruff 0.17.6: {offered}"),
        ("in", "notification", "initialized", ""),
        ("in", "notification", "textDocument/didOpen", "grüße.py, python, 4 lines"),
        ("out", "request", "client/registerCapability", "workspace/didChangeWatchedFiles"),
        (
            "out",
            "notification",
            "textDocument/publishDiagnostics",
            f"grüße.py: 1 diagnostic: {fault}",
        ),
        ("in", "response", None, ""),
        ("in", "request", "textDocument/hover", "grüße.py:2:21"),
        ("out", "response", None, hover),
        ("in", "request", "textDocument/hover", "grüße.py:4:1"),
        ("out", "response", None, "nothing"),
        ("in", "request", "textDocument/codeAction", "grüße.py:1:8, 1 diagnostic"),
        ("out", "response", None, actions),
        ("in", "request", "no/such/method", ""),
        ("out", "error", None, "-32601 Unknown request: no/such/method"),
        ("in", "request", "workspace/executeCommand", command),
        (
            "out",
            "request",
            "workspace/applyEdit",
            "Ruff: Fix all auto-fixable problems: 1 edit in 1 file",
        ),
        ("out", "response", None, ""),
        ("in", "response", None, "applied=true"),
        ("in", "request", "textDocument/formatting", "grüße.py"),
        ("out", "response", None, "1 edit"),
        ("in", "request", "textDocument/formatting", "grüße.py"),
        ("in", "notification", "$/cancelRequest", '"gone"'),
        ("out", "error", None, "-32800 request was cancelled by client"),
        ("in", "request", "shutdown", ""),
        ("out", "response", None, ""),
        ("in", "notification", "exit", ""),
    ]
    assert [it.note for _, it in meanings if it.note] == []


METHODS = st.sampled_from(
    [
        *("initialize", "textDocument/hover", "textDocument/publishDiagnostics", "$/progress"),
        *("textDocument/rename", "$/cancelRequest", "workspace/applyEdit", "window/logMessage"),
        *("textDocument/completion", "textDocument/definition", "textDocument/signatureHelp"),
        *("workspace/didChangeWatchedFiles", "textDocument/semanticTokens/full"),
    ]
)
MEMBERS = st.sampled_from(
    [
        *("textDocument", "uri", "position", "range", "start", "line", "diagnostics", "value"),
        *("items", "contents", "changes", "type", "workspaceFolders", "capabilities", "data"),
    ]
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=3),
    lambda it: st.lists(it, max_size=3) | st.dictionaries(MEMBERS, it),
    max_leaves=8,
)


@given(method=METHODS, params=JSON, result=JSON)
def test_no_message_is_too_odd_to_be_read(method: str, params: object, result: object) -> None:
    reading = LspReading()
    question = said(reading, "in", {"id": 1, "method": method, "params": params})
    answer = said(reading, "out", {"id": 1, "result": result})
    assert (question.method, answer.replies) == (method, "1")
