"""What differs from the recording is named, and a question that it does not know is refused."""

from typing import Any

import orjson
import pytest

from tapproxy.replay.engine import Options
from tapproxy.replay.schedule import Pace
from tests.tapproxy.replay.rig import Happened, MakeRig, answer, ask, tell

SECOND = 1_000_000_000

METHOD = Options(level="method")

QUESTION = ask(1, "read", path="/a", deep={"n": 1})
EXCHANGE: tuple[Happened, ...] = (
    (0, "in", QUESTION),
    (20, "out", answer(1, {"size": 3})),
)


def test_an_unknown_question_is_refused_and_the_nearest_is_named(rig: MakeRig) -> None:
    it = rig("plugin", *EXCHANGE, (30, "in", ask(2, "read", path="/zz", deep={"n": 2})))
    it.hear("in", ask(7, "read", path="/a", deep={"n": 2}))
    words = "nothing recorded answers request read (7)"
    words += "; the nearest, #1, has params.deep.n 1, not 2"
    error = {"code": -32001, "message": "not recorded", "data": words}
    [(at_ms, stream, data)] = it.until(100)
    assert (at_ms, stream, data[-1:]) == (0, "out", b"\n")
    assert orjson.loads(data) == {"jsonrpc": "2.0", "id": 7, "error": error}
    [finding] = it.engine.findings.found
    assert (finding.kind, finding.frame, finding.path) == ("miss", 1, "params.deep.n")
    assert (finding.recorded, finding.live) == ("1", "2")


def test_a_refusal_is_framed_as_the_protocol_is(rig: MakeRig) -> None:
    def framed(line: bytes) -> bytes:
        body = line.rstrip()
        return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)

    it = rig("plugin", (0, "in", framed(ask(1, "a"))), (5, "out", framed(answer(1, 1))))
    it.hear("in", framed(ask(1, "b")))
    [(_, _, data)] = it.until(0)
    header, _, body = data.partition(b"\r\n\r\n")
    assert header == b"Content-Length: %d" % len(body)
    assert orjson.loads(body)["error"]["code"] == -32001


def test_a_control_line_of_xlings_that_is_not_recorded_gets_a_warning(rig: MakeRig) -> None:
    def reply(value: str) -> bytes:
        line = {"action": "prompt-reply", "id": "go-on", "value": value}
        return orjson.dumps(line) + b"\n"

    prompt = b'{"id":"go-on","kind":"prompt","question":"?"}\n'
    exchange: tuple[Happened, ...] = ((10, "out", prompt), (20, "in", reply("yes")))
    it = rig("plugin", *exchange, dialect="xlings")
    it.hear("in", reply("no"))  # before it is asked
    words = 'nothing recorded answers control prompt-reply ("go-on"); the nearest, #2, '
    words += 'has value "yes", not "no"'
    [(_, _, data)] = it.until(5)
    assert orjson.loads(data) == {"kind": "log", "level": "warn", "message": words}
    [finding] = it.engine.findings.found
    assert (finding.kind, finding.frame, finding.path) == ("miss", 2, "value")
    it.hear("in", b'{"action":"pause"}\n')
    [(_, _, data)] = it.until(5)
    assert orjson.loads(data)["message"] == "nothing recorded answers control pause"


def test_a_question_that_was_asked_often_enough_is_refused_once_more(rig: MakeRig) -> None:
    it = rig("plugin", *EXCHANGE, (30, "in", tell("bye")))
    it.hear("in", ask(1, "read", path="/a", deep={"n": 1}))
    it.until(20)
    it.hear("in", ask(2, "read", path="/a", deep={"n": 1}))
    [(_, _, data)] = it.until(100)
    words = "nothing recorded answers request read (2) once more; #1 was the last"
    assert orjson.loads(data)["error"]["data"] == words


def test_repeated_questions_are_answered_in_recorded_order(rig: MakeRig) -> None:
    it = rig(
        "plugin",
        (0, "in", ask(1, "count")),
        (1, "out", answer(1, "one")),
        (2, "in", ask(2, "count")),
        (3, "out", answer(2, "two")),
    )
    it.hear("in", ask(8, "count"))
    it.hear("in", ask(9, "count"))
    assert [data for _, _, data in it.until(10)] == [answer(8, "one"), answer(9, "two")]


def test_on_a_miss_it_can_be_silent(rig: MakeRig) -> None:
    it = rig("plugin", *EXCHANGE, options=Options(on_miss="silent"))
    it.hear("in", ask(1, "other"))
    assert it.until(9000) == []
    assert it.found()[0] == ("miss", "nothing recorded answers request other (1)")


