"""Carries out what the engine says, on descriptors and a clock, and tells it what the peer does."""

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Protocol

import anyio
import anyio.lowlevel
from anyio.abc import TaskGroup, TaskStatus

from tapproxy.replay.doing import Over, Pass, Perform, Send, Sleep
from tapproxy.replay.engine import Engine
from tapproxy.replay.pipes import Inlet
from tapproxy.replay.script import Write
from tapproxy.replay.spoken import Spoken
from tapproxy.replay.stopwatch import Clock, Stopwatch
from tapproxy.replay.wording import unread
from tapproxy_store.records import Event, Stream

AT_ONCE_MS = 1
"""How long a peer's next words are waited for past the event loop, which takes longer than all that
is to be done about them. Nothing else is seen meanwhile."""

MOST_TURNS = 32
"""After so many things that were done in a row the event loop has its turn: a signal may wait."""


class Stage(Protocol):
    """Where a side is played: what its bytes and acts go to, and what comes from the peer."""

    @property
    def inlets(self) -> dict[Stream, int]:
        """The descriptors that the peer writes to, by stream."""
        ...

    async def write(self, stream: Stream, data: bytes, *, goes_on: bool = False) -> bool:
        """Write at once; False where nobody reads any more.

        `goes_on`: the rest of the last frame comes with the next write of the stream.
        """
        ...

    async def perform(self, event: Event) -> None:
        """Do what is not bytes."""
        ...

    async def watch(
        self, happened: Callable[[Event], None], *, task_status: TaskStatus[None]
    ) -> None:
        """Tell what the peer does besides its bytes, until cancelled; started: it sees all."""
        ...


class Hand(Protocol):
    """One who decides about each thing before it is done, and sees what the peer does."""

    def at_work(self) -> AbstractContextManager[object]:
        """Hold what is needed while the replay goes on; give it back, however that ends."""
        ...

    async def attend(self, end: Callable[[str], None], *, task_status: TaskStatus[None]) -> None:
        """Listen to decisions, until cancelled; `end` ends the replay, and is told why."""
        ...

    async def decided(self, due: Send | Perform) -> Send | Perform | None:
        """Return what is to be done instead; None: nothing. Cancelled when the replay is over."""
        ...

    def saw(self, happened: Event | None, spoken: Sequence[Spoken]) -> None:
        """Take what the peer has done, and the frames that were over with it."""
        ...


class Behind(Protocol):
    """The real plugin, where it answers what the recording cannot; it tells the engine itself."""

    def tell(self, data: bytes) -> None:
        """Have it get these bytes, in the order of the calls."""
        ...

    def go_on(self) -> None:
        """Take note that the host has read more: there may be room for what it says."""
        ...

    async def run(self, clock: Clock, happened: Callable[[], None]) -> None:
        """Hear it until cancelled; `happened` is called after each thing that it does."""
        ...


