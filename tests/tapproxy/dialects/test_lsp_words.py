"""LSP's requests, notifications and results in a few words."""

from typing import Any

import pytest

from tapproxy.dialects.lsp_words import request_words, result_words

URI = "file:///demo/gr%C3%BC%C3%9Fe.py"
DOCUMENT = {"textDocument": {"uri": URI}}
START = {"start": {"line": 2, "character": 4}, "end": {"line": 2, "character": 9}}
PLACE = {"uri": URI, "range": START}
FAULT = {"range": START, "code": "E501", "message": "line\ntoo long"}


@pytest.mark.parametrize(
    ("method", "params", "words"),
    [
        ("initialize", {"rootPath": "/demo/"}, "root demo"),
        ("initialize", {"workspaceFolders": [{"uri": "file:///a/b"}], "rootUri": "x"}, "root b"),
        ("initialize", {}, ""),
        (
            "textDocument/didOpen",
            {"textDocument": {"uri": URI, "languageId": "python", "version": 1, "text": "a\n"}},
            "grüße.py, python, 1 line",
        ),
        (
            "textDocument/didChange",
            {"textDocument": {"uri": URI, "version": 2}, "contentChanges": [{}, {}]},
            "grüße.py, version 2, 2 changes",
        ),
        ("textDocument/didSave", DOCUMENT, "grüße.py"),
        ("textDocument/hover", {**DOCUMENT, "position": START["start"]}, "grüße.py:3:5"),
        (
            "textDocument/completion",
            {**DOCUMENT, "position": START["start"], "context": {"triggerCharacter": "."}},
            "grüße.py:3:5 after .",
        ),
        (
            "textDocument/rename",
            {**DOCUMENT, "position": START["start"], "newName": "z"},
            "grüße.py:3:5 to z",
        ),
        (
            "textDocument/codeAction",
            {**DOCUMENT, "range": START, "context": {"diagnostics": []}},
            "grüße.py:3:5, 0 diagnostics",
        ),
        (
            "textDocument/publishDiagnostics",
            {"uri": URI, "diagnostics": [FAULT, FAULT]},
            "grüße.py: 2 diagnostics: E501 line too long",
        ),
        (
            "textDocument/publishDiagnostics",
            {"uri": URI, "diagnostics": []},
            "grüße.py: 0 diagnostics",
        ),
        ("completionItem/resolve", {"label": "print"}, "print"),
        ("codeAction/resolve", {"title": "Fix"}, "Fix"),
        ("window/logMessage", {"type": 2, "message": "slow\n"}, "warning: slow"),
        ("window/showMessage", {"type": 9, "message": "odd"}, "9: odd"),
        (
            "window/showMessageRequest",
            {"type": 1, "message": "Restart?", "actions": [{"title": "Yes"}, {"title": "No"}]},
            "error: Restart? [Yes, No]",
        ),
        ("window/showDocument", {"uri": URI}, "grüße.py"),
        (
            "workspace/didChangeWatchedFiles",
            {"changes": [{"uri": URI, "type": 3}, {"uri": "file:///b", "type": "?"}]},
            "grüße.py deleted, b",
        ),
        ("workspace/executeCommand", {"command": "fix", "arguments": ["a", 1]}, "fix a, 1"),
        (
            "workspace/applyEdit",
            {"label": "Fix", "edit": {"documentChanges": [{"edits": [1, 2]}]}},
            "Fix: 2 edits in 1 file",
        ),
        ("workspace/configuration", {"items": [{"section": "python"}]}, "python"),
        ("client/registerCapability", {"registrations": [{"method": "a/b"}]}, "a/b"),
        ("client/unregisterCapability", {"unregisterations": [{"method": "a/b"}]}, "a/b"),
        ("$/progress", {"token": 1, "value": {"kind": "begin", "title": "Index"}}, "begin Index"),
        ("$/progress", {"token": 1, "value": [1]}, "1 item"),
        ("$/logTrace", {"message": "sent"}, "sent"),
        ("$/setTrace", {"value": "verbose"}, "verbose"),
        ("workspace/symbol", {"query": "main"}, 'query="main"'),
        ("exit", None, ""),
    ],
)
def test_a_request_says_what_it_is_about(method: str, params: Any, words: str) -> None:
    assert request_words(method, params) == words


@pytest.mark.parametrize(
    ("method", "result", "words"),
    [
        ("initialize", {"capabilities": {}}, ""),
        (
            "textDocument/completion",
            {"isIncomplete": True, "items": [{"label": "a"}, {"label": "b"}]},
            "2 items of more: a, b",
        ),
        ("textDocument/completion", [{"label": "a"}], "1 item: a"),
        (
            "textDocument/hover",
            {"contents": {"kind": "markdown", "value": "```py\ndef f()\n```\n\nDoes it."}},
            "def f() Does it.",
        ),
        ("textDocument/hover", {"contents": [{"language": "py", "value": "x: int"}]}, "x: int"),
        ("textDocument/hover", {"contents": "text"}, "text"),
        ("textDocument/hover", None, "nothing"),
        ("textDocument/definition", PLACE, "grüße.py:3:5"),
        ("textDocument/definition", [PLACE], "grüße.py:3:5"),
        (
            "textDocument/references",
            [PLACE, {"targetUri": "file:///b.py", "targetSelectionRange": START}],
            "2 places: grüße.py:3:5, b.py:3:5",
        ),
        ("textDocument/documentSymbol", [{"name": "main"}], "1 symbol: main"),
        ("textDocument/codeAction", [{"title": "Fix"}], "1 action: Fix"),
        (
            "textDocument/diagnostic",
            {"kind": "full", "items": [FAULT]},
            "1 diagnostic: E501 line too long",
        ),
        ("textDocument/diagnostic", {"kind": "unchanged", "resultId": "1"}, "unchanged"),
        ("textDocument/formatting", [{}, {}], "2 edits"),
        ("textDocument/rename", {"changes": {URI: [{}], "b": [{}]}}, "2 edits in 2 files"),
        ("textDocument/semanticTokens/full", {"data": [0] * 10}, "2 tokens"),
        (
            "textDocument/signatureHelp",
            {"signatures": [{"label": "f(a)"}, {"label": "f(b)"}], "activeSignature": 1},
            "f(b)",
        ),
        ("textDocument/signatureHelp", {"signatures": [{"label": "f(a)"}]}, "f(a)"),
        ("workspace/executeCommand", None, ""),
        ("shutdown", None, ""),
        (None, {"a": 1}, "a=1"),
    ],
)
def test_a_result_says_what_has_come_of_it(method: str | None, result: Any, words: str) -> None:
    assert result_words(method, result) == words
