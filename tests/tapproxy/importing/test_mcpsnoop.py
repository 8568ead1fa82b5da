"""Session logs of mcpsnoop: the command from the first envelope, messages from the others."""

import json
from typing import Any

import pytest

from tapproxy.importing.mcpsnoop import MCPSNOOP
from tapproxy_store.records import Session
from tests.tapproxy.importing.logs import error, records, told

TS = "2026-12-01T02:43:21.000000005+01:00"


def envelope(direction: str, session: str = "s1", **more: Any) -> str:
    return json.dumps({"session_id": session, "seq": 1, "ts": TS, "direction": direction} | more)


def test_the_first_envelope_tells_the_command() -> None:
    meta = {"command": ["server", "--quiet"], "cwd": "/project"}
    found = records(MCPSNOOP, envelope("meta", server_label="server", raw=meta))
    assert told(found) == [("server", 1.000000005)]
    assert isinstance(found[0], Session)
    assert found[0].facts == {
        "argv": ["server", "--quiet"],
        "cwd": "/project",
        "imported": {"format": "mcpsnoop", "from": "a.log", "exact": False},
    }


def test_messages_are_in_raw_and_other_lines_in_text() -> None:
    lines = [
        envelope("c2s", raw={"id": 1}),
        envelope("s2c", raw=[{"id": 1}]),
        envelope("s2c", text="hello"),
        envelope("stderr", text="warming up"),
        envelope("s2c", status=202),
    ]
    assert told(records(MCPSNOOP, *lines)) == [
        ("a", 1.000000005),
        (0.0, "in", b'{"id": 1}\n'),
        (0.0, "out", b'[{"id": 1}]\n'),
        (0.0, "out", b"hello\n"),
        (0.0, "err", b"warming up\n"),
        (0.0, "log", {"line": lines[-1]}),
    ]


def test_each_id_is_a_session() -> None:
    lines = [envelope("c2s", it, server_label=it, raw={}) for it in ("one", "two")]
    assert told(records(MCPSNOOP, *lines)) == [
        ("one", 1.000000005),
        (0.0, "in", b"{}\n"),
        ("two", 1.000000005),
        (0.0, "in", b"{}\n"),
    ]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (envelope("up"), 'a.log:3:77: "direction" must be "c2s", "s2c", "stderr" or "meta", '
         'not "up"'),
        (envelope("c2s", "s0"), 'a.log:3:2: "session_id" must be that of one session after '
         'another; split the log, not "s0"'),
        ('{"ts": 5e99}', 'a.log:3:2: "ts" must be an instant such as "2026-11-30T20:30:05.123Z", '
         "not 5E+99"),
    ],
)  # fmt: skip
def test_what_mcpsnoop_does_not_write_is_told_with_its_place(line: str, message: str) -> None:
    assert error(MCPSNOOP, envelope("c2s", "s0", raw={}), envelope("c2s", raw={}), line) == message
