"""What goes to the real plugin, where it answers what a recording cannot, and what comes of it."""

from dataclasses import replace
from typing import Any

import orjson

from tapproxy.replay.forwarding_engine import ForwardingEngine
from tests.tapproxy.replay.forwarded import (
    END,
    FORWARD,
    HELLO,
    NEW,
    READY,
    RESULT,
    SESSION,
    asked,
    begun,
    ended,
)
from tests.tapproxy.replay.rig import Happened, MakeRig, answer, ask, tell


def test_without_a_miss_the_real_plugin_is_told_nothing(rig: MakeRig) -> None:
    it = begun(rig)
    assert ended(it) == END
    assert it.found() == []


def test_it_is_told_what_opened_the_session_and_then_the_question_and_its_answer_alone_is_passed_on(
    rig: MakeRig,
) -> None:
    it = asked(rig)
    odd = b'{ "id":2,\t"result" :{"content":[]}, "jsonrpc":"2.0"}\r\n'
    it.hear_real(odd)
    assert it.until(0) == [(0, "out", odd)]
    assert ended(it) == END
    [finding] = it.engine.conclude().found
    assert (finding.kind, finding.frame) == ("forwarded", 4)
    assert finding.words == (
        "nothing recorded answers request tools/call (2); "
        'the nearest, #4, has params.name "known", not "new"'
    )
    assert it.engine.findings.count == {"forwarded": 1}


def test_a_session_does_not_end_before_the_answer(rig: MakeRig) -> None:
    it = asked(rig)
    assert ended(it) == []
    it.hear_real(RESULT)
    assert it.until(0) == [(0, "out", RESULT), *END]


def test_later_notifications_and_opening_questions_are_passed_and_known_questions_are_not(
    rig: MakeRig,
) -> None:
    told, again = tell("notifications/roots/list_changed"), ask(6, "initialize")
    more: tuple[Happened, ...] = (
        (4.1, "in", told),
        (4.2, "in", ask(5, "tools/list")),
        (4.3, "out", answer(5, {"tools": []})),
        (4.4, "in", again),
        (4.5, "out", answer(6, {})),
    )
    it = asked(rig, *SESSION[:5], *more, *SESSION[5:])
    it.hear_real(RESULT)
    it.until(0)
    it.hear("in", told + ask(5, "tools/list") + again)
    assert it.until(0) == [
        (0, "pass", told),
        (0, "pass", again),
        (0, "out", answer(5, {"tools": []})),
        (0, "out", answer(6, {})),
    ]
    it.hear_real(answer(6, {}))
    assert ended(it) == END


def test_a_notification_that_is_not_recorded_is_forwarded_where_anything_is(rig: MakeRig) -> None:
    opened = tell("opened", name="b")
    it = begun(rig)
    it.hear("in", opened)
    assert ended(it) == END
    assert it.found() == [("extra", "notification opened")]
    it = begun(rig)
    it.hear("in", opened + NEW)
    it.until(0)
    it.hear_real(HELLO)
    assert it.until(0) == [(0, "pass", READY), (0, "pass", opened), (0, "pass", NEW)]
    it.hear_real(RESULT)
    it.until(0)
    assert ended(it) == END
    kinds = [(it.kind, it.words.split(";")[0]) for it in it.engine.conclude().found]
    missed = "nothing recorded answers request tools/call (2)"
    assert kinds == [("forwarded", "notification opened"), ("forwarded", missed)]


def test_progress_and_questions_of_the_real_plugin_reach_the_host_and_nothing_else_does(
    rig: MakeRig,
) -> None:
    it = begun(rig)
    new = ask(2, "tools/call", name="new", _meta={"progressToken": "t"})
    it.hear("in", new)
    it.until(0)
    it.hear_real(HELLO)
    it.until(0)
    progress = tell("notifications/progress", progressToken="t", progress=1)
    it.hear_real(tell("notifications/message", level="info", data="x") + progress)
    it.hear_real(tell("notifications/progress", progressToken="other", progress=1))
    roots = ask("r", "roots/list")
    it.hear_real(roots)
    assert it.until(0) == [(0, "out", progress), (0, "out", roots)]
    it.hear("in", answer("r", {"roots": []}))
    assert it.until(0) == [(0, "pass", answer("r", {"roots": []}))]
    it.hear_real(RESULT)
    assert it.until(0) == [(0, "out", RESULT)]
    assert ended(it) == END
    assert [kind for kind, _ in it.found()] == ["forwarded"]


