"""What people met with LingXi plugins, read as it was on the wire."""

from base64 import b64decode
from typing import Any

import orjson
import pytest

from tapproxy.dialects.api import Heard, Meaning
from tests.tapproxy.dialects.lingxi_lines import read

ID = b"0A000000-0000-4000-8000-00000000000"

INITIALIZE = (
    b'{"id":"' + ID + b'1","method":"plugin.initialize",'
    b'"params":"eyJob3N0SVBDVmVyc2lvbiI6MSwiY29yZVZlcnNpb24iOiIxLjIuMCJ9"}'
)
INITIALIZED = (
    b'{"id":"'
    + ID
    + b'1","result":"eyJtYW5pZmVzdCI6eyJpZCI6ImRlbW8iLCJuYW1lIjoiRGVtbyIsInZlcnNpb24'
    b"iOiIwLjEuMCIsImRlc2NyaXB0aW9uIjoiZCIsImNhcGFiaWxpdGllcyI6W119LCJpcGNWZXJzaW9uIjoxLCJzZGtWZXJz"
    b"aW9uIjoiMC4xLjAiLCJ0b29scyI6W3sibmFtZSI6ImVjaG8iLCJkZXNjcmlwdGlvbiI6ImUiLCJpbnB1dFNjaGVtYSI6I"
    b'nt9In1dLCJjb21tYW5kcyI6W119"}'
)
OF_THE_FIRST_SDK = (
    b'{"id":"'
    + ID
    + b'1","result":"eyJtYW5pZmVzdCI6eyJpZCI6ImRlbW8iLCJuYW1lIjoiRGVtbyIsInZlcnNpb24'
    b"iOiIwLjEuMCIsImRlc2NyaXB0aW9uIjoiZCIsImNhcGFiaWxpdGllcyI6W119LCJ0b29scyI6W3sibmFtZSI6ImVjaG8iL"
    b'CJkZXNjcmlwdGlvbiI6ImUiLCJpbnB1dFNjaGVtYSI6Int9In1dLCJjb21tYW5kcyI6W119"}'
)
OF_THE_PAGE = (
    b'{"id":"'
    + ID
    + b'1","result":{"ipcVersion":1,"manifest":{"id":"x"},"tools":[],"commands":[]},'
    b'"error":null}'
)
ECHO = (
    b'{"id":"'
    + ID
    + b'2","method":"tool.execute","params":"eyJ0b29sTmFtZSI6ImVjaG8iLCJhcmd1bWVudHM'
    b'iOiJ7fSIsInNlc3Npb25JRCI6InMiLCJ0b29sQ2FsbElEIjoidDIifQ=="}'
)
ECHO_1 = (
    b'{"id":"'
    + ID
    + b'2","method":"tool.execute","params":"eyJ0b29sTmFtZSI6ImVjaG8iLCJhcmd1bWVudHM'
    b'iOiJ7XCJhXCI6MX0iLCJzZXNzaW9uSUQiOiJzIiwidG9vbENhbGxJRCI6InQyIn0="}'
)
ECHO_2 = (
    b'{"id":"'
    + ID
    + b'3","method":"tool.execute","params":"eyJ0b29sTmFtZSI6ImVjaG8iLCJhcmd1bWVudHM'
    b'iOiJ7XCJhXCI6Mn0iLCJzZXNzaW9uSUQiOiJzIiwidG9vbENhbGxJRCI6InQzIn0="}'
)
LARGE = b'{"id":"' + ID + b'2","method":"tool.execute","params":"' + b"QUFB" * 40000 + b'"}'
OK = b'{"id":"' + ID + b'2","result":"Im9rIg=="}'


def session(introduction: bytes, *lines: bytes) -> list[Meaning]:
    """Return what the lines mean that follow the plugin's introduction, and what that one does."""
    heard = [Heard("in", INITIALIZE, 1), Heard("out", introduction, 2)]
    for number, line in enumerate(lines, 3):
        heard.append(Heard("in" if b'"method"' in line else "out", line, number))
    return read(heard)[1:]


def test_an_introduction_as_the_page_has_it_is_no_base64_to_a_swift_host() -> None:
    assert session(OF_THE_PAGE)[0].note == (
        "result is inline JSON where this host decodes base64; "
        "manifest lacks name, version, description, capabilities"
    )


def test_an_introduction_of_the_first_sdk_is_refused_for_want_of_a_version() -> None:
    meaning = session(OF_THE_FIRST_SDK)[0]
    assert (meaning.note, meaning.flags) == (
        "no ipcVersion: this host refuses the plugin",
        ("swift-data", "version"),
    )


def test_crossed_answers_are_named_with_what_the_host_believed() -> None:
    second = b'{"id":"' + ID + b'3","result":"InNlY29uZCI="}'
    first = b'{"id":"' + ID + b'2","result":"ImZpcnN0Ig=="}'
    crossed = session(INITIALIZED, ECHO_1, ECHO_2, second, first)[1:]
    assert [(it.summary, it.note) for it in crossed] == [
        ("echo(a=1)", ""),
        ("echo(a=2)", ""),
        ('"second"', "host takes it for #3's answer"),
        ('"first"', "host takes it for #4's answer"),
    ]


def test_a_request_larger_than_a_pipe_is_read_though_it_holds_no_json() -> None:
    meaning = session(INITIALIZED, LARGE)[1]
    assert (meaning.kind, meaning.note, len(meaning.summary)) == (
        "request",
        "params are base64 of 41 41 41 41 41 41 41 41 …, which is no JSON",
        62,
    )


def test_an_error_that_costs_the_plugin_its_life_is_an_ordinary_answer() -> None:
    failed = b'{"id":"' + ID + b'2","error":"no such file"}'
    meaning = session(INITIALIZED, ECHO, failed)[2]
    assert (meaning.kind, meaning.summary, meaning.flags) == ("error", "no such file", ("error",))


def test_a_log_line_before_the_answer_is_taken_for_it() -> None:
    stray, answer = session(INITIALIZED, ECHO, b"loading model...", OK)[2:]
    assert stray.note.endswith("host takes it for #3's answer")
    assert (answer.summary, answer.note) == ('"ok"', "")


def test_text_between_the_two_writes_of_an_answer_does_not_hide_it() -> None:
    meaning = session(INITIALIZED, ECHO, OK + b"dbg: done")[2]
    assert (meaning.summary, "dbg: done" in meaning.note) == ('"ok"', True)


def test_an_answer_without_its_newline_means_the_same() -> None:
    assert session(INITIALIZED, ECHO, OK)[2] == Meaning(
        "response",
        summary='"ok"',
        id='"' + ID.decode() + '2"',
        replies='"' + ID.decode() + '2"',
        flags=("swift-data",),
        decoded=b'{"id":"' + ID + b'2","result":"ok"}',
    )


@pytest.mark.parametrize("body", [INITIALIZE, INITIALIZED, ECHO, ECHO_1, OK])
def test_only_the_layers_are_opened_nothing_else_is_changed(body: bytes) -> None:
    side: Any = "in" if b'"method"' in body else "out"
    meaning = read([Heard(side, body, 1)])[0]
    plain, decoded = orjson.loads(body), orjson.loads(meaning.decoded or b"")
    member = "params" if side == "in" else "result"
    inner = orjson.loads(b64decode(plain.pop(member)))
    held = decoded.pop(member)
    assert decoded == plain
    assert (held.keys() == inner.keys()) if isinstance(inner, dict) else (held == inner)
