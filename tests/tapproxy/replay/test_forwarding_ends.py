"""A real plugin that does not answer, and how a session ends with one behind it."""

from dataclasses import replace

import orjson
import pytest

from tapproxy.replay import forwarding
from tapproxy.replay.doing import Send, Sleep
from tapproxy.replay.forwarding_engine import MOST_UNREAD, ForwardingEngine
from tests.tapproxy.replay.forwarded import (
    END,
    FORWARD,
    HELLO,
    INITIALIZE,
    NEW,
    READY,
    RESULT,
    SECOND,
    SESSION,
    asked,
    begun,
    ended,
)
from tests.tapproxy.replay.rig import MakeRig, answer, ask, tell


def test_one_that_dies_answers_nothing_from_then_on(rig: MakeRig) -> None:
    it = asked(rig)
    it.lose_real("exited with code 3")
    it.hear("in", ask(3, "tools/call", name="newer"))
    refused = [orjson.loads(data)["error"]["data"] for _, _, data in it.until(0)]
    assert refused == [
        "nothing recorded answers request tools/call (2); the nearest, #4, has params.name "
        '"known", not "new"; the real plugin exited with code 3',
        "nothing recorded answers request tools/call (3); the nearest, #4, has params.name "
        '"known", not "newer"; the real plugin exited with code 3',
    ]
    assert ended(it) == END
    assert it.found() == [("miss", words) for words in refused]


def test_one_that_says_nothing_for_too_long_has_not_answered_and_is_too_late(rig: MakeRig) -> None:
    it = begun(rig, options=replace(FORWARD, patience_ns=2 * SECOND))
    it.hear("in", NEW)
    assert [what for _, what, _ in it.until(1500)] == ["pass"]
    it.hear_real(HELLO)
    assert [what for _, what, _ in it.until(3499)] == ["pass", "pass"]
    [(at_ms, _, data)] = it.until(3500)
    assert at_ms == 3500
    words = orjson.loads(data)["error"]["data"]
    assert words.endswith("; the real plugin did not answer within 2 s")
    it.hear_real(RESULT)
    assert it.until(4000) == []
    it.hear("in", ask(3, "tools/call", name="newer"))
    it.hear_real(answer(3, "newer"))
    assert it.until(4000)[1:] == [(4000, "out", answer(3, "newer"))]


def test_what_is_no_message_is_as_good_as_silence(rig: MakeRig) -> None:
    it = asked(rig)
    assert it.until(8000) == []
    it.hear_real(b"\x00\xff\nprogress: 80 %\n")
    [(at_ms, _, data)] = it.until(10_000)
    assert (at_ms, b"did not answer within 10 s" in data) == (10_000, True)


def test_a_message_that_does_not_end_is_an_end(
    rig: MakeRig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forwarding, "LARGEST_MESSAGE", 1 << 20)
    it = asked(rig)
    it.hear_real(bytes(1 << 20))
    assert it.until(0) == []
    it.hear_real(b"\0")
    [(_, _, data)] = it.until(0)
    assert b"; the real plugin wrote 1 MB without an end" in data
    it.hear_real(b"\n" + RESULT)
    assert it.until(0) == []


def test_it_is_not_read_while_the_host_does_not_and_no_patience_runs_out_meanwhile(
    rig: MakeRig,
) -> None:
    it = asked(rig)
    engine = it.engine
    assert isinstance(engine, ForwardingEngine)
    sampling = ask(8, "sampling/createMessage", text="x" * MOST_UNREAD)
    it.hear_real(sampling)
    assert engine.is_full
    writing = engine.next(0)
    assert isinstance(writing, Send)
    assert not engine.is_full
    it.hear_real(sampling)
    assert engine.is_full
    engine.sent(writing, 60 * SECOND)
    writing = engine.next(60 * SECOND)
    assert isinstance(writing, Send)
    engine.sent(writing, 90 * SECOND)
    assert engine.next(90 * SECOND) == Sleep(100 * SECOND)


def test_a_question_that_it_was_not_told_in_time_is_never_told(rig: MakeRig) -> None:
    it = begun(rig, options=replace(FORWARD, patience_ns=SECOND))
    it.hear("in", NEW)
    assert [what for _, what, _ in it.until(1500)] == ["pass", "out"]
    it.hear_real(HELLO)
    assert it.until(1500) == [(1500, "pass", READY)]


def test_a_cancelled_question_need_not_be_answered_and_may_be(rig: MakeRig) -> None:
    it = asked(rig)
    cancelled = tell("notifications/cancelled", requestId=2)
    it.hear("in", cancelled)
    assert it.until(0) == [(0, "pass", cancelled)]
    it.hear_real(RESULT)
    assert it.until(0) == [(0, "out", RESULT)]
    assert ended(it) == END


def test_a_replay_that_is_over_too_soon_tells_what_was_not_answered(rig: MakeRig) -> None:
    it = asked(rig)
    it.see("signal", signal="SIGTERM")
    assert it.until(0)[-1] == (0, "over", "SIGTERM came, which is not in the recording")
    [kinds, *_] = it.found()
    assert kinds[0] == "extra"
    assert it.engine.findings.found[1].words.endswith(
        "; the real plugin had not answered when the replay ended"
    )


def test_where_a_recording_just_ends_the_host_may_go_on_asking(rig: MakeRig) -> None:
    it = begun(rig, *SESSION[:5])
    it.until(60_000)
    it.hear("in", NEW)
    assert it.until(60_000) == [(60_000, "pass", INITIALIZE)]
    it.hear_real(HELLO)
    it.until(60_000)
    it.hear_real(RESULT)
    assert it.until(60_000) == [(60_000, "out", RESULT)]
    it.see("eof", stream="in")
    assert it.until(60_000) == []
    assert it.over_ms == 60_000


def test_a_host_that_leaves_something_out_is_told_so_and_not_waited_for(rig: MakeRig) -> None:
    it = rig("plugin", *SESSION, options=FORWARD, dialect="mcp")
    it.hear("in", INITIALIZE)
    it.until(0)
    it.hear("in", READY + NEW)
    it.until(0)
    it.hear_real(HELLO)
    it.until(0)
    it.hear_real(RESULT)
    assert it.until(0) == [(0, "out", RESULT)]
    assert ended(it) == []
    assert it.over_ms == 0
    assert [kind for kind, _ in it.found()] == ["forwarded", "missing", "unused"]


def test_one_that_opens_too_late_is_told_what_comes_after_it(rig: MakeRig) -> None:
    it = rig("plugin", *SESSION, options=replace(FORWARD, patience_ns=SECOND), dialect="mcp")
    other = ask(0, "initialize", protocolVersion="2024-11-05")
    it.hear("in", other)
    assert [what for _, what, _ in it.until(1500)] == ["pass", "out"]
    it.hear("in", NEW)
    assert it.until(1500) == []
    it.hear_real(HELLO)
    assert it.until(1500) == [(1500, "pass", NEW)]
