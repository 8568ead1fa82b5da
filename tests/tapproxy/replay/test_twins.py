"""A question that is a recorded one but for its id is not read, and that changes nothing."""

from collections.abc import Iterator, Sequence
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapproxy.dialects.registry import dialects
from tapproxy.replay.live import MOST_UNREAD, Conversation
from tapproxy.replay.script import Expected, Item, Step, Write
from tapproxy.replay.source import Source
from tapproxy.replay.spoken import Spoken
from tapproxy.replay.twins import twin_id
from tapproxy_store.records import Session, Told
from tests.tapproxy.replay.simulated import FIXTURES, Taken, taken

FORGETTING = {it.name for it in dialects() if it.forgets_exchanges}

TAPES = sorted(it for name in FORGETTING for it in (FIXTURES / "dialects" / name).glob("*.tape"))

QUESTION = b'{"jsonrpc":"2.0","id":%b,"method":"echo","params":{"text":"a"}}'


def asked(body: bytes, key: str | None = "1") -> Spoken:
    return Spoken(1, "in", body, "request", "echo", key, asks=True, frame=1, is_regular=True)


@pytest.mark.parametrize("live", [b"1", b"0", b"-7", b"123456789012345", b'""', b'"a b/c-\\u0041"'])
def test_the_id_is_told_where_nothing_else_differs(live: bytes) -> None:
    found = twin_id(asked(QUESTION % b"1"), QUESTION % live)
    assert found == (None if b"\\" in live else live.decode())


@pytest.mark.parametrize(
    ("recorded", "live"),
    [
        (QUESTION % b"1", QUESTION % b"01"),
        (QUESTION % b"1", QUESTION % b"2.0"),
        (QUESTION % b"1", QUESTION % b"1e3"),
        (QUESTION % b"1", QUESTION % b"null"),
        (QUESTION % b"1", QUESTION % b'"\xff"'),
        (QUESTION % b"1", QUESTION % b"12345678901234567890"),
        (QUESTION % b"1", (QUESTION % b"2").replace(b"echo", b"ohce")),
        (QUESTION % b"1", (QUESTION % b"2").replace(b":2", b": 2")),
        (QUESTION % b"1", QUESTION % b"2" + b" "),
        (b'{"params":{"id":1},"ID":1}', b'{"params":{"id":2},"ID":1}'),
        (b'{"a":[{"id":1}],"i\\u0064":1,"b":[]}', b'{"a":[{"id":2}],"i\\u0064":1,"b":[]}'),
        (b'{"id":1,"a":{"id":3}}', b'{"id":2,"a":{"id":3}}'),
    ],
)
def test_anything_else_is_left_to_those_who_read(recorded: bytes, live: bytes) -> None:
    assert twin_id(asked(recorded), live) is None


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["id", "a"]), inner)
    ),
    max_leaves=6,
)
ids = st.integers(-(10**18), 10**18) | st.text(max_size=4)


@given(
    st.lists(st.tuples(st.sampled_from(["a", "b", "params"]), json_values), max_size=3),
    st.integers(0, 3),
    ids,
    ids,
)
def test_what_is_told_is_what_a_reader_finds(
    others: list[tuple[str, Any]], place: int, then: int | str, now: int | str
) -> None:
    def text(key: int | str) -> bytes:
        members = list(dict(others).items())
        return orjson.dumps(dict([*members[:place], ("id", key), *members[place:]]))

    recorded, live = text(then), text(now)
    found = twin_id(asked(recorded, orjson.dumps(then).decode()), live)
    assert found in (None, orjson.dumps(now).decode())


@given(st.binary(max_size=4), st.integers(0, 70), st.integers(0, 4))
def test_bytes_that_are_taken_for_a_twin_are_one(new: bytes, at: int, size: int) -> None:
    recorded = QUESTION % b"17"
    live = recorded[:at] + new + recorded[at + size :]
    found = twin_id(asked(recorded, "17"), live)
    if found is not None:
        assert orjson.loads(live) == orjson.loads(recorded) | {"id": orjson.loads(found)}


@pytest.mark.parametrize("tape", TAPES, ids=lambda it: f"{it.parent.name}/{it.stem}")
def test_what_a_peer_says_is_the_same_whether_twins_are_read_or_not(tape: Any) -> None:
    with taken(tape) as it:
        items = list(Source(it.recording, it.session).items("plugin"))
        assert heard(it, items, skip=True) == heard(it, items, skip=False)


def test_an_answer_is_passed_once_its_question_is_and_no_other_is() -> None:
    with taken(FIXTURES / "dialects" / "mcp" / "time.tape") as it:
        source = Source(it.recording, it.session)
        items = list(source.items("plugin"))
        conversation = Conversation(it.session, "mcp")
        passed = []
        for at, item in enumerate(items):
            if isinstance(item, Expected) and isinstance(item.what, Told):
                data = b"".join(piece.data for piece in it.recording.pieces(item.what.frame))
                conversation.said("in", data, item.t_ns, expected(source, items[at:]))
            elif isinstance(item, Step) and isinstance(item.does, Write):
                passed.append((conversation.passes(item.does), conversation.passes(item.does)))
                if not passed[-1][0]:
                    conversation.said(item.does.stream, item.does.data, item.t_ns)
    # the first tells how its stream is framed, the later ones are errors or after a cancellation
    assert passed == [(False, False), (True, False), (True, False), *[(False, False)] * 5]


def test_twins_without_answers_are_read_in_the_end() -> None:
    questions = [asked(QUESTION % b"%d" % at, str(at)) for at in range(2 * MOST_UNREAD)]
    twins = [it._replace(number=at, frame=at) for at, it in enumerate(questions, 1)]
    conversation = Conversation(Session(1, "", 0, 0, None, None, "lines"), "jsonrpc")
    for it in twins:
        (live,) = conversation.said("in", it.body + b"\n", 0, [it])
        assert (live.method, live.id) == ("echo", it.id)
    answers = [b'{"jsonrpc":"2.0","id":%d,"result":1}\n' % at for at in range(2 * MOST_UNREAD)]
    spoken = [live for it in answers for live in conversation.said("out", it, 0)]
    assert [it.method for it in spoken] == ["echo"] * len(answers)


def heard(it: Taken, items: Sequence[Item], *, skip: bool) -> list[tuple[Any, ...]]:
    """Return what the host says, as a conversation tells it that may skip, or not."""
    conversation = Conversation(it.session, it.session.dialect or "")
    source = Source(it.recording, it.session)
    found = []
    for at, item in enumerate(items):
        if isinstance(item, Step):
            if isinstance(item.does, Write) and not (skip and conversation.passes(item.does)):
                conversation.said(item.does.stream, item.does.data, item.t_ns)
        elif isinstance(item.what, Told):
            data = b"".join(piece.data for piece in it.recording.pieces(item.what.frame))
            twins = expected(source, items[at:]) if skip else ()
            said = conversation.said(item.what.frame.stream, data, item.t_ns, twins)
            found += [(its.kind, its.method, its.id, its.asks, its.value()) for its in said]
    return found


def expected(source: Source, items: Sequence[Item]) -> Iterator[Spoken]:
    return (source.spoken(it) for it in items if isinstance(it, Expected) and _is_told(it))


def _is_told(item: Expected) -> bool:
    return isinstance(item.what, Told)
