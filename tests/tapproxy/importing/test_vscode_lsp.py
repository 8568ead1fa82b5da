"""Traces of VS Code's language clients: messages put together anew, all else as stderr."""

import pytest

from tapproxy.importing.vscode_lsp import VSCODE_LSP
from tests.tapproxy.importing.logs import error, records, told

AM = "[Trace - 1:40:00 AM] "
"""200 seconds before the file was changed."""


def read(*lines: str) -> list[tuple[object, ...]]:
    return told(records(VSCODE_LSP, *lines))


ENTRIES = [
    ("Sending request 'shutdown - (3)'.", "in", '"id":3,"method":"shutdown"'),
    (
        "Received request 'workspace/configuration - (r-1)'.\nParams: [\n    1.50,\n    null\n]",
        "out",
        '"id":"r-1","method":"workspace/configuration","params":[1.50,null]',
    ),
    ("Sending notification 'exit'.\nNo parameters provided.", "in", '"method":"exit"'),
    (
        'Received notification \'$/progress\'.\nParams: {"a b": "c  \\"d"}',
        "out",
        '"method":"$/progress","params":{"a b":"c  \\"d"}',
    ),
    ("Received response 'a - (3)' in 2ms.\nNo result returned.", "out", '"id":3,"result":null'),
    ("Received response 'a - (3)' in 2ms.", "out", '"id":3,"result":null'),
    ("Received response 'a - (01)' in 2ms.\nResult: {}", "out", '"id":"01","result":{}'),
    (
        "Received response 9 without active response promise.\nResult: 5",
        "out",
        '"id":9,"result":5',
    ),
    (
        "Received response 'a - (4)' in 2ms. Request failed: no\nsuch (x) žluť (-32601).",
        "out",
        '"id":4,"error":{"code":-32601,"message":"no\\nsuch (x) žluť"}',
    ),
    (
        "Received response 'a - (4)' in 2ms. Request failed: no (1).\nError data: {\n}",
        "out",
        '"id":4,"error":{"code":1,"message":"no","data":{}}',
    ),
    (
        "Sending response 'a - (0)'. Processing request took 0ms\nResult: true",
        "in",
        '"id":0,"result":true',
    ),
    (
        "Sending response 'a - (0)'. Processing request took 0ms\nError data: 1",
        "in",
        '"id":0,"error":{"code":0,"message":"the trace does not tell this error","data":1}',
    ),
]


@pytest.mark.parametrize(("text", "stream", "members"), ENTRIES)
def test_an_entry_becomes_a_message(text: str, stream: str, members: str) -> None:
    body = f'{{"jsonrpc":"2.0",{members}}}\n'.encode()
    assert read(*f"{AM}{text}\n\n".split("\n")) == [("a", -200.0), (0.0, stream, body)]


def test_a_trace_with_windows_line_ends_is_read_too() -> None:
    lines = [f"{AM}Sending request 'a - (1)'.\r", "Params: {\r", '  "b": 1\r', "}\r", "\r"]
    assert read(*lines)[1:] == [
        (0.0, "in", b'{"jsonrpc":"2.0","id":1,"method":"a","params":{"b":1}}\n')
    ]


def test_all_that_is_no_message_is_kept_as_stderr() -> None:
    lines = [
        "server 1.0",
        "[Info  - 1:40:00 AM] Starting",
        f"{AM}Sending notification 'exit'.",
        "No parameters provided.",
        "",
        "",
        "Goodbye \u017e",
        "[Error - 1:40:01 AM] Connection closed",
        "  at line 1",
    ]
    assert read(*lines) == [
        ("a", 0.0),
        (0.0, "err", b"server 1.0\n"),
        (0.0, "err", b"[Info  - 1:40:00 AM] Starting\n"),
        (0.0, "in", b'{"jsonrpc":"2.0","method":"exit"}\n'),
        (0.0, "err", "Goodbye ž\n".encode()),
        (1.0, "err", b"[Error - 1:40:01 AM] Connection closed\n"),
        (1.0, "err", b"  at line 1\n"),
    ]


def test_a_latency_tells_more_than_a_clock_of_whole_seconds() -> None:
    lines = [
        "[Trace - 1:40:00 AM] Sending request 'a - (1)'.",
        "[Trace - 1:40:01 AM] Received response 'a - (1)' in 85ms.",
        "[Trace - 1:40:01 AM] Received response 'b - (2)' in 85ms.",
        "[Trace - 1:40:01 AM] Received request 'c - (1)'.",
        "[Trace - 1:40:01 AM] Sending response 'c - (1)'. Processing request took 12ms",
    ]
    assert [it[0] for it in read(*lines)] == ["a", 0.0, 0.085, 1.0, 1.0, 1.012]


