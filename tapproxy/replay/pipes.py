"""Raw descriptors that never block the event loop, and keep each write a read of its own."""

import errno
import os
import stat
import struct
import time
from contextlib import suppress

import anyio

READ_SIZE = 1 << 16

DRAINED_WITHIN_S = 1.0
"""How long a write waits for the reader to take what was written before: one that does not read is
written to all the same, as in the recording."""

LOOK_AGAIN_S = 0.0001


class Outlet:
    """A descriptor that we write to."""

    def __init__(self, descriptor: int, *, apart: bool) -> None:
        """`apart`: no two writes are to be seen in one read, where that can be helped."""
        self._descriptor = descriptor
        self._apart = apart
        self._question = _unread_question(descriptor) if apart else None
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
        deadline = time.monotonic() + DRAINED_WITHIN_S
        is_open = True
        while is_open:  # the kernel tells nobody when a pipe has been read
            is_open = _unread(self._descriptor, question) > 0 and time.monotonic() < deadline
            if is_open:
                await anyio.sleep(LOOK_AGAIN_S)


async def read(descriptor: int) -> bytes:
    """Read what is there, waiting for something; nothing where the stream is over."""
    while True:
        with suppress(PermissionError):  # epoll knows no files, nor /dev/null: they never block
            await anyio.wait_readable(descriptor)
        try:
            return os.read(descriptor, READ_SIZE)
        except BlockingIOError:
            continue
        except OSError as error:
            if error.errno in (errno.EIO, errno.ECONNRESET):  # a terminal, a socket that is gone
                return b""
            raise


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
