"""Starts the ingester beside the session: detached, with nothing of the host's, never first."""

from __future__ import annotations

import os
import sys
import threading
from functools import partial

from tapproxy.own_path import own_environment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tapproxy.wire.recorder import Recorder

NOT_BEFORE_S = 1.0
"""Without any byte the ingester starts after this long, so that the start itself is on show."""

GRACE_S = 0.1
"""After the host's first byte the plugin has this long to answer before the ingester starts."""


class Starter(threading.Thread):
    """Starts the ingester once the plugin has said something, or nothing for a while."""

    def __init__(self, recorder: Recorder, *, wanted: bool) -> None:
        """Keep a descriptor of the journal for the ingester: it can read even a deleted one."""
        super().__init__(daemon=True)
        self._path = recorder.path
        self._journal = recorder.open_to_read() if wanted else None
        self._heard = {"in": threading.Event(), "out": threading.Event()}
        self._pid: int | None = None

    def heard(self, stream: str) -> None:
        """Take note of a stream's first byte; with the plugin's the ingester may start."""
        if stream != "in":
            self._heard["out"].set()
        self._heard["in"].set()

    def run(self) -> None:
        """Wait for the right moment, and start."""
        if self._journal is None:
            return
        if self._heard["in"].wait(NOT_BEFORE_S):
            self._heard["out"].wait(GRACE_S)
        self._start(self._journal)

    def finish(self) -> None:
        """Have the ingester started by now."""
        if self.ident is None:
            self.start()
        self.heard("out")
        self.join()

    def reap(self) -> None:
        """Take the exit status of the ingester's first process, which detaches by a fork."""
        if self._pid is not None and os.waitpid(self._pid, os.WNOHANG)[0]:
            self._pid = None

    def _start(self, journal: int) -> None:
        try:
            self._pid = _spawn(journal, self._path)
        except OSError:  # the next tap command that meets the journal does the work
            self._pid = None
        os.close(journal)


def _spawn(journal: int, path: str) -> int:
    # -P: a module in the host's working directory must not stand in for one of ours.
    command = [sys.executable, "-P", "-m", "tapproxy.ingest", "--detach", path]
    actions = [
        (os.POSIX_SPAWN_DUP2, journal, 0),
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
        (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
    ]
    spawn = partial(
        os.posix_spawn,
        sys.executable,
        command,
        own_environment(),
        file_actions=actions,
        setsigmask=[],
    )
    try:
        return spawn(setsid=True)  # a host that kills the group at the end must not meet it there
    except NotImplementedError:  # an old C library: it leaves the group by itself, a little later
        return spawn()