class Player:
    """Plays one side to its end."""

    def __init__(
        self,
        engine: Engine,
        stage: Stage,
        clock: Clock = time.monotonic_ns,
        hand: Hand | None = None,
        behind: Behind | None = None,
    ) -> None:
        """While `hand` decides, the clock stands still: no patience runs out."""
        self._engine = engine
        self._stage = stage
        self._watch = Stopwatch(clock)
        self._clock = clock if hand is None else self._watch
        self._hand = hand
        self._behind = behind
        self._deciding: anyio.CancelScope | None = None  # while the hand decides
        self._ended: Over | None = None  # by hand
        self._changed = anyio.Event()
        self._reading: dict[Stream, anyio.Event] = {}  # set while a stream is read
        self._inlets: dict[Stream, Inlet] = {}
        self._turns = 0  # since the event loop had its own

    async def run(self) -> Over:
        """Play until the engine is done; return how it ended."""
        async with anyio.create_task_group() as tasks:
            await self._start(tasks)
            self._hear_at_once(self._clock())  # to begin may have taken longer than patience lasts
            with nullcontext() if self._hand is None else self._hand.at_work():
                over = await self._play()
            tasks.cancel_scope.cancel()
        return over

    async def _start(self, tasks: TaskGroup) -> None:
        await tasks.start(self._stage.watch, self._happened)
        if self._hand is not None:
            await tasks.start(self._hand.attend, self._end)
        for stream, descriptor in self._stage.inlets.items():
            self._reading[stream] = _set()
            self._inlets[stream] = Inlet(descriptor)
            tasks.start_soon(self._read, stream)
        if self._behind is not None:
            tasks.start_soon(self._behind.run, self._clock, self._wake)

    async def _play(self) -> Over:
        while self._ended is None:
            self._turns += 1
            if self._turns > MOST_TURNS:
                self._turns = 0
                await anyio.lowlevel.checkpoint()
            due = self._engine.next(self._clock())
            if isinstance(due, Over):
                return due
            if isinstance(due, Sleep):
                await self._sleep(due.until_ns)
                continue
            if isinstance(due, Pass):
                if self._behind is not None:
                    self._behind.tell(due.data)
                continue
            todo = due if self._hand is None else await self._decided(self._hand, due)
            if isinstance(todo, Send):
                if not await self._send(todo) and not self._engine.is_in_vain(todo):
                    return Over(unread(todo.stream))
            elif todo is not None:
                await self._perform(todo)
        return self._ended

    async def _decided(self, hand: Hand, due: Send | Perform) -> Send | Perform | None:
        """Return what is to be done instead; None: nothing, or the replay is over."""
        with self._watch.stopped(), anyio.CancelScope() as self._deciding:
            todo = await hand.decided(due)
            if todo is None and due.step is not None:
                self._engine.skipped(due.step, self._clock())
            return todo
        return None

    def _decide_no_more(self) -> None:
        if self._deciding is not None:
            self._deciding.cancel()

    def _wake(self) -> None:
        self._changed.set()

    def _end(self, why: str) -> None:
        """End the replay by hand."""
        self._ended = Over(why)
        self._decide_no_more()
        self._changed.set()

    async def _send(self, due: Send) -> bool:
        """Write; False where nobody reads any more what is not only a log."""
        write = due.step.does if due.step is not None else None
        goes_on = write.goes_on if isinstance(write, Write) else due.ended == 0
        is_read = await self._stage.write(due.stream, due.data, goes_on=goes_on)
        self._engine.sent(due, self._clock())
        if self._behind is not None:
            self._behind.go_on()
        return is_read or due.stream == "err"

    async def _perform(self, due: Perform) -> None:
        event = due.event
        if event.kind in ("stall", "stall-end"):
            self._hold(event)
        else:
            if event.kind == "broken-pipe":  # its number may be another file's from now on
                self._inlets.pop(event.detail["stream"], None)
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
        if self._hear_at_once(until_ns):
            return
        with anyio.move_on_after(max(until_ns - self._clock(), 0) / 1e9):
            await self._changed.wait()
        if not self._changed.is_set():  # we may have been stopped: patience is not to end unheard
            self._hear_at_once(until_ns)
        self._changed = anyio.Event()

    def _hear_at_once(self, until_ns: int) -> bool:
        """Take what the peer says within a moment, if it says anything before that instant."""
        if self._changed.is_set():
            return False
        within_ms = max(min(AT_ONCE_MS, (until_ns - self._clock()) // 1_000_000), 0)
        for stream, inlet in self._inlets.items():
            data = inlet.read_at_once(within_ms) if self._reading[stream].is_set() else b""
            if data:
                self._hear(stream, data)
                return True
        return False

    async def _read(self, stream: Stream) -> None:
        inlet = self._inlets.get(stream)
        while inlet is not None:  # None: it was closed before anything was to be read
            await self._reading[stream].wait()
            data = await inlet.read()
            if not data:
                self._inlets.pop(stream, None)
                self._happened(Event(0, 0, 0, "eof", {"stream": stream}))
                return
            self._hear(stream, data)
            self._changed.set()

    def _hear(self, stream: Stream, data: bytes) -> None:
        self._show(None, self._engine.heard(stream, data, self._clock()))

    def _happened(self, event: Event) -> None:
        self._show(event, self._engine.happened(event, self._clock()))
        self._changed.set()

    def _show(self, happened: Event | None, spoken: Sequence[Spoken]) -> None:
        if self._hand is not None:
            self._hand.saw(happened, spoken)
            if self._engine.is_over:
                self._decide_no_more()


def _set() -> anyio.Event:
    event = anyio.Event()
    event.set()
    return event
