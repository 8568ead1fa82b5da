"""The real plugin behind a replay: started when there is something to tell it, a child of ours."""

import os
import select
import signal
import subprocess
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import nullcontext, suppress
from threading import Thread
from typing import IO

import anyio
import anyio.to_thread

from tapproxy.replay.pipes import READ_SIZE, Inlet, Outlet
from tapproxy.replay.stages import see_off
from tapproxy.replay.stopwatch import Clock
from tapproxy.wire.linux import die_with_parent

LAST_WORDS_S = 0.5
"""How long its last words may take to arrive once it has ended, and its end once it is silent:
another process may hold its stdout."""

Heard = Callable[[bytes, int], None]
Lost = Callable[[str, int], None]
"""Told an instant of the replay's clock, as the engine is."""

IsFull = Callable[[], bool]


class RealPlugin:
    """Not started before the first words for it; `end` sees to it that it ends."""

    def __init__(
        self, command: Sequence[str], heard: Heard, lost: Lost, is_full: IsFull = lambda: False
    ) -> None:
        """`is_full` tells whether it is not to be read before `go_on`."""
        self._command = command
        self._heard = heard
        self._lost = lost
        self._is_full = is_full
        self._room = anyio.Event()
        self._was_held = False  # not read for a while
        self._unsaid: deque[bytes] = deque()
        self._has_words = anyio.Event()
        self._child: subprocess.Popen[bytes] | None = None
        self._copying: Thread | None = None

    def tell(self, data: bytes) -> None:
        """Have it get these bytes, in the order of the calls."""
        self._unsaid.append(data)
        self._has_words.set()

    def go_on(self) -> None:
        """Read it again, if there is room for what it says."""
        self._room.set()

    async def run(self, clock: Clock, happened: Callable[[], None]) -> None:
        """Start it once there are words for it, and hear it until cancelled.

        `happened` is called after each thing that it does.
        """

        def heard(data: bytes) -> None:
            self._heard(data, clock())
            happened()

        def lost(why: str) -> None:
            self._lost(why, clock())
            happened()

        await self._has_words.wait()
        try:
            child = self._start()
        except OSError as error:
            lost(f"cannot be started: {self._command[0]}: {error.strerror}")
            return
        silent, left = anyio.Event(), anyio.Event()
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._speak, Outlet(_descriptor(child.stdin), apart=True))
            tasks.start_soon(self._listen, Inlet(_descriptor(child.stdout)), heard, silent)
            tasks.start_soon(_see_it_leave, child, left)
            await _either(silent, left)
            await self._last_words(silent, left)
            lost(_ending(child.returncode))

    def end(self) -> None:
        """Close its stdin, and have it end."""
        if self._child is None:
            return
        for pipe in (self._child.stdin, self._child.stdout):
            if pipe is not None:
                pipe.close()
        see_off(self._child)
        if self._copying is not None:
            self._copying.join(LAST_WORDS_S)

    def _start(self) -> "subprocess.Popen[bytes]":
        pipe = subprocess.PIPE
        child = subprocess.Popen(
            self._command,
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            bufsize=0,
            preexec_fn=_die_with_us,  # noqa: PLW1509  no other thread imports, or forks
        )
        self._child = child
        self._copying = Thread(target=_copy, args=(child, 2), daemon=True)
        self._copying.start()
        return child

    async def _speak(self, outlet: Outlet) -> None:
        while True:
            await self._has_words.wait()
            self._has_words = anyio.Event()
            while self._unsaid:
                if not await outlet.write(self._unsaid.popleft()):
                    return

    async def _listen(
        self, inlet: Inlet, heard: Callable[[bytes], None], silent: anyio.Event
    ) -> None:
        while data := await inlet.read():
            heard(data)
            while self._is_full():
                self._was_held, self._room = True, anyio.Event()
                await self._room.wait()
        silent.set()

    async def _last_words(self, silent: anyio.Event, left: anyio.Event) -> None:
        """Wait for both, within a bound; while it is not read, that does not run."""
        self._was_held = True
        while self._was_held:
            self._was_held = self._is_full()
            with anyio.move_on_after(LAST_WORDS_S):
                await silent.wait()
                await left.wait()
                return


async def _see_it_leave(child: "subprocess.Popen[bytes]", left: anyio.Event) -> None:
    await anyio.to_thread.run_sync(child.wait, abandon_on_cancel=True)
    left.set()


async def _either(one: anyio.Event, other: anyio.Event) -> None:
    async with anyio.create_task_group() as tasks:

        async def wait(event: anyio.Event) -> None:
            await event.wait()
            tasks.cancel_scope.cancel()

        tasks.start_soon(wait, one)
        tasks.start_soon(wait, other)


def _die_with_us() -> None:
    """Have it end where a host kills us, who are its plugin: it might outlive the end of stdin."""
    die_with_parent(signal.SIGKILL)


def _ending(code: int | None) -> str:
    if code is None:
        return "closed its stdout"
    return f"died of {signal.Signals(-code).name}" if code < 0 else f"exited with code {code}"


def _descriptor(pipe: "IO[bytes] | None") -> int:
    if pipe is None:  # for the type checker: all three are pipes
        raise AssertionError
    return pipe.fileno()


def _copy(child: "subprocess.Popen[bytes]", target: int) -> None:
    """Pass on its log. A thread: a host that reads no stderr stops nothing else."""
    source = _descriptor(child.stderr)
    with suppress(OSError), child.stderr or nullcontext():
        while data := os.read(source, READ_SIZE):
            while data:
                try:
                    data = data[os.write(target, data) :]
                except BlockingIOError:
                    select.select([], [target], [])
