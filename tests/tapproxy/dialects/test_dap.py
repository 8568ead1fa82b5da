"""The Debug Adapter Protocol: numbered packets, both ways."""

from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapproxy.dialects.api import Heard, Meaning, Side
from tapproxy.dialects.dap import DAP, DapReading


def meaning(side: Side = "in", **packet: Any) -> Meaning:
    """Return what one packet says; the first of its side unless numbered otherwise."""
    (one,) = DapReading().read(Heard(side, orjson.dumps({"seq": 1} | packet)))
    return one


def test_a_request_awaits_an_answer_under_its_seq() -> None:
    assert meaning(type="request", command="threads") == Meaning(
        "request", "threads", id="1", asks="1"
    )


def test_a_response_replies_to_the_seq_of_its_request() -> None:
    said = meaning("out", type="response", request_seq=7, success=True, command="next")
    assert said == Meaning("response", "next", id="1", replies="7")


def test_a_failed_response_is_an_error_that_says_why() -> None:
    error = {"id": 5, "format": "no {what} at {where}", "variables": {"what": "file", "where": "/"}}
    failed = {"type": "response", "request_seq": 2, "success": False, "command": "source"}
    said = meaning("out", **failed, message="notStopped", body={"error": error})
    assert said == Meaning(
        "error", "source", "notStopped: no file at /", id="1", replies="2", flags=("error",)
    )
    assert meaning("out", **failed, message="cancelled").summary == "cancelled"
    odd = {"format": "no {what}", "variables": ["what"]}
    assert meaning("out", **failed, message="no", body={"error": odd}).summary == "no {what}"


def test_an_adapter_asks_too_and_is_answered() -> None:
    arguments = {"kind": "integrated", "cwd": "/demo", "args": ["python", "a b.py", "-v"]}
    assert meaning("out", type="request", command="runInTerminal", arguments=arguments) == Meaning(
        "request", "runInTerminal", "python a b.py -v", id="1", asks="1"
    )
    answer = meaning("in", type="response", request_seq=1, success=True, command="runInTerminal")
    assert answer.replies == "1"


def test_output_folds_into_runs_of_one_category() -> None:
    body = {"category": "stderr", "output": "oh no\n"}
    assert meaning("out", type="event", event="output", body=body) == Meaning(
        "event", "output", "stderr: oh no", id="1", run="output stderr"
    )


def test_a_cancellation_withdraws_the_request_that_it_names() -> None:
    said = meaning(type="request", command="cancel", arguments={"requestId": 4})
    assert (said.about, said.cancels, said.summary) == (("in", "4"), True, "requestId=4")
    said = meaning(type="request", command="cancel", arguments={"progressId": "p"})
    assert (said.about, said.cancels) == (None, False)


def test_progress_is_about_the_request_that_it_names_and_folds() -> None:
    body = {"progressId": "p", "requestId": 4, "title": "Loading", "percentage": 25}
    assert meaning("out", type="event", event="progressStart", body=body) == Meaning(
        "event", "progressStart", "Loading 25 %", id="1", about=("in", "4"), run="progress p"
    )


def test_a_side_that_does_not_count_from_1_is_told_once() -> None:
    reading = DapReading()
    body = b'{"seq":0,"type":"request","command":"initialize","arguments":{}}'
    noted = Meaning(
        "request",
        "initialize",
        id="0",
        asks="0",
        flags=("seq-start",),
        note="seq starts at 0, not at 1",
    )
    assert reading.read(Heard("in", body)) == [noted]
    assert reading.read(Heard("in", body)) == [noted._replace(flags=(), note="")]
    assert reading.read(Heard("out", body)) == [noted]


def test_a_side_may_send_its_second_packet_before_its_first() -> None:
    assert meaning("out", seq=2, type="event", event="stopped").note == ""


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (
            b'{"type":"request","command":"next"}',
            Meaning("request", "next", flags=("no-id",), note="no seq"),
        ),
        (
            b'{"seq":1,"type":"response","success":true}',
            Meaning("response", None, id="1", flags=("no-id",), note="no request_seq"),
        ),
        (
            b'{"seq":1,"type":"poem"}',
            Meaning(
                "unknown",
                flags=("not-dialect",),
                note="its type is not request, response or event",
            ),
        ),
        (
            b"[1]",
            Meaning("unknown", flags=("not-object",), note="JSON, but a list and no object"),
        ),
    ],
)
def test_what_is_out_of_shape_is_told(body: bytes, said: Meaning) -> None:
    assert DapReading().read(Heard("in", body)) == [said]


def test_client_and_adapter_are_learnt_from_initialize() -> None:
    reading = DapReading()
    assert reading.traits() == []
    arguments = {"adapterID": "lldb", "clientID": "vscode", "clientName": "Visual Studio Code"}
    packet = {"seq": 1, "type": "request", "command": "initialize", "arguments": arguments}
    reading.read(Heard("in", orjson.dumps(packet)))
    assert reading.traits() == ["adapter lldb", "client Visual Studio Code"]


@pytest.mark.parametrize(
    ("packet", "reason"),
    [
        (
            {"seq": 0, "type": "request", "command": "initialize"},
            'messages are numbered by "seq", and one is the request initialize',
        ),
        (
            {"seq": 3, "type": "event", "event": "stopped"},
            'messages are numbered by "seq", and one is the event stopped',
        ),
        ({"seq": 0, "type": "request", "command": "geterr"}, None),
        ({"seq": 0, "type": "event", "event": "telemetry"}, None),
        ({"type": "event", "event": "stopped"}, None),
        ({"seq": 1, "type": "event", "event": ["stopped"]}, None),
        ([], None),
    ],
)
def test_a_session_is_recognised_by_a_packet_that_only_debuggers_send(
    packet: object, reason: str | None
) -> None:
    assert DAP.recognise([], [Heard("in", b"log"), Heard("in", orjson.dumps(packet))]) == reason


NAMES = st.sampled_from(["threads", "output", "setBreakpoints", "stackTrace", "initialize"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=3),
    lambda it: (
        st.lists(it, max_size=3)
        | st.dictionaries(
            st.sampled_from(["source", "breakpoints", "stackFrames", "error", "line", "name"]), it
        )
    ),
    max_leaves=8,
)


@given(
    kind=st.sampled_from(["request", "response", "event"]),
    name=NAMES | JSON,
    inner=JSON,
    success=st.sampled_from([True, False, None]),
)
def test_no_packet_is_too_odd_to_be_read(
    kind: str, name: object, inner: object, success: object
) -> None:
    said = {"command": name, "event": name, "success": success}
    packet = {"seq": inner, "type": kind, "arguments": inner, "body": inner, **said}
    (one,) = DapReading().read(Heard("in", orjson.dumps(packet)))
    assert one.kind in ("request", "response", "error", "event")


def test_a_length_that_differs_when_counted_in_characters_is_flagged() -> None:
    body = {"category": "stdout", "output": "ď"}
    said = meaning("out", type="event", event="output", body=body)
    assert (said.summary, said.flags) == ("stdout: ď", ("not-ascii",))
