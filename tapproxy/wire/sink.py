"""Where a pump writes: a descriptor that does not block, so that the pump can be called off."""

from __future__ import annotations

import os
from functools import partial

from tapproxy.wire.descriptors import packet_mode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from tapproxy.wire.descriptors import Descriptor

    Write = Callable[[bytes | memoryview], int]


class Sink:
    """The writing end of a stream. `write` takes what fits and raises BlockingIOError when full."""

    def __init__(self, fd: int) -> None:
        self.fd = fd
        self.write: Write = partial(os.write, fd)

    def close(self) -> None:
        """Pass on the end of the stream."""
        os.close(self.fd)


class SocketSink(Sink):
    """A sink on a socket, which is asked with each message not to wait.

    Closing it ends the stream for the reader when `shut_down` is set, though the other direction
    may still be in use; else, as a pipe's, when the last of those who share it has closed it.
    """

    def __init__(self, fd: int, *, shut_down: bool) -> None:
        import socket

        super().__init__(fd)
        self._shut_down = shut_down
        self._socket = socket.socket(fileno=fd)
        self.write = lambda data: self._socket.send(data, socket.MSG_DONTWAIT)

    def close(self) -> None:
        """Let go of the socket."""
        import socket

        try:
            if self._shut_down:
                self._socket.shutdown(socket.SHUT_WR)
        except OSError:
            return  # the other side has left already
        finally:
            self._socket.close()


def to_plugin(fd: int, kind: str) -> Sink:
    """Make a sink of our own end of a link."""
    return SocketSink(fd, shut_down=True) if kind == "socket" else Sink(fd)


def to_host(host: Descriptor, fd: int) -> Sink:
    """Make a sink of `fd`, a duplicate of a descriptor that the host shares with us and others.

    Its blocking mode belongs to all who share it and stays: a pipe or a terminal is opened anew, a
    socket is asked with each message not to wait. A file may block.
    """
    if host.kind == "socket":
        return SocketSink(fd, shut_down=False)
    return Sink(_reopened(fd, host.kind) if host.kind in ("pipe", "tty") else fd)


def _reopened(fd: int, kind: str) -> int:
    flags = os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY | packet_mode(fd)
    try:
        anew = os.open(f"/proc/self/fd/{fd}", flags)
    except OSError:  # not Linux, or another user's
        if kind == "pipe":  # hardly anybody else writes to it
            os.set_blocking(fd, False)
        return fd
    os.close(fd)
    return anew
