"""Runs a session that has begun, and ends as its plugin ends."""

from __future__ import annotations

import gc
import os

from tapproxy.errors import COULD_NOT_RUN, NOT_EXECUTABLE, NOT_FOUND
from tapproxy.wire import signals
from tapproxy.wire.ingester import Starter
from tapproxy.wire.lingering import linger
from tapproxy.wire.pump_threads import PumpThreads
from tapproxy.wire.supervisor import Supervisor
from tapproxy.wire.wiring import say

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from tapproxy.wire.child import NotStarted
    from tapproxy.wire.order import Order
    from tapproxy.wire.recorder import Recorder
    from tapproxy.wire.wiring import Wiring


def run_to_end(pid: int, order: Order, recorder: Recorder, wiring: Wiring) -> NoReturn:
    """Carry everything between host and plugin until the plugin ends."""
    recorder.event("spawn", {"pid": pid})
    signals.watch_ignored()
    starter = Starter(recorder, wanted=order.ingest)
    threads = PumpThreads(wiring.pumps(recorder), starter.heard)
    threads.start()
    starter.start()
    gc.enable()
    status = Supervisor(pid, recorder, threads, starter).wait()
    _end(status, threads, recorder, starter)


def report_failure(failure: NotStarted, order: Order, recorder: Recorder) -> NoReturn:
    """Say and record why the plugin could not be started, and exit as a shell would."""
    reason = "command not found" if failure.not_found else str(failure)
    status = NOT_FOUND if failure.not_found else NOT_EXECUTABLE
    say(f"{os.fsdecode(order.program)}: {reason}")
    detail = {"errno": failure.name, "message": str(failure), "status": status}
    if failure.not_found and b"/" not in order.program:
        path = os.fsencode(os.environ.get("PATH", os.defpath))
        detail["path"] = path.decode(errors="backslashreplace")
    recorder.event("spawn-error", detail)
    recorder.end()
    Starter(recorder, wanted=order.ingest).finish()
    os._exit(status)


def _end(status: int, threads: PumpThreads, recorder: Recorder, starter: Starter) -> NoReturn:
    """Have what is left carried by a process that outlives us, and end as the plugin did."""
    left = threads.call_off()
    starter.finish()
    if not left or threads.recording_stopped:
        recorder.end()
    else:
        streams = [pump.stream for pump in left]
        unread = [pump.stream for pump in left if pump.in_hand]
        recorder.event("lingering", {"streams": streams, "unread": unread})
        if os.fork() == 0:
            linger(left, recorder)
    if threads.recording_stopped:
        os._exit(COULD_NOT_RUN)
    if os.WIFSIGNALED(status):
        signals.die_by(os.WTERMSIG(status))
        os._exit(128 + os.WTERMSIG(status))
    os._exit(os.waitstatus_to_exitcode(status))
