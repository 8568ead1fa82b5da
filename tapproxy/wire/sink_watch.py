"""Watches the sinks of pumps that wait in a read: a reader that leaves must be noticed at once."""

from __future__ import annotations

import select
import threading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tapproxy.wire.pump import Pump


class SinkWatch(threading.Thread):
    """Interrupts a pump when its sink is gone.

    It uses epoll(7), which lets go of a descriptor that is closed: poll would hold the pipe open,
    and its reader would not learn of the end. Where there is no epoll, there is no watch.
    """

    def __init__(self, pumps: list[Pump]) -> None:
        super().__init__(daemon=True)
        self._epoll = select.epoll()
        self._pumps = {pump.sink.fd: pump for pump in pumps}
        for fd in self._pumps:
            try:
                self._epoll.register(fd, select.EPOLLONESHOT)  # errors and hang-ups, once
            except PermissionError:  # a regular file: nobody reads from it who could leave
                continue

    def run(self) -> None:
        """Watch as long as the process lives."""
        while True:
            for fd, _ in self._epoll.poll():
                self._pumps[fd].interrupt()
