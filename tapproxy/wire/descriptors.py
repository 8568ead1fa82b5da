"""What stdin, stdout and stderr are, and their mirror images for the plugin."""

from __future__ import annotations

import os
import stat
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

F_SETPIPE_SZ, F_GETPIPE_SZ = 1031, 1032  # Linux, fcntl(2); named in Python from 3.10 on Linux only

READ_SIZE = 1 << 16
"""Bytes of one read: the default capacity of a pipe, hence what one read can yield."""

LARGEST_MESSAGE = 1 << 20
"""Bytes of one read from a socket that keeps messages apart: what does not fit would be lost."""

LISTED_IN = ("/proc/self/fd", "/dev/fd")
"""Where a system lists a process's descriptors."""

MOST_TRIED = 4096
"""Descriptors that are looked for one by one where it does not; hosts have no more of them."""


class Descriptor:
    """One standard descriptor as the host gave it."""

    __slots__ = ("capacity", "fd", "kind", "read_size")

    def __init__(
        self, fd: int, kind: str, capacity: int | None = None, read_size: int = READ_SIZE
    ) -> None:
        """Kind: pipe, socket, null, tty, file, other, closed. Sizes in bytes, None: not told."""
        self.fd = fd
        self.kind = kind
        self.capacity = capacity
        self.read_size = read_size

    @property
    def handed_on(self) -> bool:
        """Whether the plugin gets the descriptor itself: there is no other side to hide from."""
        return self.kind in ("null", "closed")


def plug_closed() -> frozenset[int]:
    """Occupy those of descriptors 0 to 2 that the host left closed; return which they were."""
    closed = set()
    for fd in range(3):
        try:
            os.fstat(fd)
        except OSError:
            closed.add(os.open(os.devnull, os.O_RDWR))
    return frozenset(closed)


def inherited() -> list[int]:
    """List the descriptors above 2 that the host left open for its child."""
    return [fd for fd in _candidates() if fd > 2 and _is_inheritable(fd)]


def _candidates() -> Iterable[int]:
    """Return those that are open, or, where nothing lists them (no /proc in a chroot), all."""
    for folder in LISTED_IN:
        try:
            return [int(name) for name in os.listdir(folder)]
        except OSError:
            continue
    return range(min(os.sysconf("SC_OPEN_MAX"), MOST_TRIED))


def _is_inheritable(fd: int) -> bool:
    try:
        return os.get_inheritable(fd)
    except OSError:  # the listing's own descriptor, closed by now
        return False


def describe(fd: int) -> Descriptor:
    """Say what the descriptor is and how much it buffers."""
    status = os.fstat(fd)
    mode = status.st_mode
    if stat.S_ISFIFO(mode):
        return Descriptor(fd, "pipe", _pipe_capacity(fd))
    if stat.S_ISSOCK(mode):
        return _describe_socket(fd)
    if stat.S_ISREG(mode):
        return Descriptor(fd, "file")
    if stat.S_ISCHR(mode) and status.st_rdev == os.stat(os.devnull).st_rdev:
        return Descriptor(fd, "null")
    return Descriptor(fd, "tty" if os.isatty(fd) else "other")


def mirror(host: Descriptor, *, plugin_reads: bool) -> tuple[int, int]:
    """Make a connection of the same kind, capacity and blocking mode as the host's.

    Returns our end and the plugin's. Ours does not block where we write to a pipe; a socket, which
    may carry both directions, is asked so with each message.
    """
    if host.kind == "socket":
        ours, theirs = _socket_pair(host.fd)
    else:
        ours, theirs = _pipe(host.fd)
        if host.capacity:
            _set_pipe_capacity(ours, host.capacity)
        if plugin_reads:
            ours, theirs = theirs, ours
    if plugin_reads and host.kind != "socket":
        os.set_blocking(ours, False)
    if host.kind in ("pipe", "socket"):
        os.set_blocking(theirs, os.get_blocking(host.fd))
    return ours, theirs


def _pipe(host: int) -> tuple[int, int]:
    """Make a pipe that keeps packets apart where the host's does (O_DIRECT, pipe(2))."""
    if sys.platform != "linux":
        return os.pipe()
    return os.pipe2(os.O_CLOEXEC | packet_mode(host))


def packet_mode(fd: int) -> int:
    """Return O_DIRECT where it is set, else 0."""
    if sys.platform != "linux":
        return 0
    import fcntl

    return fcntl.fcntl(fd, fcntl.F_GETFL) & os.O_DIRECT


def _pipe_capacity(fd: int) -> int | None:
    import fcntl

    try:
        return fcntl.fcntl(fd, F_GETPIPE_SZ)
    except OSError:  # not Linux
        return None


def _set_pipe_capacity(fd: int, capacity: int) -> None:
    import fcntl

    try:
        fcntl.fcntl(fd, F_SETPIPE_SZ, capacity)
    except OSError:  # over the user's limit, or not Linux: the default capacity serves
        return


def _describe_socket(fd: int) -> Descriptor:
    import socket

    with socket.socket(fileno=os.dup(fd)) as host:
        capacity = host.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF)
        read_size = READ_SIZE if host.type == socket.SOCK_STREAM else LARGEST_MESSAGE
    return Descriptor(fd, "socket", capacity, read_size)


def _socket_pair(fd: int) -> tuple[int, int]:
    import socket

    with socket.socket(fileno=os.dup(fd)) as host:
        ours, theirs = socket.socketpair(socket.AF_UNIX, host.type)
        for option in (socket.SO_SNDBUF, socket.SO_RCVBUF):
            size = host.getsockopt(socket.SOL_SOCKET, option)
            for end in (ours, theirs):
                # The kernel doubles what it is asked for (socket(7)).
                end.setsockopt(socket.SOL_SOCKET, option, size // 2)
    return ours.detach(), theirs.detach()
