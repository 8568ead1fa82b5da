"""What connects a host and its child: pipes, sockets, /dev/null, as hosts in the wild use them."""

import fcntl
import os
import socket
import termios
from typing import NamedTuple


class Link(NamedTuple):
    """Two connected descriptors: the host keeps one and gives the other to the child."""

    host: int | None  # None where there is nothing to keep (/dev/null, a file)
    child: int


def pipe_to_child(capacity: int | None = None) -> Link:
    """Make a pipe from which the child reads."""
    reading, writing = os.pipe()
    _resize(writing, capacity)
    return Link(writing, reading)


def pipe_from_child(capacity: int | None = None) -> Link:
    """Make a pipe to which the child writes."""
    reading, writing = os.pipe()
    _resize(writing, capacity)
    return Link(reading, writing)


def socket_pair() -> Link:
    """Make a pair of stream sockets, as Node gives its children."""
    host, child = socket.socketpair()
    return Link(host.detach(), child.detach())


def terminal() -> Link:
    """Open a pseudo-terminal that does not echo: the host types, the child reads lines."""
    host, child = os.openpty()
    settings = termios.tcgetattr(child)
    settings[3] &= ~termios.ECHO
    termios.tcsetattr(child, termios.TCSANOW, settings)
    return Link(host, child)


def null() -> Link:
    """Open /dev/null for reading and writing."""
    return Link(None, os.open(os.devnull, os.O_RDWR))


def file(path: str, flags: int) -> Link:
    """Open a file of the host's, as the shell's `<`, `>` and `>>` do."""
    return Link(None, os.open(path, flags, 0o600))


def _resize(fd: int, capacity: int | None) -> None:
    if capacity is not None:
        fcntl.fcntl(fd, fcntl.F_SETPIPE_SZ, capacity)
