"""Conducts a session that has begun, and ends as its plugin ends."""

from __future__ import annotations

import os

from tapproxy.errors import COULD_NOT_RUN, NOT_EXECUTABLE, NOT_FOUND
from tapproxy.wire import signals
from tapproxy.wire.attendant import Attendant
from tapproxy.wire.crew import Crew
from tapproxy.wire.ingester import Starter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from tapproxy.wire.child import NotStarted
    from tapproxy.wire.order import Order
    from tapproxy.wire.pump import Pump
    from tapproxy.wire.recorder import Recorder
    from tapproxy.wire.wiring import Wiring


def conduct(pid: int, order: Order, recorder: Recorder, wiring: Wiring) -> NoReturn:
    """Carry everything between host and plugin until the plugin ends."""
    recorder.event("spawn", {"pid": pid})
    signals.watch_ignored()
    starter = Starter(recorder, wanted=order.ingest)
    crew = Crew(wiring.pumps(recorder), starter.heard)
    crew.start()
    starter.start()
    status = Attendant(pid, recorder, crew, starter).wait()
    _end(status, crew, recorder, starter)


def report_failure(
    failure: NotStarted, order: Order, recorder: Recorder, wiring: Wiring
) -> NoReturn:
    """Say and record why the plugin could not be started, and exit as a shell would."""
    reason = "command not found" if failure.not_found else str(failure)
    status = NOT_FOUND if failure.not_found else NOT_EXECUTABLE
    wiring.say(f"{os.fsdecode(order.command[0])}: {reason}")
    detail = {"errno": failure.name, "message": str(failure), "status": status}
    recorder.event("spawn-error", detail)
    recorder.end()
    Starter(recorder, wanted=order.ingest).finish()
    os._exit(status)


def _end(status: int, crew: Crew, recorder: Recorder, starter: Starter) -> NoReturn:
    """Have what is left carried by a process that outlives us, and end as the plugin did."""
    left = crew.call_off()
    starter.finish()
    if not left or crew.recording_stopped:
        recorder.end()
    else:
        recorder.event("lingering", {"streams": [pump.stream for pump in left]})
        if os.fork() == 0:
            _linger(left, recorder, starter)
    if crew.recording_stopped:
        os._exit(COULD_NOT_RUN)
    if os.WIFSIGNALED(status):
        signals.die_by(os.WTERMSIG(status))
        os._exit(128 + os.WTERMSIG(status))
    os._exit(os.waitstatus_to_exitcode(status))


def _linger(pumps: list[Pump], recorder: Recorder, starter: Starter) -> NoReturn:
    crew = Crew(pumps, starter.heard)
    crew.start()
    crew.join()
    recorder.end()
    os._exit(0)