@pytest.mark.parametrize(
    ("clock", "started"),
    [
        ("1:43:20 AM", 0),
        ("1:43:21 AM", 1 - 86400),
        ("12:43:20 AM", -3600),
        ("1:43:20\u202fPM", 12 * 3600 - 86400),
        ("01:43:19", -1),
        ("01.43.19", -1),
        ("上午1:43:19", -1),
        ("下午1:43:19", 12 * 3600 - 1 - 86400),
        ("1:43:20 p. m.", 12 * 3600 - 86400),
        ("noon", 0),
        ("25:00:00", 0),
    ],
)
def test_the_clock_of_any_country_is_read_on_the_day_of_the_last_change(
    clock: str, started: float
) -> None:
    assert read(f"[Trace - {clock}] Sending notification 'exit'.")[0] == ("a", started)


def test_a_clock_passes_midnight_but_is_not_led_astray_by_a_small_step_back() -> None:
    clocks = ["11:59:59 PM", "12:00:01 AM", "12:00:00 AM", "12:00:03 AM"]
    lines = [f"[Trace - {it}] Sending notification 'a'." for it in clocks]
    assert [it[0] for it in read(*lines)] == ["a", 0.0, 2.0, 2.0, 4.0]


def test_a_log_channel_has_a_date_and_milliseconds() -> None:
    lines = [
        "2026-12-01 01:43:19.250 [trace] Sending request 'a - (1)'.",
        "2026-12-01 01:43:19.750 [info] hello",
        "2026-12-01 01:43:20.000 [trace] Received response 'a - (1)' in 749ms.",
        "2026-13-01 01:43:20.000 [trace] Sending notification 'exit'.",
    ]
    assert read(*lines) == [
        ("a", -0.75),
        (0.0, "in", b'{"jsonrpc":"2.0","id":1,"method":"a"}\n'),
        (0.5, "err", b"2026-12-01 01:43:19.750 [info] hello\n"),
        (0.75, "out", b'{"jsonrpc":"2.0","id":1,"result":null}\n'),
        (0.75, "in", b'{"jsonrpc":"2.0","method":"exit"}\n'),
    ]


def test_a_trace_in_json_has_the_messages_themselves_and_their_times() -> None:
    lines = [
        '[LSP   - 9:00:00 PM] {"isLSPMessage":true,"type":"send-request","message":{"id":1.0},'
        '"timestamp":1796089400250}',
        "[Info  - 9:00:00 PM] hello",
        '[LSP   - 9:00:01 PM] {"isLSPMessage":true,"type":"receive-response","message":{},'
        '"timestamp":1796089401000}',
    ]
    assert read(*lines) == [
        ("a", 0.25),
        (0.0, "in", b'{"id":1.0}\n'),
        (0.0, "err", b"[Info  - 9:00:00 PM] hello\n"),
        (0.75, "out", b"{}\n"),
    ]


def test_each_initialize_begins_a_session() -> None:
    lines = [
        "[Info  - 1:40:00 AM] Starting",
        f"{AM}Sending request 'initialize - (0)'.",
        "[Trace - 1:40:05 AM] Sending request 'initialize - (0)'.",
    ]
    body = b'{"jsonrpc":"2.0","id":0,"method":"initialize"}\n'
    assert read(*lines) == [
        ("a", -200.0),
        (0.0, "err", b"[Info  - 1:40:00 AM] Starting\n"),
        ("a", -200.0),
        (0.0, "in", body),
        ("a", -195.0),
        (0.0, "in", body),
    ]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([f"{AM}Sending request 'a - (1)'.", "Params: {", '    "a": ', "}"],
         "a.log:5:1: this is not JSON: Expecting value; expected the values of the message"),
        (['[LSP   - 1:40:00 AM] {"isLSPMessage":true,"type":'],
         "a.log:2:50: this is not JSON: Expecting value; expected an object {…}"),
        (['[LSP   - 1:40:00 AM] {"isLSPMessage":true,"type":"up"}'],
         'a.log:2:43: "type" must be what happened, such as "send-request", not "up"'),
        (['[LSP   - 1:40:00 AM] {"isLSPMessage":true,"type":"send-request","message":5}'],
         'a.log:2:65: "message" must be the message, an object, not 5'),
        ([f"{AM}Sending request 'a - (1)'.", "Params: " + "[" * 100_000],
         "a.log:2:1: this JSON cannot be read: brackets are nested too deep"),
    ],
)  # fmt: skip
def test_what_is_no_json_is_told_with_its_place(lines: list[str], message: str) -> None:
    assert error(VSCODE_LSP, "server 1.0", *lines) == message
