"""Raw descriptors that never block the event loop, and keep each write a read of its own."""

import errno
import os
import select
import stat
import struct
import time
from contextlib import suppress

import anyio

READ_SIZE = 1 << 16

DRAINED_WITHIN_S = 5.0
"""How long a write waits for the reader to take what was written before: one that does not read is
written to all the same, as in the recording. It may have to start first, on a busy machine."""

LOOK_AGAIN_S = 0.0001


_GONE = {errno.EIO, errno.ECONNRESET, errno.EBADF}
"""What reading a terminal, or a socket, fails with when the other side is gone; and anything, once
we have closed it ourselves, as the recorded plugin did."""


class Outlet:
    """A descriptor that we write to."""

    def __init__(self, descriptor: int, *, apart: bool) -> None:
        """`apart`: no two writes are to be seen in one read, where that can be helped."""
        self._descriptor = descriptor
        self._question = _unread_question(descriptor) if apart else None
        self._reads = True  # as far as is known
        os.set_blocking(descriptor, False)

    async def write(self, data: bytes) -> bool:
        """Write all of it; False where nobody reads any more."""
        if self._question is not None:
            await self._drained(self._question)
        view = memoryview(data)
        while view:
            try:
                view = view[os.write(self._descriptor, view) :]
            except BlockingIOError:
                await anyio.wait_writable(self._descriptor)
            except OSError as error:
                if error.errno in (errno.EPIPE, errno.ECONNRESET, errno.EBADF):
                    return False
                raise
        return True

    def close(self) -> None:
        """Close it: the reader sees the end of the stream."""
        os.close(self._descriptor)

    async def _drained(self, question: int) -> None:
        """Wait until all is read; not again while one that was waited for in vain reads nothing."""
        deadline = time.monotonic() + DRAINED_WITHIN_S * self._reads
        while unread := _unread(self._descriptor, question):
            if time.monotonic() >= deadline:
                break
            await anyio.sleep(LOOK_AGAIN_S)  # the kernel tells nobody when a pipe has been read
        self._reads = not unread


class Inlet:
    """A descriptor that we read from."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._poll = select.poll()
        self._poll.register(descriptor, select.POLLIN)

    async def read(self) -> bytes:
        """Read what is there, waiting for something; nothing where the stream is over."""
        while True:
            with suppress(PermissionError):  # epoll knows no files, nor /dev/null: they never block
                await anyio.wait_readable(self._descriptor)
            if not self._poll.poll(0):  # it was read at once, meanwhile
                continue
            try:
                return os.read(self._descriptor, READ_SIZE)
            except BlockingIOError:
                continue
            except OSError as error:
                if error.errno in _GONE:
                    return b""
                raise

    def read_at_once(self, within_ms: int) -> bytes:
        """Read what is there or comes within a moment, past the event loop.

        Nothing where nothing comes, and where the stream is over or broken: `read` tells that.
        """
        ready = self._poll.poll(within_ms)
        if not ready or ready[0][1] & select.POLLNVAL:  # some systems cannot tell of a terminal
            return b""
        try:
            return os.read(self._descriptor, READ_SIZE)
        except OSError:
            return b""


def _unread_question(descriptor: int) -> int | None:
    """Return the ioctl that tells how much is not read yet, None where there is none."""
    try:
        import termios
    except ImportError:  # Windows
        return None
    mode = os.fstat(descriptor).st_mode
    if stat.S_ISFIFO(mode):
        return termios.FIONREAD
    return termios.TIOCOUTQ if stat.S_ISSOCK(mode) else None


def _unread(descriptor: int, question: int) -> int:
    import fcntl

    try:
        answer = fcntl.ioctl(descriptor, question, b"\0\0\0\0")
    except OSError:  # this system does not tell
        return 0
    return int(struct.unpack("i", answer)[0])
