"""Memory does not grow with a session, nor with what a peer leaves out of it."""

import tracemalloc
from collections.abc import Iterator
from itertools import count

from tapproxy.dialects.registry import get_dialect
from tapproxy.replay.engine import Engine, Options, Over, Send
from tapproxy.replay.schedule import Pace
from tapproxy.replay.script import Expected, Step, Write
from tapproxy.replay.scripting import MOST_HELD, script
from tapproxy.replay.spoken import Spoken
from tapproxy_store.records import Chunk, Event, Frame, Session, Told
from tests.store.made import message
from tests.tapproxy.replay.rig import Happened, MakeRig, answer, ask, tell

SESSION = Session(1, "long", 0, 0, 0, None, "lines", dialect="jsonrpc")
BODY = "x" * 10_000


def lines(exchanges: int) -> Iterator[tuple[str, bytes]]:
    """Yield questions and their answers."""
    for key in range(1, exchanges + 1):
        yield "in", ask(key, "echo", text=BODY)
        yield "out", answer(key, BODY)


def chunks(exchanges: int) -> Iterator[Chunk | Event]:
    sizes = {"in": 0, "out": 0}
    for seq, (stream, line) in enumerate(lines(exchanges), 1):
        yield Chunk(seq, 1, "in" if stream == "in" else "out", seq, sizes[stream], line)
        sizes[stream] += len(line)


def told(exchanges: int) -> Iterator[Told]:
    for chunk in chunks(exchanges):
        assert isinstance(chunk, Chunk)
        seq, _, stream, t_ns, start, data = chunk
        place = (start, start + len(data), seq, seq, t_ns, t_ns, 0, "LF", None)
        if stream == "in":
            its = message(seq, kind="request", method="echo", id=str(seq // 2 + 1), asks=1)
        else:
            its = message(seq, kind="response", method="echo", answers=seq - 1, answers_part=0)
        yield Told(Frame(1, seq, stream, *place), (its,))


def spoken(expected: Expected) -> Spoken:
    return Spoken(expected.number, "in", expected.body, "request", "echo", asks=True)


def test_memory_is_that_of_a_part_of_the_session() -> None:
    exchanges = 2500
    tracemalloc.start()
    items = script(chunks(exchanges), told(exchanges), "plugin")
    dialect = get_dialect("jsonrpc")
    engine = Engine(items, SESSION, "plugin", dialect, spoken, Options(pace=Pace(0)), 0)
    sent = 0
    for now_ns, (stream, line) in zip(count(), lines(exchanges), strict=False):
        if stream == "in":
            engine.heard("in", line, now_ns)
            continue
        due = engine.next(now_ns)
        assert isinstance(due, Send)
        assert due.data == line
        engine.sent(due, now_ns)
        sent += 1
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (sent, engine.next(0), engine.conclude().count) == (exchanges, Over(), {})
    assert peak < 2 * exchanges * len(BODY) / 4


def test_what_a_peer_leaves_out_does_not_hold_the_rest(rig: MakeRig) -> None:
    told_often: list[Happened] = [(at_ms, "out", tell("tick", n=at_ms)) for at_ms in range(1, 5000)]
    it = rig(
        "host",
        (0, "in", ask(1, "a")),
        *told_often,
        (5000, "out", answer(1, "A")),
        (5001, "in", ask(2, "b")),
        options=Options(pace=Pace(0)),
    )
    it.until(0)
    it.hear("out", answer(1, "A"))
    assert it.until(60) == [(50, "in", ask(2, "b"))]
    assert it.engine.conclude().count == {"missing": 4999}


def test_a_frame_too_large_to_be_held_is_sent_as_it_was_and_kept_whole(rig: MakeRig) -> None:
    size = 1 << 20
    large = answer(1, "x" * (MOST_HELD + 3 * size))
    pieces = [large[at : at + size] for at in range(0, len(large), size)]
    happened: list[Happened] = [(at_ms, "out", it) for at_ms, it in enumerate(pieces, 1)]
    it = rig("plugin", (0, "in", ask(1, "a")), *happened, (90, "out", tell("after")))
    it.hear("in", ask(1, "a"))
    it.hear("in", ask(2, "unknown"))
    written = [data for _, stream, data in it.until(100) if stream == "out"]
    refusal, written = written[0], written[1:]
    assert b'"id":2' in refusal
    assert written == [*pieces, tell("after")]


def test_all_but_the_last_write_of_a_large_frame_go_on() -> None:
    size = 1 << 20
    large = b"x" * (MOST_HELD + 3 * size) + b"\n"
    reads = [
        Chunk(seq, 1, "out", seq, at, large[at : at + size])
        for seq, at in enumerate(range(0, len(large), size), 1)
    ]
    last = len(reads)
    frame = Frame(1, 1, "out", 0, len(large), 1, last, 1, last, 0, "LF", None)
    items = list(script(iter(reads), iter([Told(frame, ())]), "plugin"))
    writes = [it.does for it in items if isinstance(it, Step) and isinstance(it.does, Write)]
    assert [it.goes_on for it in writes] == [True] * (last - 1) + [False]
    assert [it.data for it in writes] == [it.data for it in reads]
