"""When a replay is over: once the other side has left, and nothing of it can come any more."""

import pytest

from tapproxy.replay.engine import Options, Send
from tests.tapproxy.replay.rig import Happened, MakeRig, answer, ask, tell

SECOND = 1_000_000_000

EXCHANGE: tuple[Happened, ...] = (
    (0, "in", ask(1, "read")),
    (20, "out", answer(1, 1)),
)


def test_a_host_that_closes_stdin_is_as_recorded_where_the_recording_has_no_such_end(
    rig: MakeRig,
) -> None:
    it = rig("plugin", *EXCHANGE, (30, "exit", {"code": 0}))
    it.hear("in", ask(1, "read"))
    it.see("eof", stream="in")
    assert it.until(100)[-1] == (30, "exit", {"code": 0})
    assert it.found() == []


def test_a_plugin_whose_last_words_were_read_after_its_end_says_them_before_it(
    rig: MakeRig,
) -> None:
    said = answer(1, 1)
    it = rig(
        "plugin",
        (0, "in", ask(1, "read")),
        (20, "out", said[:9]),
        (30, "exit", {"code": 0}),
        (31, "out", said[9:-1]),
        (40, "out", said[-1:]),
    )
    it.hear("in", ask(1, "read"))
    assert it.until(100) == [
        (20, "out", said[:9]),
        (31, "out", said[9:-1]),
        (40, "out", said[-1:]),
        (40, "exit", {"code": 0}),
    ]


def test_a_host_awaits_what_a_plugin_that_has_left_may_have_said(rig: MakeRig) -> None:
    it = rig("host", *EXCHANGE, (30, "exit", {"code": 0}))
    it.until(0)
    it.hear("out", answer(1, 1))
    it.see("exit", code=0)
    it.until(20)
    assert it.over_ms is None
    it.hear("out", tell("goodbye"))
    it.see("eof", stream="out")
    it.until(20)
    assert it.over_ms == 20
    assert ("extra", "notification goodbye") in it.found()


def test_a_plugin_whose_stream_another_process_has_open_ends_all_the_same(rig: MakeRig) -> None:
    it = rig("host", *EXCHANGE, (30, "exit", {"code": 0}), options=Options(patience_ns=SECOND))
    it.until(0)
    it.hear("out", answer(1, "x"))
    it.see("exit", code=0)
    assert it.until(5000) == []
    assert it.over_ms is not None


@pytest.mark.parametrize(
    ("closed", "why"),
    [
        ([], "the other side does not end; nothing on record closes its stdin"),
        ([(25, "eof", {"stream": "in", "by": "host"})], "the other side does not end"),
    ],
)
def test_it_is_said_why_a_plugin_may_go_on(rig: MakeRig, closed: list[Happened], why: str) -> None:
    exchange = (*EXCHANGE, *closed, (30, "exit", {"code": 0}))
    it = rig("host", *exchange, options=Options(patience_ns=SECOND))
    it.until(0)
    it.hear("out", answer(1, 1))
    assert it.until(5000)[-1][1:] == ("over", why)


def test_a_host_does_not_wait_for_the_end_of_stderr_which_it_does_not_read(rig: MakeRig) -> None:
    it = rig("host", (0, "eof", {"stream": "err"}), (5, "in", tell("go")))
    assert it.until(5) == [(5, "in", tell("go"))]


def test_a_signal_that_is_not_in_the_recording_ends_the_replay(rig: MakeRig) -> None:
    it = rig("plugin", *EXCHANGE, (30, "exit", {"code": 0}))
    it.see("signal", signal="SIGTERM")
    assert it.until(1) == [(0, "over", "SIGTERM came, which is not in the recording")]


def test_a_signal_that_the_recorded_plugin_outlived_may_come_twice(rig: MakeRig) -> None:
    it = rig("plugin", (5, "signal", {"signal": "SIGINT"}), (9, "exit", {"code": 0}))
    it.see("signal", signal="SIGINT")
    it.see("signal", signal="SIGINT")
    assert it.until(100) == [(4, "exit", {"code": 0})]


def test_a_good_exit_is_as_recorded_where_the_recording_ended_before_it(rig: MakeRig) -> None:
    it = rig("host", *EXCHANGE)
    it.until(0)
    it.see("exit", code=0)
    it.hear("out", answer(1, 1))
    it.see("eof", stream="out")
    it.until(20)
    assert it.found() == []


def test_it_is_told_where_something_has_not_come_and_a_bad_one_always(rig: MakeRig) -> None:
    early, bad = rig("host", *EXCHANGE), rig("host", *EXCHANGE)
    for it, code in ((early, 0), (bad, 3)):
        it.until(0)
        it.see("exit", code=code)
    bad.hear("out", answer(1, 1))
    assert early.found() == [
        ("missing", "response read (1)"),
        ("extra", "plugin exited with code 0"),
    ]
    assert bad.found() == [("extra", "plugin exited with code 3")]


def test_what_the_recording_does_not_tell_is_not_compared(rig: MakeRig) -> None:
    it = rig("plugin", (5, "signal", {}), (9, "exit", {}))
    it.see("signal", signal="SIGTERM")
    assert it.until(100) == [(4, "exit", {})]
    assert it.found() == []


WRITTEN_TO_THE_DEAD: tuple[Happened, ...] = (
    (10, "exit", {"signal": "SIGTERM"}),
    (50, "in", ask(1, "read")),
)


def test_what_came_after_its_own_end_a_plugin_does_not_miss(rig: MakeRig) -> None:
    it = rig("plugin", *WRITTEN_TO_THE_DEAD)
    assert it.until(10) == [(10, "exit", {"signal": "SIGTERM"})]
    assert it.found() == []


def test_a_host_may_write_to_a_plugin_that_has_ended_as_recorded(rig: MakeRig) -> None:
    it = rig("host", *WRITTEN_TO_THE_DEAD)
    asked = Send("in", ask(1, "read"), None)
    assert not it.engine.is_in_vain(asked)
    it.see("exit", signal="SIGTERM")
    due = it.engine.next(40_000_000)
    assert isinstance(due, Send)
    assert it.engine.is_in_vain(due)
    assert not it.engine.is_in_vain(asked)  # it is not from the recording
