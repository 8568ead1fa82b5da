"""When a replay is over: once the other side has left, and nothing of it can come any more."""

from tapproxy.replay.engine import Options
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
