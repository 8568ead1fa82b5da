"""Where a side is played: the plugin on our own descriptors, the host before a child of ours."""

import os
import signal
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Literal, NoReturn

import anyio
from anyio.abc import TaskStatus

from tapproxy.replay.by_frame import ByFrame
from tapproxy.replay.ends import exit_code_of, signal_of
from tapproxy.replay.pipes import Outlet
from tapproxy_store.records import Event, Stream

CAUGHT = tuple(
    it for it in ("SIGTERM", "SIGINT", "SIGHUP", "SIGUSR1", "SIGUSR2") if hasattr(signal, it)
)
"""Signals that a host may send, and a plugin in its place must be able to outlive."""

Happened = Callable[[Event], None]

Chunks = Literal["recorded", "frames", "any"]
"""What is kept apart: the recorded reads; the frames; nothing."""


class Words:
    """Where what is said of the protocol goes: write for write, or frame for frame."""

    def __init__(self, descriptor: int, chunks: Chunks, framing: str) -> None:
        """`framing` is the recorded session's."""
        self._outlet = Outlet(descriptor, apart=chunks != "any")
        self._by_frame = ByFrame(framing) if chunks == "frames" else None
        self.close = self._outlet.close

    async def write(self, data: bytes, *, goes_on: bool) -> bool:
        """Write what is due of it; False where nobody reads any more."""
        if self._by_frame is None:
            return await self._outlet.write(data)
        for piece in self._by_frame.pieces(data, goes_on=goes_on):
            if not await self._outlet.write(piece):
                return False
        return True


class PluginStage:
    """On our own descriptors: what the host starts is us."""

    def __init__(self, chunks: Chunks, framing: str) -> None:
        """`framing` is the recorded session's."""
        self.inlets: dict[Stream, int] = {"in": 0}
        self.ended: Event | None = None  # how the recorded plugin ended, once it has
        self._stdout = Words(1, chunks, framing)
        self._stderr = Outlet(2, apart=chunks != "any")

    async def write(self, stream: Stream, data: bytes, *, goes_on: bool = False) -> bool:
        """Write to the host; its stderr is read as recorded, frames or not."""
        if stream == "err":
            return await self._stderr.write(data)
        return await self._stdout.write(data, goes_on=goes_on)

    async def perform(self, event: Event) -> None:
        """Close a stream, or take note of the exit: it comes after the report."""
        if event.kind == "exit":
            self.ended = event
        elif event.kind == "eof" and event.detail.get("stream") == "out":
            self._stdout.close()  # stderr closes with us: the report may go there
        elif event.kind == "broken-pipe" and event.detail.get("stream") == "in":
            os.close(0)

    async def watch(self, happened: Happened, *, task_status: TaskStatus[None]) -> None:
        """Tell of signals."""
        caught = [getattr(signal, it) for it in CAUGHT]
        with anyio.open_signal_receiver(*caught) as signals:
            task_status.started()
            async for number in signals:
                happened(Event(0, 0, 0, "signal", {"signal": signal.Signals(number).name}))


class HostStage:
    """Before a plugin that is our child."""

    def __init__(self, child: "subprocess.Popen[bytes]", chunks: Chunks, framing: str) -> None:
        """Take the child, whose stdin and stdout are pipes; `framing` is the recorded session's."""
        if child.stdin is None or child.stdout is None:  # for the type checker: both are pipes
            raise AssertionError
        self._child = child
        self._inlet = child.stdout.fileno()
        self._stdin = Words(os.dup(child.stdin.fileno()), chunks, framing)
        child.stdin.close()
        self.inlets: dict[Stream, int] = {"out": self._inlet}

    async def write(self, stream: Stream, data: bytes, *, goes_on: bool = False) -> bool:
        """Write to the plugin; False where it has closed its stdin."""
        del stream
        return await self._stdin.write(data, goes_on=goes_on)

    async def perform(self, event: Event) -> None:
        """Close the plugin's stdin, or send it a signal."""
        if event.kind == "signal":
            number = signal_of(event)
            with suppress(ProcessLookupError):
                self._child.send_signal(number or 0)  # 0 is none
        elif event.kind == "eof":
            self._stdin.close()

    async def watch(self, happened: Happened, *, task_status: TaskStatus[None]) -> None:
        """Tell of the plugin's exit."""
        task_status.started()
        code = await anyio.to_thread.run_sync(self._child.wait, abandon_on_cancel=True)
        if code < 0:
            detail: dict[str, object] = {"signal": signal.Signals(-code).name}
        else:
            detail = {"code": code}
        happened(Event(0, 0, 0, "exit", detail))


LADDER_S = 2.0
"""How long a child that is left has after its stdin was closed, and again after SIGTERM."""


@contextmanager
def started(command: Sequence[str]) -> Iterator["subprocess.Popen[bytes]"]:
    """Start a plugin; on the way out see to it that it ends. Raises OSError."""
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
    try:
        yield child
    finally:
        see_off(child)


def see_off(child: "subprocess.Popen[bytes]") -> None:
    """See to it that a child ends whose stdin is closed."""
    for last_word in (None, signal.SIGTERM, signal.SIGKILL):
        if last_word is not None:
            child.send_signal(last_word)
        with suppress(subprocess.TimeoutExpired):
            child.wait(LADDER_S)
            break


def end_as(event: Event) -> NoReturn:
    """End this process as a recorded plugin did: with its code, or by its signal."""
    number = signal_of(event)
    if number is not None:
        with suppress(OSError):  # SIGKILL has no other action
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    os._exit(exit_code_of(event))
