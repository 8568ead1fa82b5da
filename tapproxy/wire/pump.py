"""One stream's pump: read, put on record, write. One read is one write."""

from __future__ import annotations

import os
import select
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from tapproxy.wire.recorder import Recorder
    from tapproxy.wire.sink import Sink

READ_SIZE = 1 << 16
"""Bytes of one read: the default capacity of a pipe, hence what one read can yield."""

STALL_MS = 50
"""A write that waits longer is an event: the other side does not read."""


class Pump:
    """Carries one stream from `source` to `sink`, until one of its ends closes.

    When `call_off` becomes readable, it carries what is there without waiting, and returns. `run`
    may then be called again, in another process, after `arm`: it begins with what was in hand.
    """

    def __init__(self, stream: str, code: int, source: int, sink: Sink, recorder: Recorder) -> None:
        self.stream = stream
        self.ended = False
        self._code = code
        self._source = source
        self._sink = sink
        self._recorder = recorder
        self._writer, self._reader = ("host", "plugin") if stream == "in" else ("plugin", "host")
        self._offset = 0
        self._rest: bytes | memoryview = b""  # read and on record, not yet written
        self._stalled_since: int | None = None  # monotonic ns, of a write that waits

    def arm(self, call_off: int | None) -> None:
        """Watch both ends, and the descriptor that calls the pump off (None: there is none)."""
        self._poll = select.poll()
        self._poll.register(self._source, select.POLLIN)
        self._poll.register(self._sink.fd, 0)  # errors only: the reading end was closed
        self._call_off = call_off
        self._patience: int | None = None  # what a poll waits; 0 once called off
        if call_off is not None:
            self._poll.register(call_off, select.POLLIN)

    def run(self, heard: Callable[[str], None]) -> None:
        """Carry bytes until an end closes or the pump is called off; `heard` learns of the first.

        Raises RecordingStopped where the user prefers that to going on unrecorded.
        """
        if self._rest and not self._deliver(self._rest):
            return
        source, code, poll, read = self._source, self._code, self._poll.poll, os.read
        write, record = self._sink.write, self._recorder.chunk
        only_input = [(source, select.POLLIN)]
        while True:
            ready = poll(self._patience)
            if ready != only_input and not self._may_read(ready):
                return
            try:
                data = read(source, READ_SIZE)
            except BlockingIOError:
                continue
            except OSError:  # the connection was reset, the terminal hung up
                data = b""
            if not data:
                self._source_closed()
                return
            record(code, data, self._offset)
            self._offset += len(data)
            try:
                written = write(data)
            except OSError:  # full or gone: delivering finds out
                written = 0
            if written != len(data) and not self._deliver(memoryview(data)[written:]):
                return
            if self._offset == len(data):
                heard(self.stream)

    def slip_in(self, line: bytes) -> None:
        """Write a line of our own to the sink, if it takes it at once."""
        try:
            self._sink.write(line)
        except OSError:  # full or gone: it was worth a try
            return

    def _may_read(self, ready: list[tuple[int, int]]) -> bool:
        """Tell whether there is something to read; see to a sink that is gone and a calling-off."""
        happened = dict(ready)
        if happened.get(self._sink.fd, 0) & (select.POLLERR | select.POLLHUP):
            self._sink_closed(unsent=0)
            return False
        if self._call_off is not None and self._call_off in happened:
            self._poll.unregister(self._call_off)
            self._patience = 0
        return self._source in happened or (
            self._patience == 0 and self._source in dict(self._poll.poll(0))
        )

    def _deliver(self, rest: bytes | memoryview) -> bool:
        """Write what did not fit at once; False when called off meanwhile or the sink is gone."""
        while rest:
            if not self._wait_for_room(len(rest)):
                self._rest = rest
                return False
            try:
                rest = rest[self._sink.write(rest) :]
            except BlockingIOError:
                continue
            except OSError:
                self._sink_closed(unsent=len(rest))
                return False
        self._rest = b""
        self._stall_over()
        return True

    def _wait_for_room(self, size: int) -> bool:
        """Wait until the sink takes bytes (or is gone); False when called off meanwhile."""
        room = select.poll()
        room.register(self._sink.fd, select.POLLOUT)
        if self._patience is None and self._call_off is not None:
            room.register(self._call_off, select.POLLIN)
        began = time.monotonic_ns()
        ready = dict(room.poll(STALL_MS if self._patience is None else 0))
        if not ready and self._patience is None:
            if self._stalled_since is None:
                self._stalled_since = began
                self._event("stall", {"reader": self._reader, "size": size})
            ready = dict(room.poll())
        return self._sink.fd in ready

    def _stall_over(self) -> None:
        if self._stalled_since is not None:
            duration = time.monotonic_ns() - self._stalled_since
            self._stalled_since = None
            self._event("stall-end", {"reader": self._reader, "duration_ns": duration})

    def _source_closed(self) -> None:
        self._event("eof", {"by": self._writer})
        self._close()

    def _sink_closed(self, *, unsent: int) -> None:
        self._event("broken-pipe", {"by": self._reader, "unsent": unsent})
        self._close()

    def _event(self, kind: str, detail: dict[str, str | int]) -> None:
        self._recorder.event(kind, {"stream": self.stream, **detail})

    def _close(self) -> None:
        self.ended = True
        os.close(self._source)
        self._sink.close()
