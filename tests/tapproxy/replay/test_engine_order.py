"""Each step waits for what it is the consequence of, and follows it as it did."""

import pytest

from tapproxy.replay.engine import Options
from tapproxy.replay.schedule import Pace
from tests.tapproxy.replay.rig import MakeRig, answer, ask, tell


def test_an_answer_waits_for_its_own_question_and_follows_by_its_delay(rig: MakeRig) -> None:
    it = rig("plugin", (10, "in", ask(1, "a")), (3410, "out", answer(1, "late")))
    assert it.until(5000) == []
    it.hear("in", ask(1, "a"))
    assert it.until(9000) == [(8400, "out", answer(1, "late"))]
    assert it.found() == []


def test_concurrent_calls_in_another_order_are_answered(rig: MakeRig) -> None:
    it = rig(
        "plugin",
        (0, "in", ask(1, "a")),
        (1, "in", ask(2, "b")),
        (5, "out", answer(1, "A")),
        (21, "out", answer(2, "B")),
    )
    it.hear("in", ask(1, "b"))
    assert it.until(100) == [(70, "out", answer(1, "B"))]  # having let the others go first
    it.hear("in", ask(2, "a"))
    assert it.until(200) == [(105, "out", answer(2, "A"))]
    it.see("eof", stream="in")
    assert it.until(200) == []
    assert it.found() == []


def test_a_notification_follows_what_came_before_it_from_either_side(rig: MakeRig) -> None:
    it = rig(
        "plugin",
        (10, "out", tell("hello")),
        (30, "in", tell("ready")),
        (60, "out", tell("go")),
        (80, "err", b"gone\n"),
    )
    assert it.until(40) == [(10, "out", tell("hello"))]
    it.hear("in", tell("ready"))
    assert it.until(200) == [(70, "out", tell("go")), (90, "err", b"gone\n")]


def test_a_notification_that_is_not_due_holds_those_after_it(rig: MakeRig) -> None:
    it = rig(
        "plugin",
        (0, "in", tell("first")),
        (1, "out", tell("one")),
        (2, "in", ask(1, "a")),
        (3, "out", answer(1, "A")),
        (4, "out", tell("two")),
    )
    it.hear("in", ask(1, "a"))
    assert it.until(60) == [(51, "out", answer(1, "A"))]
    it.hear("in", tell("first"))
    assert it.until(70) == [(61, "out", tell("one")), (64, "out", tell("two"))]


def test_what_is_due_lets_a_slower_peer_keep_the_recorded_order(rig: MakeRig) -> None:
    it = rig(
        "plugin",
        (0, "in", tell("first")),
        (1, "out", tell("one")),
        (2, "in", ask(1, "a")),
        (3, "out", answer(1, "A")),
    )
    it.hear("in", ask(1, "a"))
    assert it.until(30) == []
    it.hear("in", tell("first"))
    assert it.until(70) == [(31, "out", tell("one")), (31, "out", answer(1, "A"))]


def test_an_answer_waits_for_what_it_made_the_plugin_ask_and_for_the_reply(rig: MakeRig) -> None:
    it = rig(
        "plugin",
        (0, "in", ask(1, "a")),
        (5, "out", ask("s", "permit")),
        (100, "in", answer("s", "yes")),
        (120, "out", answer(1, "A")),
    )
    it.hear("in", ask(1, "a"))
    assert it.until(9000) == [(5, "out", ask("s", "permit"))]
    it.hear("in", answer("s", "yes"))
    assert it.until(9100) == [(9020, "out", answer(1, "A"))]
    assert it.found() == []


def test_an_answer_waits_for_nothing_that_another_question_may_have_led_to(rig: MakeRig) -> None:
    it = rig(
        "plugin",
        (0, "in", ask(1, "a")),
        (1, "in", ask(2, "b")),
        (2, "out", tell("busy")),
        (3, "out", answer(1, "A")),
        (4, "out", answer(2, "B")),
    )
    it.hear("in", ask(1, "a"))
    assert it.until(100) == [(53, "out", answer(1, "A"))]
    it.hear("in", ask(2, "b"))
    assert it.until(200) == [(101, "out", tell("busy")), (103, "out", answer(2, "B"))]
    assert it.found() == []


