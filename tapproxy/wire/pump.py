"""One stream's pump: read, put on record, write. One read is one write."""

from __future__ import annotations

import errno
import os
import select
import signal
import threading
import time

from tapproxy_store.journal import STREAM_NAMES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from tapproxy.wire.recorder import Recorder
    from tapproxy.wire.sink import Sink

STALL_MS = 50
"""A write that waits longer is an event: the other side does not read."""

INTERRUPT = signal.SIGPIPE if hasattr(signal, "SIGPIPE") else 0
"""What breaks off a read: nobody sends it to us, and no pump needs it (its writes say EPIPE)."""


class Pump:
    """Carries one stream from `source` to `sink`, until one of its ends closes.

    Where the system can tell it of a sink that is gone (`interrupt`), it waits for bytes in a read,
    which is the quickest way; else, and once it was interrupted, it looks at both ends before each
    read. Called off, it carries what is there without waiting, and returns; `run` may then be
    called again, in another process, after `arm`: it begins with what was in hand.
    """

    def __init__(
        self, stream: str, source: int, sink: Sink, recorder: Recorder, *, read_size: int
    ) -> None:
        """Take the stream's name, both its ends, and how many bytes one read takes at most."""
        self.stream = stream
        self.sink = sink
        self.ended = False
        self._code = STREAM_NAMES.index(stream)
        self._read_size = read_size
        self.source = source
        self._recorder = recorder
        self._writer, self._reader = ("host", "plugin") if stream == "in" else ("plugin", "host")
        self._offset = 0
        self._rest: bytes | memoryview = b""  # read and on record, not yet written
        self._stalled_since: int | None = None  # monotonic ns, of a write that waits
        self._heard: Callable[[str], None] | None = None  # until the first byte has passed
        self._guard = threading.Lock()
        self._interrupted = False
        self._front: int | None = None  # a duplicate of the source, on which a read may wait
        self._thread = 0  # that reads it

    def arm(self, call_off: int) -> None:
        """Watch both ends, and the descriptor that becomes readable to call the pump off."""
        self._poll = select.poll()
        self._poll.register(self.source, select.POLLIN)
        self._poll.register(self.sink.fd, 0)  # errors only: the reading end was closed
        self._poll.register(call_off, select.POLLIN)
        self._call_off = call_off
        self._interrupted = False
        self._patience: int | None = None  # what a poll waits; 0 once called off

    def run(self, heard: Callable[[str], None], *, swiftly: bool) -> None:
        """Carry bytes until an end closes or the pump is called off; `heard` learns of the first.

        `swiftly`: somebody will interrupt it. Raises RecordingStopped where the user prefers that
        to going on unrecorded.
        """
        self._heard = heard
        if self._rest and not self._deliver(self._rest):
            return
        if not swiftly or self.run_swiftly():
            self._run_watchfully()

    @property
    def in_hand(self) -> int:
        """Bytes that were read and not yet written, because the reader does not take them."""
        return len(self._rest)

    def interrupt(self) -> None:
        """Have a read that waits return, as at the end of a stream, so that the pump looks around.

        The duplicate that it reads becomes another, empty file: so no byte is lost, and it does
        not matter whether the signal finds the thread in the read, before or after it.
        """
        with self._guard:
            self._interrupted = True
            if self._front is not None:
                nowhere = os.open(os.devnull, os.O_RDONLY)
                os.dup2(nowhere, self._front, inheritable=False)
                os.close(nowhere)
                signal.pthread_kill(self._thread, INTERRUPT)

    def close(self) -> None:
        """Close both ends: whoever reads learns of the end, whoever writes of the broken pipe."""
        self.ended = True
        os.close(self.source)
        self.sink.close()

    def run_swiftly(self) -> bool:
        """Carry what reads bring until one is empty; False when nothing is left to do."""
        front = os.dup(self.source)
        with self._guard:
            if self._interrupted:  # before it began
                os.close(front)
                return True
            self._front, self._thread = front, threading.get_ident()
        try:
            return self._carry_all(front)
        finally:
            with self._guard:
                self._front = None
            os.close(front)

    def _carry_all(self, front: int) -> bool:
        read, carry, size = os.read, self._carry, self._read_size
        while True:
            try:
                data = read(front, size)
            except OSError:  # the host's own non-blocking mode, a connection that was reset
                return True
            if not data and self._interrupted:
                return True
            if not data:  # to look again would be too late: a terminal says its end but once
                self._source_closed()
                return False
            if not carry(data):
                return False

    def _run_watchfully(self) -> None:
        """Carry bytes, looking at both ends before each read, until there is nothing left to do."""
        while self.may_read():
            try:
                data = os.read(self.source, self._read_size)
            except BlockingIOError:
                continue
            except OSError:  # the connection was reset, the terminal hung up
                data = b""
            if not data:
                self._source_closed()
                return
            if not self._carry(data):
                return

    def _carry(self, data: bytes) -> bool:
        """Put bytes on record and pass them on; False when called off or the sink is gone."""
        self._recorder.chunk(self._code, data, self._offset)
        self._offset += len(data)
        try:
            written = self.sink.write(data)
        except OSError:  # full or gone: delivering finds out
            written = 0
        if written != len(data) and not self._deliver(memoryview(data)[written:]):
            return False
        if self._heard is not None:
            self._heard(self.stream)
            self._heard = None
        return True

    def may_read(self) -> bool:
        """Wait for something to read; see to a sink that is gone and to a calling-off."""
        happened = dict(self._poll.poll(self._patience))
        if happened.get(self.sink.fd, 0) & (select.POLLERR | select.POLLHUP):
            self._sink_closed(unsent=0)
            return False
        if self._call_off in happened and self._patience is None:
            self._poll.unregister(self._call_off)
            self._patience = 0
            return self.may_read()
        return self.source in happened

    def slip_in(self, line: bytes) -> None:
        """Write a line of our own to the sink, if it takes it at once."""
        try:
            self.sink.write(line)
        except OSError:  # full or gone: it was worth a try
            return

    def _deliver(self, rest: bytes | memoryview) -> bool:
        """Write what did not fit at once; False when called off meanwhile or the sink is gone."""
        while rest:
            if not self._wait_for_room(len(rest)):
                self._rest = rest
                return False
            try:
                rest = rest[self.sink.write(rest) :]
            except BlockingIOError:
                continue
            except OSError as error:
                self._sink_closed(unsent=len(rest), error=error)
                return False
        self._rest = b""
        self._stall_over()
        return True

    def _wait_for_room(self, size: int) -> bool:
        """Wait until the sink takes bytes (or is gone); False when called off meanwhile."""
        room = select.poll()
        room.register(self.sink.fd, select.POLLOUT)
        if self._patience == 0:
            return bool(room.poll(0))
        room.register(self._call_off, select.POLLIN)
        began = time.monotonic_ns()
        ready = dict(room.poll(STALL_MS))
        if not ready:
            if self._stalled_since is None:
                self._stalled_since = began
                self._event("stall", {"reader": self._reader, "size": size})
            ready = dict(room.poll())
        return self.sink.fd in ready

    def _stall_over(self) -> None:
        if self._stalled_since is not None:
            duration = time.monotonic_ns() - self._stalled_since
            self._stalled_since = None
            self._event("stall-end", {"reader": self._reader, "duration_ns": duration})

    def _source_closed(self) -> None:
        self._event("eof", {"by": self._writer})
        self.close()

    def _sink_closed(self, *, unsent: int, error: OSError | None = None) -> None:
        self._stall_over()
        detail: dict[str, str | int] = {"by": self._reader, "unsent": unsent}
        if error is not None and error.errno not in (errno.EPIPE, errno.ECONNRESET):
            detail["error"] = os.strerror(error.errno or 0)  # the host's disk is full, say
        self._event("broken-pipe", detail)
        self.close()

    def _event(self, kind: str, detail: dict[str, str | int]) -> None:
        self._recorder.event(kind, {"stream": self.stream, **detail})
