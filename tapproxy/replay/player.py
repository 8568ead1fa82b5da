"""Carries out what the engine says, on descriptors and a clock, and tells it what the peer does."""

import time
from collections.abc import Callable
from typing import Protocol

import anyio
from anyio.abc import TaskGroup, TaskStatus

from tapproxy.replay.engine import Engine, Over, Perform, Send, Sleep
from tapproxy.replay.pipes import read
from tapproxy_store.records import Event, Stream

Clock = Callable[[], int]
"""Nanoseconds since any instant; never goes back."""


class Stage(Protocol):
    """Where a side is played: what its bytes and acts go to, and what comes from the peer."""

    @property
    def inlets(self) -> dict[Stream, int]:
        """The descriptors that the peer writes to, by stream."""
        ...

    async def write(self, stream: Stream, data: bytes) -> bool:
        """Write at once; False where nobody reads any more."""
        ...

    async def perform(self, event: Event) -> None:
        """Do what is not bytes."""
        ...

    async def watch(
        self, happened: Callable[[Event], None], *, task_status: TaskStatus[None]
    ) -> None:
        """Tell what the peer does besides its bytes, until cancelled; started: it sees all."""
        ...


class Player:
    """Plays one side to its end."""

    def __init__(self, engine: Engine, stage: Stage, clock: Clock = time.monotonic_ns) -> None:
        self._engine = engine
        self._stage = stage
        self._clock = clock
        self._changed = anyio.Event()
        self._reading: dict[Stream, anyio.Event] = {}  # set while a stream is read

    async def run(self) -> Over:
        """Play until the engine is done; return how it ended."""
        async with anyio.create_task_group() as tasks:
            await self._start(tasks)
            over = await self._play()
            tasks.cancel_scope.cancel()
        return over

    async def _start(self, tasks: TaskGroup) -> None:
        await tasks.start(self._stage.watch, self._happened)
        for stream, descriptor in self._stage.inlets.items():
            self._reading[stream] = _set()
            tasks.start_soon(self._read, stream, descriptor)

    async def _play(self) -> Over:
        while True:
            due = self._engine.next(self._clock())
            if isinstance(due, Over):
                return due
            if isinstance(due, Sleep):
                await self._sleep(due.until_ns)
            elif isinstance(due, Send):
                is_read = await self._stage.write(due.stream, due.data)
                self._engine.sent(due, self._clock())
                if not is_read and due.stream != "err":  # a log that nobody reads ends nothing
                    return Over(f"nobody reads {due.stream} any more")
            else:
                await self._perform(due)

    async def _perform(self, due: Perform) -> None:
        event = due.event
        if event.kind in ("stall", "stall-end"):
            self._hold(event)
        else:
            await self._stage.perform(event)
        self._engine.performed(due.step, self._clock())

    def _hold(self, event: Event) -> None:
        """Stop reading a stream, or go on."""
        stream = event.detail.get("stream")
        if stream in self._reading:
            self._reading[stream] = anyio.Event()
            if event.kind == "stall-end":
                self._reading[stream].set()

    async def _sleep(self, until_ns: int) -> None:
        """Wait for the instant, or for the peer to do something."""
        with anyio.move_on_after(max(until_ns - self._clock(), 0) / 1e9):
            await self._changed.wait()
        self._changed = anyio.Event()

    async def _read(self, stream: Stream, descriptor: int) -> None:
        while True:
            await self._reading[stream].wait()
            data = await read(descriptor)
            if not data:
                self._happened(Event(0, 0, 0, "eof", {"stream": stream}))
                return
            self._engine.heard(stream, data, self._clock())
            self._changed.set()

    def _happened(self, event: Event) -> None:
        self._engine.happened(event, self._clock())
        self._changed.set()


def _set() -> anyio.Event:
    event = anyio.Event()
    event.set()
    return event