def test_what_is_new_is_the_question_with_all_that_was_said_on_account_of_it(rig: MakeRig) -> None:
    it = begun(rig, options=replace(FORWARD, learns=True))
    it.hear("in", NEW)
    it.until(0)
    opening, edit = ask("o", "roots/list"), ask("e", "elicitation/create")
    it.hear_real(opening)
    assert it.until(0) == [(0, "out", opening)]
    it.hear("in", answer("o", {"roots": []}))
    it.hear_real(HELLO)
    it.until(0)
    it.hear_real(edit)
    assert it.until(0) == [(0, "out", edit)]
    it.hear("in", answer("e", {"action": "decline"}))
    it.hear_real(RESULT)
    it.until(0)
    assert isinstance(it.engine, ForwardingEngine)
    assert [(stream, data) for _, stream, data, _ in it.engine.news] == [
        ("in", NEW),
        ("out", edit),
        ("in", answer("e", {"action": "decline"})),
        ("out", RESULT),
    ]


def test_what_was_written_apart_is_and_what_was_written_at_once_is_too(rig: MakeRig) -> None:
    it = asked(rig)
    it.hear("in", ask(3, "tools/call", name="newer") + ask(4, "tools/call", name="newest"))
    it.until(0)
    it.hear_real(RESULT[:-1])
    assert it.until(0) == []
    it.hear_real(b"\n" + answer(3, 3) + answer(4, 4)[:9])
    it.hear_real(answer(4, 4)[9:])
    assert it.until(0) == [
        (0, "out", RESULT[:-1]),
        (0, "out", b"\n" + answer(3, 3) + answer(4, 4)[:9]),
        (0, "out", answer(4, 4)[9:]),
    ]
    assert ended(it) == END


def test_a_frame_with_a_header_is_passed_with_it_as_it_is(rig: MakeRig) -> None:
    def framed(line: bytes, more: bytes = b"") -> bytes:
        body = line.rstrip()
        return b"%bContent-Length: %d\r\n\r\n%b" % (more, len(body), body)

    odd = b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n"
    it = rig(
        "plugin",
        (0, "in", framed(ask(1, "a"))),
        (1, "out", framed(answer(1, 1))),
        (2, "eof", {"stream": "in"}),
        (3, "exit", {"code": 0}),
        options=FORWARD,
        dialect="lsp",
    )
    it.hear("in", framed(ask(1, "a")) + framed(ask(2, "b"), odd))
    it.hear_real(framed(answer(2, 2), odd))
    assert it.until(0) == [
        (0, "pass", framed(ask(2, "b"), odd)),
        (0, "out", framed(answer(2, 2), odd)),
        (0, "out", framed(answer(1, 1))),
    ]


def test_what_a_debugger_configures_does_not_wait_for_the_launch_that_waits_for_it(
    rig: MakeRig,
) -> None:
    def packet(seq: int, kind: str, **more: Any) -> bytes:
        body = orjson.dumps({"seq": seq, "type": kind, **more})
        return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)

    def done(seq: int, request: int, command: str) -> bytes:
        more = {"request_seq": request, "success": True, "command": command}
        return packet(seq, "response", **more)

    launch = packet(1, "request", command="launch", arguments={})
    configured = packet(2, "request", command="configurationDone")
    ready = packet(1, "event", event="initialized")
    threads = packet(3, "request", command="threads")
    it = rig(
        "plugin",
        (0, "in", launch),
        (1, "out", ready),
        (2, "in", configured),
        (3, "out", done(2, 2, "configurationDone") + done(3, 1, "launch")),
        (4, "eof", {"stream": "in"}),
        options=FORWARD,
        dialect="dap",
    )
    it.hear("in", launch)
    assert it.until(0) == [(0, "out", ready)]
    it.hear("in", configured)
    it.until(0)
    it.hear("in", threads)
    assert it.until(0) == [(0, "pass", launch)]
    it.hear_real(ready)
    assert it.until(0) == [(0, "pass", configured)]
    it.hear_real(done(2, 2, "configurationDone"))
    assert it.until(0) == []
    it.hear_real(done(3, 1, "launch"))
    assert it.until(0) == [(0, "pass", threads)]
    it.hear_real(done(4, 3, "threads"))
    assert it.until(0) == [(0, "out", done(4, 3, "threads"))]


def test_what_opens_a_session_and_is_not_recorded_is_passed_once(rig: MakeRig) -> None:
    it = rig("plugin", *SESSION, options=FORWARD, dialect="mcp")
    other = ask(0, "initialize", protocolVersion="2024-11-05")
    it.hear("in", other)
    assert it.until(0) == [(0, "pass", other)]
    it.hear_real(HELLO)
    assert it.until(0) == [(0, "out", HELLO)]
    it.hear("in", READY + NEW)
    assert it.until(0) == [(0, "pass", READY), (0, "pass", NEW)]
