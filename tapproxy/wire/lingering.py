"""What is left when the plugin has ended: bytes that the host has not read, or a descendant's."""

from __future__ import annotations

import os
import signal
import threading

from tapproxy.wire import signals
from tapproxy.wire.pump_threads import PumpThreads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from tapproxy.wire.pump import Pump
    from tapproxy.wire.recorder import Recorder

_HARMLESS = {"SIGCONT", "SIGWINCH", "SIGURG", "SIGTSTP"}


def linger(pumps: list[Pump], recorder: Recorder) -> NoReturn:
    """Carry on until all streams have ended, or until somebody ends this process by a signal."""
    os.chdir(os.sep)  # the plugin's folder is nothing to us any more
    threads = PumpThreads(pumps, lambda _: None)
    threads.start()
    threading.Thread(target=_report_end, args=(threads,), daemon=True).start()
    while not all(pump.ended for pump in pumps) and not threads.recording_stopped:
        received = signals.wait()
        if received.signum == signal.SIGCHLD or received.name in _HARMLESS:
            continue
        detail = {"signal": received.name, "sender": received.sender, "from": received.origin}
        recorder.event("signal", {**detail, "forwarded": False})
        break
    recorder.end()
    os._exit(0)


def _report_end(threads: PumpThreads) -> None:
    threads.join()
    os.kill(os.getpid(), signal.SIGCHLD)
