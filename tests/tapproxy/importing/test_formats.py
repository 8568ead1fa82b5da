"""A format is found by the first lines of a file, and what is none is told apart."""

import pytest

from tapproxy.importing.api import BadImport
from tapproxy.importing.formats import FORMATS, get_format, read, recognised
from tapproxy.importing.tape import TAPE
from tapproxy_store.errors import BadTape
from tests.tapproxy.importing.logs import encoded, error, source


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ('{"tape": 1}', "tape"),
        ('\ufeff {"name": "a", "tape": 1}', "tape"),
        ('{"tape": 1, "name": }', "tape"),
        ('[0, "in", "asked\\n"]', "tape"),
        ('[0, "event", "exit"]', "tape"),
        ('[{"id": 1}]', "json-lines"),
        ('[1, "two"]', "json-lines"),
        ('{"ts": 1, "dir": "client->server", "msg": {}}', "mcp-rec"),
        ('{"ts": 1, "dir": "in", "msg": {}}', "json-lines"),
        ('{"ts": 1, "dir": ["client->server"], "msg": {}}', "json-lines"),
        ('{"session_id": "a", "seq": 1, "ts": "", "direction": "c2s"}', "mcpsnoop"),
        ('{"id": 1', "json-lines"),
        ("[Trace - 10:12:45 AM] Sending notification 'exit'.", "vscode-lsp"),
        ("[Trace] Sending notification 'exit'.", "vscode-lsp"),
        ("2026-11-30 10:12:45.123 [trace] Sending notification 'exit'.", "vscode-lsp"),
        ("[LSP   - 10:12:45] {}", "vscode-lsp"),
    ],
)
def test_a_first_line_tells_the_format(line: str, name: str) -> None:
    assert recognised(encoded(["", line]), "a.log").name == name


def test_a_trace_may_follow_what_the_server_says_at_its_start() -> None:
    lines = encoded(["server 1.0", "[Info  - 10:12:44 AM] hello", "[LSP   - 10:12:45] {}"])
    assert recognised(lines, "a.log").name == "vscode-lsp"


@pytest.mark.parametrize("line", ["hello", "[Info  - 10:12:45] hello", "1", '"text"', "<xml/>"])
def test_what_begins_like_no_format_is_told(line: str) -> None:
    with pytest.raises(BadImport) as raised:
        recognised(encoded([line]), "a.log")
    assert str(raised.value) == (
        "a.log begins like none of the formats that tap reads "
        "(tape, mcp-rec, mcpsnoop, vscode-lsp, json-lines); "
        "if it is one of them, name it with --from"
    )


def test_an_empty_file_is_told() -> None:
    with pytest.raises(BadImport, match=r"^a\.log is empty: there is nothing to import$"):
        recognised(encoded(["", "  "]), "a.log")


@pytest.mark.parametrize("name", ["mcp-rec", "mcpsnoop", "vscode-lsp", "json-lines"])
def test_a_file_that_holds_nothing_is_told_where_the_format_was_named(name: str) -> None:
    assert error(get_format(name)) == "a.log is empty: there is nothing to import"


def test_a_tape_is_read_as_a_tape() -> None:
    with pytest.raises(BadTape, match=r"^a\.log:1:1: no session has begun"):
        list(read(TAPE, encoded(['[0, "in", "asked\\n"]']), source()))


def test_a_format_is_got_by_its_name() -> None:
    assert [get_format(it.name) for it in FORMATS] == list(FORMATS)
    with pytest.raises(KeyError):
        get_format("pcap")