def test_on_a_miss_it_can_end(rig: MakeRig) -> None:
    it = rig("plugin", *EXCHANGE, options=Options(on_miss="exit"))
    it.hear("in", ask(1, "other"))
    assert it.until(9000) == [(0, "over", "nothing recorded answers request other (1)")]


SPACED = b'{"id":1, "method":"read", "jsonrpc":"2.0","params":{"deep":{"n":1},"path":"/a"}}\n'
OTHER_ID = ask(5, "read", path="/a", deep={"n": 1})
OTHER_VALUE = ask(1, "read", path="/b", deep={"n": 1})


@pytest.mark.parametrize(
    ("level", "accepted"),
    [
        ("exact", [QUESTION]),
        ("canonical", [QUESTION, SPACED]),
        ("semantic", [QUESTION, SPACED, OTHER_ID]),
        ("method", [QUESTION, SPACED, OTHER_ID, OTHER_VALUE]),
    ],
)
def test_levels_say_which_questions_are_recorded_ones(
    rig: MakeRig, level: Any, accepted: list[bytes]
) -> None:
    for question in (QUESTION, SPACED, OTHER_ID, OTHER_VALUE, ask(1, "write")):
        it = rig("plugin", *EXCHANGE, options=Options(level=level))
        it.hear("in", question)
        it.until(100)
        kinds = [kind for kind, _ in it.found()]
        assert kinds == ([] if question in accepted else ["miss", "missing", "unused"])


def test_what_is_ignored_is_no_difference(rig: MakeRig) -> None:
    it = rig("plugin", *EXCHANGE, options=Options(ignored=("params.path", "params.deep.*")))
    it.hear("in", ask(1, "read", path="/b", deep={"n": 9}))
    assert it.until(100) == [(20, "out", answer(1, {"size": 3}))]
    assert it.found() == []


def test_an_answer_with_another_value_is_told_with_both(rig: MakeRig) -> None:
    it = rig("host", *EXCHANGE)
    it.until(0)
    it.hear("out", answer(1, {"size": 4}))
    [finding] = it.engine.conclude().found
    assert (finding.kind, finding.words, finding.frame) == ("changed", "response read (1)", 2)
    assert (finding.path, finding.recorded, finding.live) == ("result.size", "3", "4")


@pytest.mark.parametrize(("took_ms", "count"), [(39, 0), (40, 0), (41, 1)])
def test_an_answer_that_takes_so_many_times_as_long_is_late(
    rig: MakeRig, took_ms: float, count: int
) -> None:
    it = rig("host", *EXCHANGE, options=Options(late_times=2, pace=Pace(0)))
    it.until(took_ms)
    it.hear("out", answer(1, {"size": 3}))
    expected = [("late", f"response read (1) took {took_ms:.0f} ms, not 20 ms")]
    assert it.found() == expected * count


def test_no_answer_is_late_that_is_quick(rig: MakeRig) -> None:
    happened = ((0, "in", ask(1, "a")), (0.01, "out", answer(1, 1)))
    for took_ms, count in ((9, 0), (11, 1)):
        it = rig("host", *happened, options=Options(late_times=2))
        it.until(took_ms)
        it.hear("out", answer(1, 1))
        assert len(it.found()) == count


def test_what_nobody_expected_and_what_did_not_come_is_told(rig: MakeRig) -> None:
    it = rig("host", *EXCHANGE, (25, "out", tell("done")), (30, "exit", {"code": 0}))
    it.until(0)
    it.hear("out", tell("what"))
    it.see("eof", stream="out")
    it.see("exit", code=2)
    it.until(100)
    assert it.found() == [
        ("extra", "notification what"),
        ("changed", "plugin exited with code 2"),
        ("missing", "response read (1)"),
        ("missing", "notification done"),
    ]


def test_answers_that_nobody_asked_for_are_told(rig: MakeRig) -> None:
    it = rig("plugin", *EXCHANGE, (30, "in", ask(2, "b")), (31, "out", answer(2, 1)))
    it.hear("in", ask(1, "b"))
    it.until(100)
    assert it.found() == [("missing", "request read (1)"), ("unused", "response read (1)")]


def test_a_step_that_waits_in_vain_is_told_with_what_came_instead(rig: MakeRig) -> None:
    it = rig("plugin", *EXCHANGE, options=Options(patience_ns=2 * SECOND, on_miss="silent"))
    it.hear("in", ask(1, "write"))
    words = "step 2 (write #2) waits for #1 request read, which does not come"
    words += "; instead came request write (1)"
    assert it.until(5000) == [(2000, "over", words)]


