"""Begins a session on the wire: the journal, and the plugin between two ends. What `tap run` does.

What is needed only once the plugin is on its way is imported while it starts.
"""

from __future__ import annotations

import os

from tapproxy.errors import NOT_EXECUTABLE, TapError
from tapproxy.wire import child
from tapproxy.wire.claim import claim_first
from tapproxy.wire.host_state import HostState
from tapproxy.wire.recorder import Recorder
from tapproxy.wire.wiring import Wiring, say

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from tapproxy.wire.order import Order


def run(order: Order) -> NoReturn:
    """Run the command on record, and end as it ends."""
    host_state = HostState()
    environment = child.original_environment()
    if not host_state.open_files.are_enough:
        _run_unrecorded(order, environment, host_state)
    wiring = Wiring()
    recorder = _open_recorder(order, wiring)
    plugin = child.launch(
        order.program, order.command, environment, wiring.for_plugin(), host_state
    )
    from tapproxy.wire.facts import gather
    from tapproxy.wire.running import report_failure, run_to_end

    recorder.facts(gather(order, environment, wiring))
    try:
        plugin.confirm()
    except child.NotStarted as failure:
        report_failure(failure, order, recorder)
    run_to_end(plugin.pid, order, recorder, wiring)


def _run_unrecorded(order: Order, environment: list[bytes], host_state: HostState) -> NoReturn:
    """Do without us where we cannot even begin."""
    if order.must_record:
        raise TapError("cannot record: too few files may be open (ulimit -n)")
    say("cannot record: too few files may be open (ulimit -n); the command runs unrecorded")
    failure = child.replace_ourselves(order.program, order.command, environment, host_state)
    raise TapError(f"{os.fsdecode(order.program)}: {failure}", NOT_EXECUTABLE)


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
