"""Waits for what happens to tap and to the plugin: signals, stops, the end."""

from __future__ import annotations

import os
import signal
import threading

from tapproxy.wire import signals

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tapproxy.wire.ingester import Starter
    from tapproxy.wire.pump_threads import PumpThreads
    from tapproxy.wire.recorder import Recorder

KILL_AFTER_S = 2.0
"""How long the plugin has to end by SIGTERM when recording must stop."""


class Supervisor:
    """Passes signals on and stops when the plugin stops, until the plugin ends."""

    def __init__(
        self, pid: int, recorder: Recorder, threads: PumpThreads, starter: Starter
    ) -> None:
        self._pid = pid
        self._recorder = recorder
        self._threads = threads
        self._starter = starter
        self._asked_to_stop: int | None = None
        self._plugin_stopped = False
        self._giving_up = False

    def wait(self) -> int:
        """Return the plugin's wait status, once it has ended."""
        while True:
            received = signals.wait()
            if received.signum != signal.SIGCHLD:
                self._pass_on(received)
            elif (status := self._look_after_children()) is not None:
                return status
            if self._plugin_stopped and self._asked_to_stop is not None:
                signum, self._asked_to_stop = self._asked_to_stop, None
                signals.suspend(signum)

    def _pass_on(self, received: signals.Received) -> None:
        forward = not received.reached_child
        detail = {
            "signal": received.name,
            "sender": received.sender,
            "from": received.origin,
            "forwarded": forward,
        }
        self._recorder.event("signal", detail)
        if received.signum == signal.SIGTSTP:
            self._asked_to_stop = received.signum
        if received.signum == signal.SIGCONT:
            self._asked_to_stop = None
        if forward:
            os.kill(self._pid, received.signum)

    def _look_after_children(self) -> int | None:
        self._starter.reap()
        if self._threads.recording_stopped and not self._giving_up:
            self._give_up()
        while True:
            pid, status = os.waitpid(self._pid, os.WNOHANG | os.WUNTRACED | os.WCONTINUED)
            if pid == 0:
                return None
            if os.WIFSTOPPED(status):
                self._plugin_stopped = True
                self._recorder.event("stopped", {"signal": signals.name_of(os.WSTOPSIG(status))})
            elif os.WIFCONTINUED(status):
                self._plugin_stopped = False
                self._recorder.event("continued", {})
            else:
                self._recorder.event("exit", _how(status))
                return status

    def _give_up(self) -> None:
        self._giving_up = True
        trouble = self._recorder.trouble
        reason = trouble.strerror if trouble is not None else "unknown reason"
        self._threads.say(f"cannot record to {self._recorder.path} ({reason}); stopping the plugin")
        os.kill(self._pid, signal.SIGTERM)
        killer = threading.Timer(KILL_AFTER_S, os.kill, (self._pid, signal.SIGKILL))
        killer.daemon = True
        killer.start()


def _how(status: int) -> dict[str, int | str]:
    if os.WIFSIGNALED(status):
        return {"signal": signals.name_of(os.WTERMSIG(status))}
    return {"code": os.WEXITSTATUS(status)}
