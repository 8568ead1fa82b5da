"""Begins a session on the wire: the journal, and the plugin between two ends. What `tap run` does.

What is needed only once the plugin is on its way is imported while it starts.
"""

from __future__ import annotations

from tapproxy.errors import TapError
from tapproxy.wire import child, signals
from tapproxy.wire.place import claim_first
from tapproxy.wire.recorder import Recorder
from tapproxy.wire.wiring import Wiring

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from tapproxy.wire.order import Order


def run(order: Order) -> NoReturn:
    """Run the command on record, and end as it ends."""
    host_signals = signals.HostSignals()
    wiring = Wiring()
    recorder = _open_recorder(order, wiring)
    environment = child.original_environment()
    plugin = child.launch(order.command, environment, wiring.for_plugin(), host_signals)
    from tapproxy.wire.conduct import conduct, report_failure
    from tapproxy.wire.facts import gather

    recorder.facts(gather(order, environment, wiring))
    try:
        plugin.confirm()
    except child.NotStarted as failure:
        report_failure(failure, order, recorder, wiring)
    conduct(plugin.pid, order, recorder, wiring)


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
