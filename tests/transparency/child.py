"""A child as its host sees it, with a bound on every wait and a log of all bytes both ways."""

import os
import select
import signal
import time
from contextlib import suppress
from subprocess import Popen, TimeoutExpired
from typing import Literal

from tests.transparency.recorded import Recorded, find_recorded, finish_recorded
from tests.transparency.waiting import DEADLINE_S, ready, until, write_all

Stream = Literal["in", "out", "err"]

LARGEST_READ = 1 << 20


class Child:
    """A started process (the plugin itself, or tap before it) and the host's ends of its streams.

    `file` is where tap records, None when the child is bare.
    """

    def __init__(self, process: Popen[bytes], ends: dict[Stream, int], file: str | None) -> None:
        self.process = process
        self.pid = process.pid
        self.ends = ends
        self.file = file
        self.sent = bytearray()
        self.received: dict[Stream, bytearray] = {"out": bytearray(), "err": bytearray()}
        self.ended: set[Stream] = set()
        self.watched = frozenset(ends)
        for fd in ends.values():
            os.set_blocking(fd, False)

    def send(self, data: bytes, deadline_s: float = DEADLINE_S) -> None:
        """Write to the child's stdin, waiting until it has been taken."""
        self.sent += data
        write_all(self.ends["in"], data, "the child to take its input", deadline_s)

    def receive(self, stream: Stream = "out", deadline_s: float = DEADLINE_S) -> bytes:
        """Return what one read gives, as soon as there is something; b"" is the end."""
        fd = self.ends[stream]
        while True:
            ready(fd, select.POLLIN, f"the child's {stream}", deadline_s)
            try:
                data = os.read(fd, LARGEST_READ)
            except BlockingIOError:
                continue
            self.received[stream] += data
            if not data:
                self.ended.add(stream)
            return data

    def receive_exactly(self, size: int, stream: Stream = "out") -> bytes:
        """Return `size` bytes, fewer if the stream ends; more is an error of the child's."""
        got = bytearray()
        while len(got) < size and (data := self.receive(stream)):
            got += data
        return bytes(got)

    def receive_line(self, stream: Stream = "out") -> bytes:
        """Return bytes up to and including a newline, or up to the end."""
        got = bytearray()
        while not got.endswith(b"\n") and (data := self.receive(stream)):
            got += data
        return bytes(got)

    def receive_rest(self, stream: Stream = "out") -> bytes:
        """Return all bytes up to the end of the stream."""
        got = bytearray()
        while data := self.receive(stream):
            got += data
        return bytes(got)

    def converse(self, data: bytes) -> tuple[bytes, bytes]:
        """Send all of `data` and close, reading stdout and stderr to their ends meanwhile."""
        unsent = memoryview(data)
        self.sent += data
        poll = select.poll()
        for stream, fd in self.ends.items():
            poll.register(fd, select.POLLOUT if stream == "in" else select.POLLIN)
        end = time.monotonic() + DEADLINE_S
        while {"out", "err"} - self.ended or "in" in self.ends:
            for fd, _ in poll.poll(DEADLINE_S * 1000):
                stream = next(name for name, its in self.ends.items() if its == fd)
                if stream == "in":
                    unsent = unsent[os.write(fd, unsent[:LARGEST_READ]) if unsent else 0 :]
                    if not unsent:
                        poll.unregister(fd)
                        self.close("in")
                elif not self.receive(stream):
                    poll.unregister(fd)
            if time.monotonic() > end:
                raise TimeoutError(f"the conversation is not over after {DEADLINE_S} s")
        return bytes(self.received["out"]), bytes(self.received["err"])

    def close(self, stream: Stream) -> None:
        """Close the host's end of one stream (all streams that share the descriptor)."""
        fd = self.ends.pop(stream)
        self.ends = {name: its for name, its in self.ends.items() if its != fd}
        os.close(fd)

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the process that the host started."""
        os.kill(self.pid, number)

    def wait(self, deadline_s: float = DEADLINE_S) -> int:
        """Return the exit code, or minus the signal, as the host sees it."""
        try:
            return self.process.wait(deadline_s)
        except TimeoutExpired:
            raise TimeoutError(f"the child has not exited within {deadline_s} s") from None

    def recorded(self) -> Recorded:
        """Return what tap has on record, once its ingester has finished it."""
        assert self.file is not None, "a bare child has no recording"
        return find_recorded(self.file)

    def finished(self) -> Recorded:
        """Return what tap has on record, finished by whoever reads it first."""
        assert self.file is not None, "a bare child has no recording"
        return finish_recorded(self.file)

    def end(self) -> None:
        """Make sure that nothing of the child is left, whatever the test did."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        self.process.kill()
        self.wait()
        for stream in list(self.ends):
            if stream in self.ends:
                self.close(stream)


def gone_within(pidfd: int, deadline_s: float = DEADLINE_S) -> bool:
    """Whether the process behind a pidfd ends in time."""
    poll = select.poll()
    poll.register(pidfd, select.POLLIN)
    return bool(poll.poll(deadline_s * 1000))


def state_of(pid: int) -> str:
    """Return the letter of a process's state: R running, S sleeping, T stopped (Linux)."""
    with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
        return file.read().rpartition(")")[2].split()[0]


def wait_for_state(pid: int, letters: str) -> None:
    """Wait until the process is in one of the states."""
    until(lambda: state_of(pid) in letters, f"process {pid} to be in state {letters}")
