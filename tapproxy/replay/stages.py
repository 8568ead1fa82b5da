"""Where a side is played: the plugin on our own descriptors, the host before a child of ours."""

import os
import signal
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress

import anyio
from anyio.abc import TaskStatus

from tapproxy.replay.pipes import Outlet
from tapproxy_store.records import Event, Stream

CAUGHT = tuple(
    it for it in ("SIGTERM", "SIGINT", "SIGHUP", "SIGUSR1", "SIGUSR2") if hasattr(signal, it)
)
"""Signals that a host may send, and a plugin in its place must be able to outlive."""

Happened = Callable[[Event], None]


class PluginStage:
    """On our own descriptors: what the host starts is us."""

    def __init__(self, *, apart: bool) -> None:
        """`apart`: writes are kept apart, as in the recording."""
        self.inlets: dict[Stream, int] = {"in": 0}
        self.ended: Event | None = None  # how the recorded plugin ended, once it has
        self._outlets = {stream: Outlet(fd, apart=apart) for stream, fd in (("out", 1), ("err", 2))}
        self._died_of: str | None = None

    async def write(self, stream: Stream, data: bytes) -> bool:
        """Write to the host."""
        return await self._outlets[stream].write(data)

    async def perform(self, event: Event) -> None:
        """Close a stream, or take note of the exit: it comes after the report."""
        if event.kind == "exit":
            self.ended = event
        elif event.kind == "eof" and event.detail.get("stream") == "out":
            self._outlets["out"].close()  # stderr closes with us: the report may go there
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

    def __init__(self, child: "subprocess.Popen[bytes]", *, apart: bool) -> None:
        """Take the child, whose stdin and stdout are pipes."""
        if child.stdin is None or child.stdout is None:  # for the type checker: both are pipes
            raise AssertionError
        self._child = child
        self._inlet = child.stdout.fileno()
        self._stdin = Outlet(os.dup(child.stdin.fileno()), apart=apart)
        child.stdin.close()
        self.inlets: dict[Stream, int] = {"out": self._inlet}

    async def write(self, stream: Stream, data: bytes) -> bool:
        """Write to the plugin; False where it has closed its stdin."""
        del stream
        return await self._stdin.write(data)

    async def perform(self, event: Event) -> None:
        """Close the plugin's stdin, or send it a signal."""
        if event.kind == "signal":
            with suppress(ProcessLookupError, AttributeError, ValueError):
                self._child.send_signal(getattr(signal, str(event.detail.get("signal"))))
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
        for last_word in (None, signal.SIGTERM, signal.SIGKILL):
            if last_word is not None:
                child.send_signal(last_word)
            with suppress(subprocess.TimeoutExpired):
                child.wait(LADDER_S)
                break


def end_as(event: Event) -> None:
    """End this process as a recorded plugin did: with its code, or by its signal."""
    name = event.detail.get("signal")
    if name is not None and hasattr(signal, str(name)):
        number = getattr(signal, str(name))
        with suppress(OSError):  # SIGKILL has no other action
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    os._exit(int(event.detail.get("code") or 0))
