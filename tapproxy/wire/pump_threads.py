"""The pumps of a session at work: a thread each, called off together when the plugin has ended."""

from __future__ import annotations

import os
import select
import signal
import threading
from functools import partial

from tapproxy.wire.pump import INTERRUPT
from tapproxy.wire.recorder import RecordingStopped
from tapproxy.wire.sink_watch import SinkWatch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from tapproxy.wire.pump import Pump


INPUT_S = 0.5
"""How long to wait for the pump of stdin: who shares a terminal with us may have read its line."""


class PumpThreads:
    """Runs pumps in threads; tells the main thread (by SIGCHLD) when recording must stop."""

    def __init__(self, pumps: list[Pump], heard: Callable[[str], None]) -> None:
        """Take the pumps, and whom to tell of a stream's first byte."""
        self.recording_stopped = False
        self._pumps = pumps
        self._heard = heard
        self._threads: list[threading.Thread] = []
        self._called_off, self._call_off = os.pipe()

    def start(self) -> None:
        """Set every pump to work, where it left off if it had begun."""
        swiftly = hasattr(select, "epoll")
        for pump in self._pumps:
            pump.arm(self._called_off)
        self._threads = [
            threading.Thread(
                target=partial(self._work, pump, swiftly=swiftly), name=pump.stream, daemon=True
            )
            for pump in self._pumps
        ]
        if swiftly:
            signal.signal(INTERRUPT, lambda *_: None)
            SinkWatch(self._pumps).start()
        for thread in self._threads:
            thread.start()

    def say(self, message: str) -> None:
        """Put one line on the host's stderr, if that is still open and takes it."""
        for pump in self._pumps:
            if pump.stream == "err" and not pump.ended:
                pump.slip_in(f"tap: {message}\n".encode(errors="backslashreplace"))

    def call_off(self) -> list[Pump]:
        """Have what is there carried and the threads ended; return the pumps that have not ended.

        Those have something in hand that the reader does not take, or a writer is left whom we
        do not know: a descendant of the plugin.
        """
        os.write(self._call_off, b".")
        for pump in self._pumps:
            pump.interrupt()
        for pump, thread in zip(self._pumps, self._threads, strict=True):
            thread.join(INPUT_S if pump.stream == "in" else None)
        at_work = {thread.name for thread in self._threads if thread.is_alive()}
        return [pump for pump in self._pumps if not pump.ended and pump.stream not in at_work]

    def join(self) -> None:
        """Wait until every thread has returned."""
        for thread in self._threads:
            thread.join()

    def _work(self, pump: Pump, *, swiftly: bool) -> None:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {INTERRUPT})
        orderly = False
        try:
            pump.run(self._heard, swiftly=swiftly)
            orderly = True
        except RecordingStopped:
            self.recording_stopped = orderly = True
            os.kill(os.getpid(), signal.SIGCHLD)
        finally:
            if not orderly:  # a fault of ours must not look like a peer that says nothing
                pump.close()
