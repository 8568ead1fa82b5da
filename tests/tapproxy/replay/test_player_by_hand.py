"""A player with a hand does what that decides, and no time goes by meanwhile."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Literal

import anyio
from anyio.abc import TaskStatus

from tapproxy.replay.doing import Options, Over, Perform, Send
from tapproxy.replay.player import Player
from tapproxy.replay.schedule import Pace
from tapproxy.replay.spoken import Spoken
from tapproxy_store.records import Event, Stream
from tests.tapproxy.replay.rig import MS, Happened, MakeRig, Rig, answer, ask, make_rig, tell

__all__ = ["make_rig"]  # a fixture

HOUR_NS = 3600 * 1000 * MS

Due = Send | Perform

Decision = Literal["take", "skip", "edit", "end"]


class PipeStage:
    """Reads what the peer says from a pipe; keeps what is written."""

    def __init__(self, inlet: int) -> None:
        self.inlets: dict[Stream, int] = {"in": inlet}
        self.done: list[object] = []

    async def write(self, stream: Stream, data: bytes, *, goes_on: bool = False) -> bool:
        self.done.append((stream, data, goes_on))
        return True

    async def perform(self, event: Event) -> None:
        self.done.append(event.kind)

    async def watch(
        self, happened: Callable[[Event], None], *, task_status: TaskStatus[None]
    ) -> None:
        del happened
        task_status.started()
        await anyio.sleep_forever()


class ScriptedHand:
    """Thinks an hour about each step, and decides as it was told to."""

    def __init__(self, *decisions: Decision) -> None:
        self.now_ns = 0
        self.asked: list[bytes | str] = []
        self.seen: list[str] = []
        self.is_at_work = False
        self._decisions = iter(decisions)
        self._end: Callable[[str], None] = print
        self._peer_has_left = anyio.Event()

    @contextmanager
    def at_work(self) -> Iterator[None]:
        self.is_at_work = True
        yield
        self.is_at_work = False

    async def attend(self, end: Callable[[str], None], *, task_status: TaskStatus[None]) -> None:
        self._end = end
        task_status.started()

    async def decided(self, due: Due) -> Due | None:
        self.asked.append(due.data if isinstance(due, Send) else due.event.kind)
        self.now_ns += HOUR_NS
        await self._peer_has_left.wait()  # it is heard while somebody thinks
        decision = next(self._decisions)
        if decision == "end":
            self._end("enough")
            await anyio.sleep_forever()
        if decision == "edit" and isinstance(due, Send):
            return replace(due, data=tell("three") + tell("four"), is_edited=True)
        return None if decision == "skip" else due

    def saw(self, happened: Event | None, spoken: Sequence[Spoken]) -> None:
        self.seen += [it.method or "" for it in spoken]
        if happened is not None:
            self.seen.append(happened.kind)
            self._peer_has_left.set()


SPOKEN: tuple[Happened, ...] = (
    (0, "in", ask(1, "a") + ask(2, "b")),
    (1000, "out", tell("one")),
    (2000, "out", tell("two")),
    (5000, "out", answer(1, 1)),
    (90000, "out", answer(2, 2)),
    (90001, "exit", {"code": 0}),
)


def played(rig: MakeRig, hand: ScriptedHand) -> tuple[Over, list[object], Rig]:
    """Play before a host that asks both questions at once and then closes its stdin."""
    options = Options(pace=Pace(0), patience_ns=MS)
    made = rig("plugin", *SPOKEN, options=options)
    inlet, peer = os.pipe()
    os.write(peer, ask(1, "a") + ask(2, "b"))
    os.close(peer)
    stage = PipeStage(inlet)
    try:
        over = anyio.run(Player(made.engine, stage, lambda: hand.now_ns, hand).run)
    finally:
        os.close(inlet)
    assert not hand.is_at_work
    return over, stage.done, made


def test_each_step_is_decided_and_no_patience_runs_out_meanwhile(rig: MakeRig) -> None:
    hand = ScriptedHand("take", "skip", "take", "take", "take")
    over, done, made = played(rig, hand)
    assert over == Over()
    assert hand.asked == [tell("one"), tell("two"), answer(1, 1), answer(2, 2), "exit"]
    assert done == [
        ("out", tell("one"), False),
        ("out", answer(1, 1), False),
        ("out", answer(2, 2), False),
        "exit",
    ]
    assert hand.seen == ["a", "b", "eof"]
    findings = made.engine.conclude()
    assert (findings.steps, findings.skipped, findings.edited) == (4, 1, 0)
    assert findings.found == []


def test_what_is_edited_goes_out_and_what_comes_after_it_is_understood(rig: MakeRig) -> None:
    hand = ScriptedHand("edit", "edit", "take", "skip", "take")
    over, done, made = played(rig, hand)
    assert over == Over()
    edited = ("out", tell("three") + tell("four"), False)
    assert done == [edited, edited, ("out", answer(1, 1), False), "exit"]
    findings = made.engine.conclude()
    assert (findings.steps, findings.skipped, findings.edited) == (4, 1, 2)


def test_the_hand_ends_a_replay(rig: MakeRig) -> None:
    hand = ScriptedHand("take", "end")
    over, done, _ = played(rig, hand)
    assert over == Over("enough")
    assert done == [("out", tell("one"), False)]
