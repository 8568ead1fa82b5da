"""One session on the wire, from the host's call to the plugin's end: what `tap run` does."""

from __future__ import annotations

import os

from tapproxy.errors import COULD_NOT_RUN, NOT_EXECUTABLE, NOT_FOUND, TapError
from tapproxy.wire import child, signals
from tapproxy.wire.attendant import Attendant
from tapproxy.wire.crew import Crew
from tapproxy.wire.facts import gather
from tapproxy.wire.ingester import Starter
from tapproxy.wire.place import claim_first
from tapproxy.wire.recorder import Recorder
from tapproxy.wire.wiring import Wiring

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from tapproxy.wire.order import Order
    from tapproxy.wire.pump import Pump


def run(order: Order) -> NoReturn:
    """Run the command on record, and end as it ends."""
    host_signals = signals.HostSignals()
    wiring = Wiring()
    recorder = _open_recorder(order, wiring)
    environment = child.original_environment()
    pid, failure = 0, None
    try:
        pid = child.start(order.command, environment, wiring.for_plugin(), host_signals)
    except child.NotStarted as error:
        failure = error
    recorder.facts(gather(order, environment, wiring))
    starter = Starter(recorder, wanted=order.ingest)
    if failure is not None:
        _not_started(failure, order.command[0], recorder, wiring)
        starter.finish()
        os._exit(_status(failure))
    recorder.event("spawn", {"pid": pid})
    signals.watch_ignored()
    crew = Crew(wiring.pumps(recorder), starter.heard)
    crew.start()
    starter.start()
    status = Attendant(pid, recorder, crew, starter).wait()
    _end(status, crew, recorder, starter)


def _open_recorder(order: Order, wiring: Wiring) -> Recorder:
    try:
        recorder, error = claim_first(order.places, must_record=order.must_record)
    except OSError as failed:
        message = f"cannot record to {order.places[0]} ({failed.strerror})"
        if order.must_record:
            raise TapError(f"{message}; choose another place with -o FILE or TAP_DIR") from failed
        wiring.warn(f"{message}; the traffic goes on unrecorded")
        return Recorder.nowhere()
    if error is not None:
        wiring.warn(
            f"cannot record to {order.places[0]} ({error.strerror}); recording to {recorder.path}"
        )
    return recorder


def _status(failure: child.NotStarted) -> int:
    return NOT_FOUND if failure.not_found else NOT_EXECUTABLE


def _not_started(
    failure: child.NotStarted, program: bytes, recorder: Recorder, wiring: Wiring
) -> None:
    reason = "command not found" if failure.not_found else str(failure)
    wiring.say(f"{os.fsdecode(program)}: {reason}")
    detail = {"errno": failure.name, "message": str(failure), "status": _status(failure)}
    recorder.event("spawn-error", detail)
    recorder.end()


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
    crew.start(can_be_called_off=False)
    crew.join()
    recorder.end()
    os._exit(0)
