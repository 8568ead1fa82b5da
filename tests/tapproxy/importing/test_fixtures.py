"""Each sample log is recognised and becomes, record for record, the tape that lies beside it."""

from pathlib import Path

import pytest

from tapproxy.importing.api import HEAD
from tapproxy.importing.formats import FORMATS, read, recognised
from tapproxy_store.records import Chunk, Session
from tapproxy_store.tape import read_tape
from tests.tapproxy.importing.logs import source

FOLDER = Path(__file__).resolve().parents[3] / "fixtures/imports"

FORMAT_OF = {
    "both-directions.jsonl": "json-lines",
    "ruff-trace-json.log": "vscode-lsp",
    "ruff-trace-log-channel.log": "vscode-lsp",
    "ruff-trace.log": "vscode-lsp",
    "time-server.mcp-rec.jsonl": "mcp-rec",
    "time-server.mcpsnoop.jsonl": "mcpsnoop",
    "time-server.stdout.jsonl": "json-lines",
}


def lines_of(name: str) -> list[bytes]:
    return (FOLDER / name).read_bytes().splitlines(keepends=True)


def test_no_sample_is_left_out() -> None:
    assert sorted(it.name for it in FOLDER.iterdir() if it.suffix != ".tape") == sorted(FORMAT_OF)


@pytest.mark.parametrize("name", FORMAT_OF)
def test_a_log_becomes_the_tape_beside_it(name: str) -> None:
    lines = lines_of(name)
    form = recognised(lines[:HEAD], name)
    golden = (FOLDER / name).with_suffix(".tape").read_bytes().splitlines()
    assert list(read(form, lines, source(name))) == list(read_tape(golden, name))


@pytest.mark.parametrize(("name", "expected"), FORMAT_OF.items())
def test_a_log_is_recognised_by_its_own_format_and_by_no_other(name: str, expected: str) -> None:
    head = lines_of(name)[:HEAD]
    own = [it.name for it in FORMATS if it.recognise(head) and it.name != "json-lines"]
    assert (own or ["json-lines"]) == [expected]
    assert recognised(head, name).name == expected


def test_three_styles_of_one_trace_hold_the_same_messages() -> None:
    names = [name for name, form in FORMAT_OF.items() if form == "vscode-lsp"]
    told = [messages(name) for name in names]
    assert told[0] == told[1] == told[2]
    assert len(told[0]) == 13


def test_a_plain_log_keeps_every_byte() -> None:
    name = "time-server.stdout.jsonl"
    form = recognised(lines_of(name), name)
    chunks = [it for it in read(form, lines_of(name), source(name)) if isinstance(it, Chunk)]
    assert b"".join(it.data for it in chunks) == (FOLDER / name).read_bytes()


def messages(name: str) -> list[tuple[str, bytes]]:
    form = recognised(lines_of(name)[:HEAD], name)
    chunks = [it for it in read(form, lines_of(name), source(name)) if isinstance(it, Chunk)]
    return [(it.stream, it.data) for it in chunks if it.stream != "err"]


def test_a_log_of_two_runs_becomes_two_sessions() -> None:
    name = "time-server.mcp-rec.jsonl"
    form = recognised(lines_of(name), name)
    found = [it for it in read(form, lines_of(name), source(name)) if isinstance(it, Session)]
    assert [it.id for it in found] == [1, 2]
