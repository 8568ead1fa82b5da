"""The pumps of a session at work: a thread each, called off together when the plugin has ended."""

from __future__ import annotations

import os
import signal
import threading

from tapproxy.wire.recorder import RecordingStopped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from tapproxy.wire.pump import Pump


INPUT_S = 0.5
"""How long to wait for the pump of stdin: who shares a terminal with us may have read its line."""


class Crew:
    """Runs pumps in threads; tells the main thread (by SIGCHLD) when recording must stop."""

    def __init__(self, pumps: list[Pump], heard: Callable[[str], None]) -> None:
        """Take the pumps, and whom to tell of a stream's first byte."""
        self.recording_stopped = False
        self._pumps = pumps
        self._heard = heard
        self._threads: list[threading.Thread] = []
        self._called_off, self._call_off = os.pipe()

    def start(self, *, can_be_called_off: bool = True) -> None:
        """Set every pump to work that has not come to its end."""
        for pump in self._pumps:
            pump.arm(self._called_off if can_be_called_off else None)
        self._threads = [
            threading.Thread(target=self._work, args=(pump,), name=pump.stream, daemon=True)
            for pump in self._pumps
        ]
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
        for pump, thread in zip(self._pumps, self._threads, strict=True):
            thread.join(INPUT_S if pump.stream == "in" else None)
        at_work = {thread.name for thread in self._threads if thread.is_alive()}
        return [pump for pump in self._pumps if not pump.ended and pump.stream not in at_work]

    def join(self) -> None:
        """Wait until every thread has returned."""
        for thread in self._threads:
            thread.join()

    def _work(self, pump: Pump) -> None:
        try:
            pump.run(self._heard)
        except RecordingStopped:
            self.recording_stopped = True
            os.kill(os.getpid(), signal.SIGCHLD)
