"""Batches of JSON-RPC: live ids in the place of recorded ones, in whatever order items come."""

from random import Random
from typing import Any

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tapproxy.replay.batches import pairs, reordered
from tapproxy_viewers.differences import ABSENT
from tests.tapproxy.replay.rig import MakeRig, answer, ask, tell
from tests.tapproxy.replay.spelling import HANDS, spelled

IDS = st.integers(0, 99) | st.text('ab1"\\/é', max_size=3)
COUNTS = st.integers(1, 5)

MISSED = "nothing recorded answers batch; the nearest, #1, has 0.params.n 1, not 2"

examples = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def distinct_ids(count: int) -> st.SearchStrategy[list[Any]]:
    return st.lists(IDS, min_size=count, max_size=count, unique_by=orjson.dumps)


def question(key: Any, number: int) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": key, "method": "read", "params": {"id": number}}


def reply(key: Any, number: int) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": key, "result": {"id": number, "of": "it"}}


def batch(*lines: bytes) -> bytes:
    return b"[" + b",".join(it.rstrip() for it in lines) + b"]\n"


@examples
@given(COUNTS.flatmap(lambda n: st.tuples(distinct_ids(n), distinct_ids(n))), HANDS)
def test_any_batch_in_any_order_is_answered_with_the_ids_that_it_has(
    rig: MakeRig, ids: tuple[list[Any], list[Any]], hand: Random
) -> None:
    recorded, live = ids
    numbers = list(range(len(recorded)))
    asked, answered, now = (hand.sample(numbers, len(numbers)) for _ in range(3))
    notice = {"jsonrpc": "2.0", "method": "hint", "params": {"id": recorded[0]}}
    said = [spelled(reply(recorded[it], it), hand).replace("\n", " ") for it in answered]
    between = hand.choice([",", " ,\t", ", "])
    it = rig(
        "plugin",
        (0, "in", orjson.dumps([*(question(recorded[it], it) for it in asked), notice]) + b"\n"),
        (1, "out", f"[{between.join(said)}]\n".encode()),
        (2, "eof", {"stream": "in", "by": "host"}),
        (3, "exit", {"code": 0}),
    )
    it.hear("in", orjson.dumps([notice, *(question(live[it], it) for it in now)]) + b"\n")
    it.see("eof", stream="in")
    (_, _, data), *_ = it.until(5)
    assert orjson.loads(data) == [reply(live[it], it) for it in answered]
    assert it.found() == []


def test_nothing_but_the_ids_of_answers_changes(rig: MakeRig) -> None:
    said = (
        b'[ {"id" : %b,"result":{"id":1}},\t{"result":[1,2], "id":%b},{"id":1,"method":"c"} ]\r\n'
    )
    recorded, live = said % (b"2", b"1"), said % (b'"b"', b'"a"')
    it = rig("plugin", (0, "in", batch(ask(1, "a"), ask(2, "b"))), (1, "out", recorded))
    it.hear("in", batch(ask("b", "b"), ask("a", "a")))
    assert [data for _, _, data in it.until(5)] == [live]


def test_answers_in_another_order_within_a_batch_are_the_same(rig: MakeRig) -> None:
    said = answer(1, "A"), answer(2, "B")
    it = rig("host", (0, "in", batch(ask(1, "a"), ask(2, "b"))), (5, "out", batch(*said)))
    it.until(0)
    it.hear("out", batch(*reversed(said)))
    assert it.found() == []


def test_answers_that_have_changed_places_are_not(rig: MakeRig) -> None:
    said = answer(1, "A"), answer(2, "B")
    it = rig("host", (0, "in", batch(ask(1, "a"), ask(2, "b"))), (5, "out", batch(*said)))
    it.until(0)
    it.hear("out", batch(answer(1, "B"), answer(2, "A")))
    assert [kind for kind, _ in it.found()] == ["changed"]


def test_a_question_in_it_that_is_not_recorded_is_named_and_each_is_refused(rig: MakeRig) -> None:
    it = rig("plugin", (0, "in", batch(ask(1, "a", n=1), ask(2, "b", n=1))), (9, "out", tell("x")))
    it.hear("in", batch(ask(8, "b", n=1), ask(9, "a", n=2)))
    (_, _, said), *_ = it.until(0)
    assert [(one["id"], one["error"]["code"]) for one in orjson.loads(said)] == [
        (8, -32001),
        (9, -32001),
    ]
    assert ("miss", MISSED) in it.found()


def test_the_progress_of_a_question_in_a_batch_has_the_live_token(rig: MakeRig) -> None:
    def call(key: int, token: str) -> bytes:
        return ask(key, "tools/call", name="t", _meta={"progressToken": token})

    def progress(token: str) -> bytes:
        return tell("notifications/progress", progressToken=token, progress=1)

    happened = (0, "in", batch(call(1, "old"))), (1, "out", progress("old"))
    it = rig("plugin", *happened, (2, "out", batch(answer(1, {}))), dialect="mcp")
    it.hear("in", batch(call(7, "new")))
    assert [data for _, _, data in it.until(5)] == [progress("new"), batch(answer(7, {}))]


@pytest.mark.parametrize(
    ("one", "other", "paired", "in_order"),
    [
        ("abc", "cab", [(0, 1), (1, 2), (2, 0)], ["a", "b", "c"]),
        ("aab", "aba", [(0, 0), (1, 2), (2, 1)], ["a", "a", "b"]),
        ("abc", "xcy", [(2, 1), (0, 0), (1, 2)], ["x", "y", "c"]),
        ("ab", "b", [(1, 0)], [ABSENT, "b"]),
        ("b", "abc", [(0, 1)], ["b", "a", "c"]),
        ("", "", [], []),
    ],
)
def test_items_find_those_that_are_the_same_and_the_others_stay_in_their_order(
    one: str, other: str, paired: list[tuple[int, int]], in_order: list[Any]
) -> None:
    assert list(pairs(one, other)) == paired
    assert reordered(one, other) == in_order
