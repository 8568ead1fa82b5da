"""A peer that never pauses keeps nothing else from being seen."""

import os
from collections.abc import Callable
from typing import Any, cast

import anyio
from anyio.abc import TaskStatus

from tapproxy.replay.doing import Over, Sleep
from tapproxy.replay.player import Player
from tapproxy_store.records import Event, Stream

MOST_HEARD = 1_000_000
SECOND = 1_000_000_000


class _Chatter:
    """Stands in for an engine, and for a peer that has always said something more."""

    is_over = False

    def __init__(self, voice: int) -> None:
        self._voice = voice
        self.heard_bytes = 0
        self.happenings: list[Event] = []

    def next(self, now_ns: int) -> Over | Sleep:
        return Over() if self.happenings else Sleep(now_ns + 10 * SECOND)

    def heard(self, stream: Stream, data: bytes, now_ns: int) -> list[Any]:
        del stream, now_ns
        self.heard_bytes += len(data)
        assert self.heard_bytes < MOST_HEARD
        os.write(self._voice, b"more")
        return []

    def happened(self, event: Event, now_ns: int) -> list[Any]:
        del now_ns
        self.happenings.append(event)
        return []


class _Watching:
    """A stage where a signal comes a moment later."""

    def __init__(self, inlet: int) -> None:
        self.inlets: dict[Stream, int] = {"in": inlet}

    async def write(self, stream: Stream, data: bytes, *, goes_on: bool = False) -> bool:
        raise AssertionError((stream, data, goes_on))

    async def perform(self, event: Event) -> None:
        raise AssertionError(event)

    async def watch(
        self, happened: Callable[[Event], None], *, task_status: TaskStatus[None]
    ) -> None:
        task_status.started()
        await anyio.sleep(0.01)
        happened(Event(0, 0, 0, "signal", {"signal": "SIGTERM"}))


def test_a_signal_is_seen_while_the_peer_talks_without_a_pause() -> None:
    inlet, voice = os.pipe()
    os.write(voice, b"first")
    engine = _Chatter(voice)

    async def play() -> Over:
        return await Player(cast("Any", engine), _Watching(inlet)).run()

    try:
        assert anyio.run(play) == Over()
    finally:
        os.close(inlet)
        os.close(voice)
    assert [it.kind for it in engine.happenings] == ["signal"]
    assert engine.heard_bytes > len(b"first")