def test_progress_waits_for_the_question_that_it_is_about(rig: MakeRig) -> None:
    progress = tell("notifications/progress", progressToken="t", progress=1)
    question = ask(1, "tools/call", name="slow", _meta={"progressToken": "t"})
    it = rig(
        "plugin",
        (0, "in", question),
        (1, "in", ask(2, "ping")),
        (2, "out", progress),
        (3, "out", answer(1, {})),
        (3, "out", answer(2, {})),
        dialect="mcp",
    )
    it.hear("in", ask(2, "ping"))
    assert it.until(100) == [(52, "out", answer(2, {}))]
    it.hear("in", question.replace(b'"t"', b'"live"'))
    live = progress.replace(b'"t"', b'"live"')
    assert it.until(200) == [(102, "out", live), (103, "out", answer(1, {}))]
    assert it.found() == []


def test_a_host_waits_for_the_answer_and_through_the_silence(rig: MakeRig) -> None:
    it = rig(
        "host",
        (0, "in", ask(1, "a")),
        (5, "out", answer(1, {})),
        (3005, "in", ask(2, "b")),
        (3006, "out", answer(2, {})),
        (3010, "eof", {"stream": "in", "by": "host"}),
        (3020, "exit", {"code": 0}),
    )
    assert it.until(50) == [(0, "in", ask(1, "a"))]
    it.hear("out", answer(1, {}))
    assert it.until(4000) == [(3050, "in", ask(2, "b"))]
    it.hear("out", answer(2, {}))
    assert it.until(4010) == [(4004, "eof", {"stream": "in", "by": "host"})]
    it.see("exit", code=0)
    assert it.until(4010) == []
    assert it.over_ms is None  # it may have said something before
    it.see("eof", stream="out")
    assert it.until(4010) == []
    assert it.over_ms == 4010
    assert it.found() == []


def test_events_of_the_played_side_are_steps(rig: MakeRig) -> None:
    stall = {"stream": "in", "reader": "plugin", "size": 10}
    it = rig(
        "plugin",
        (10, "stall", stall),
        (30, "stall-end", stall),
        (35, "signal", {"signal": "SIGTERM", "from": "host", "forwarded": True}),
        (40, "eof", {"stream": "out", "by": "plugin"}),
        (45, "exit", {"signal": "SIGTERM"}),
    )
    assert it.until(100) == [(10, "stall", stall), (30, "stall-end", stall)]
    it.see("signal", signal="SIGTERM")
    assert it.until(200) == [
        (105, "eof", {"stream": "out", "by": "plugin"}),
        (110, "exit", {"signal": "SIGTERM"}),
    ]
    assert it.over_ms == 110
    assert it.found() == []


def test_an_exit_cuts_off_no_answer_that_is_due_before_it(rig: MakeRig) -> None:
    it = rig(
        "plugin",
        (0, "in", ask(1, "a")),
        (1, "in", ask(2, "b")),
        (50, "out", answer(1, "A")),
        (51, "out", answer(2, "B")),
        (52, "exit", {"code": 3}),
    )
    it.hear("in", ask(2, "b"))
    it.until(10)
    it.hear("in", ask(1, "a"))
    assert it.until(100) == [
        (60, "out", answer(1, "A")),
        (60, "out", answer(2, "B")),
        (61, "exit", {"code": 3}),
    ]


def test_the_rest_of_a_frame_follows_its_beginning_and_nothing_tears_it(rig: MakeRig) -> None:
    first = answer(1, "A" * 40)
    it = rig(
        "plugin",
        (0, "in", ask(1, "a")),
        (1, "out", first[:17]),
        (2, "in", ask(2, "b")),
        (30, "out", first[17:]),
        (31, "out", answer(2, "B")),
    )
    it.hear("in", ask(1, "a"))
    assert it.until(5) == [(1, "out", first[:17])]
    it.hear("in", ask(2, "b").replace(b'"b"', b'"unknown"'))
    assert it.until(79) == []
    refusal = it.until(80)  # the question before it does not come
    assert refusal[0] == (80, "out", first[17:])
    assert [data[:24] for _, _, data in refusal[1:]] == [b'{"jsonrpc":"2.0","id":2,']