def test_patience_begins_when_the_peer_was_due_at_any_pace(rig: MakeRig) -> None:
    it = rig(
        "host",
        (0, "in", ask(1, "a")),
        (60_000, "out", answer(1, 1)),
        (60_001, "in", ask(2, "b")),
        options=Options(pace=Pace(0)),
    )
    it.until(0)
    assert it.until(69_999) == []
    [(at_ms, what, words)] = it.until(70_000)
    assert (at_ms, what) == (70_000, "over")
    assert words == "step 3 (write #3) waits for #2 response a, which does not come"


def test_nothing_is_waited_for_once_the_peer_has_closed_its_stream(rig: MakeRig) -> None:
    it = rig("plugin", *EXCHANGE)
    it.until(7)
    it.see("eof", stream="in")
    words = "step 2 (write #2) waits for #1 request read, which does not come"
    assert it.until(100)[0] == (7, "over", f"{words}; instead came host closed stdin")


def test_a_frame_that_nothing_ended_is_known_once_it_is_there(rig: MakeRig) -> None:
    cut = answer(1, "x" * 40)[:17]
    it = rig(
        "host",
        (0, "in", ask(1, "a")),
        (5, "out", cut),
        (3000, "signal", {"signal": "SIGKILL", "from": "host"}),
        (3001, "exit", {"signal": "SIGKILL"}),
    )
    it.until(0)
    it.hear("out", cut[:9])
    it.hear("out", cut[9:])
    done = it.until(5000)
    assert [(at_ms, what) for at_ms, what, _ in done] == [(3000, "signal")]
    it.see("eof", stream="out")
    it.see("exit", signal="SIGKILL")
    assert it.until(5000) == []
    assert it.found() == []


def test_a_frame_that_goes_on_past_its_recorded_end_is_told(rig: MakeRig) -> None:
    whole = answer(1, "x" * 40)
    it = rig("host", (0, "in", ask(1, "a")), (5, "out", whole[:17]), (9, "exit", {"code": 0}))
    it.until(0)
    it.hear("out", whole[:17])
    it.hear("out", whole[17:])
    it.see("exit", code=0)
    it.until(100)
    assert it.found() == [("extra", "response a (1)")]


def test_frames_too_large_to_be_read_are_compared_by_their_edges(rig: MakeRig) -> None:
    large = tell("large", text="x" * (9 << 20))
    happened: tuple[Happened, ...] = ((0, "in", large), (1, "out", tell("thanks")))
    for live, count in ((large, 0), (large.replace(b"large", b"other", 1), 2)):
        it = rig("plugin", *happened)
        for start in range(0, len(live), 1 << 16):
            it.hear("in", live[start : start + (1 << 16)])
        it.until(100)
        assert len(it.found()) == count


def test_what_a_plugin_said_before_its_exit_may_come_after_it(rig: MakeRig) -> None:
    it = rig("host", *EXCHANGE, (25, "exit", {"code": 0}))
    it.until(0)
    it.see("exit", code=0)
    assert it.until(10) == []
    it.hear("out", answer(1, {"size": 3}))
    it.see("eof", stream="out")
    assert it.until(10) == []
    assert (it.over_ms, it.found()) == (10, [])


def test_answers_to_a_batch_come_one_by_one_in_any_order(rig: MakeRig) -> None:
    batch = b"[%b,%b]\n" % (ask(1, "a").rstrip(), ask(2, "b").rstrip())
    it = rig("host", (0, "in", batch), (5, "out", answer(1, "A")), (6, "out", answer(2, "B")))
    it.until(0)
    it.hear("out", answer(2, "B"))
    it.hear("out", answer(1, "A"))
    assert it.found() == []


def test_a_second_answer_has_the_live_id_too(rig: MakeRig) -> None:
    it = rig("plugin", *EXCHANGE, (21, "out", answer(1, "again")), (22, "out", answer(9, "whose")))
    it.hear("in", ask(50, "read", path="/a", deep={"n": 1}))
    assert [data for _, _, data in it.until(100)] == [
        answer(50, {"size": 3}),
        answer(50, "again"),
        answer(9, "whose"),
    ]


def test_ids_are_bound_however_they_are_written(rig: MakeRig) -> None:
    recorded, live = rb'{"jsonrpc":"2.0","id":"\u0061","method":"x"}', b'{"id":7.50,"method":"x"}'
    reply = rb'{"jsonrpc":"2.0","id":"\u0061","result":[ ]}'
    it = rig("plugin", (0, "in", recorded + b"\n"), (1, "out", reply + b"\n"), options=METHOD)
    it.hear("in", live + b"\n")
    assert it.until(9) == [(1, "out", b'{"jsonrpc":"2.0","id":7.50,"result":[ ]}\n')]
