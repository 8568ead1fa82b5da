"""A terminal at which a test sits: what is shown on it, and keys that are typed there."""

import os
import select
import subprocess
import sys
import termios
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from tests.tapproxy.commands.terminals import set_size

WITHIN_S = 30

ATTACHED = """
import fcntl, os, sys, termios
os.setsid()
fcntl.ioctl(int(sys.argv[1]), termios.TIOCSCTTY, 0)
os.close(int(sys.argv[1]))
os.execvp(sys.argv[2], sys.argv[2:])
"""
"""Makes a terminal that of a new session, and becomes the program that follows."""


class Seat:
    """A pseudo-terminal of 100 columns."""

    def __init__(self) -> None:
        self._ours, self.theirs = os.openpty()
        set_size(self.theirs, 40, 100)
        self.path = os.ttyname(self.theirs)
        self.modes = termios.tcgetattr(self.theirs)
        self.seen = b""  # and not returned yet

    def leave(self) -> None:
        """Go away, as a window is closed."""
        os.close(self._ours)
        self._ours = -1

    def close(self) -> None:
        """Take the terminal away."""
        for end in (self._ours, self.theirs):
            if end >= 0:
                os.close(end)

    def type(self, keys: str) -> None:
        """Type keys."""
        os.write(self._ours, keys.encode())

    def shown_until(self, awaited: str) -> str:
        """Return what was shown up to and with a text that has to come."""
        wanted = awaited.replace("\n", "\r\n").encode()
        while wanted not in self.seen:
            readable, _, _ = select.select([self._ours], [], [], WITHIN_S)
            assert readable, self.seen
            self.seen += os.read(self._ours, 65536)
        end = self.seen.index(wanted) + len(wanted)
        shown, self.seen = self.seen[:end], self.seen[end:]
        return shown.decode().replace("\r\n", "\n")

    def asks(self, expected: str) -> None:
        """Wait for the next question; all that is shown until then has to be this."""
        shown = self.shown_until("]? ")
        assert shown == expected, shown

    @contextmanager
    def start(
        self, command: Sequence[str], *, attached: bool = True, **more: Any
    ) -> "Iterator[subprocess.Popen[bytes]]":
        """Start a program in a session of its own, whose terminal this is if it is attached.

        In the end it is killed, as it may still ask.
        """
        attaching = [sys.executable, "-c", ATTACHED, str(self.theirs)] if attached else []
        environment = {**os.environ, "NO_COLOR": "1", "TERM": "xterm", **more.pop("env", {})}
        process = subprocess.Popen(
            [*attaching, *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            env=environment,
            start_new_session=not attached,
            pass_fds=[self.theirs] if attached else [],
            **more,
        )
        try:
            yield process
        finally:
            process.kill()
            for pipe in (process.stdin, process.stdout, process.stderr):
                if pipe is not None:
                    pipe.close()
            process.wait()