def test_an_answer_that_is_due_within_another_frame_comes_after_it(rig: MakeRig) -> None:
    first = answer(1, "A" * 40)
    it = rig(
        "plugin",
        (0, "in", ask(2, "b")),
        (0, "in", ask(1, "a")),
        (1, "out", first[:17]),
        (100, "out", first[17:]),
        (110, "out", answer(2, "B")),
    )
    it.hear("in", ask(2, "b"))
    assert it.until(60) == []
    it.hear("in", ask(1, "a"))
    assert it.until(1000) == [
        (61, "out", first[:17]),
        (160, "out", first[17:]),
        (160, "out", answer(2, "B")),
    ]


def test_a_chunk_of_an_answer_and_a_notification_waits_for_both_causes(rig: MakeRig) -> None:
    both = answer(1, "A") + tell("done")
    it = rig(
        "plugin",
        (0, "in", ask(1, "a")),
        (5, "in", tell("more")),
        (8, "out", both),
        (9, "err", b"x"),
    )
    it.hear("in", tell("more"))
    assert it.until(50) == []
    it.hear("in", ask(1, "a"))
    assert it.until(100) == [(58, "out", both), (59, "err", b"x")]


def test_a_line_of_stderr_without_an_end_holds_nothing(rig: MakeRig) -> None:
    it = rig("plugin", (0, "err", b"working"), (5, "out", tell("one")), (9, "err", b" on\n"))
    assert it.until(20) == [
        (0, "err", b"working"),
        (5, "out", tell("one")),
        (9, "err", b" on\n"),
    ]


def test_in_the_strict_order_an_answer_waits_for_all_that_was_before(rig: MakeRig) -> None:
    happened = (
        (0, "in", ask(1, "a")),
        (1, "in", ask(2, "b")),
        (2, "in", tell("go")),
        (5, "out", answer(1, "A")),
    )
    it = rig("plugin", *happened, strict=True)
    it.hear("in", ask(1, "a"))
    it.hear("in", tell("go"))
    assert it.until(100) == []
    it.hear("in", ask(2, "b"))
    assert it.until(200) == [(104, "out", answer(1, "A"))]


@pytest.mark.parametrize(
    ("pace", "at_ms"),
    [(Pace(1), 8000), (Pace(10), 800), (Pace(0), 0), (Pace(1, max_gap_ns=2_000_000_000), 2000)],
)
def test_delays_go_by_at_the_pace(rig: MakeRig, pace: Pace, at_ms: float) -> None:
    it = rig("plugin", (8000, "out", tell("x")), options=Options(pace=pace))
    assert it.until(9000)[0] == (at_ms, "out", tell("x"))


def test_without_waiting_the_recorded_order_is_kept_for_a_moment(rig: MakeRig) -> None:
    happened = (
        (0, "in", ask(1, "a")),
        (1, "in", ask(2, "b")),
        (2, "out", answer(2, "B")),
        (3, "out", answer(1, "A")),
    )
    it = rig("plugin", *happened, options=Options(pace=Pace(0)))
    it.hear("in", ask(1, "a"))
    assert it.until(49) == []
    assert it.until(50) == [(50, "out", answer(1, "A"))]
    it.hear("in", ask(2, "b"))
    assert it.until(51)[0] == (50, "out", answer(2, "B"))


def test_a_stream_is_closed_by_its_writer_where_the_recording_does_not_say(rig: MakeRig) -> None:
    happened = ((5, "eof", {"stream": "in"}), (9, "eof", {"stream": "out"}))
    host, plugin = rig("host", *happened), rig("plugin", *happened)
    assert host.until(20) == [(5, "eof", {"stream": "in"})]
    assert plugin.until(20) == []
    plugin.see("eof", stream="in")
    assert plugin.until(40) == [(24, "eof", {"stream": "out"})]
