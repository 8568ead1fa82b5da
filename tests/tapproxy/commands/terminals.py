"""A terminal for tests: runs tap in it, types keys, and tells what came out and how it ended."""

import os
import pty
import subprocess
import sys
from collections.abc import Mapping

TAP = [sys.executable, "-m", "tapproxy"]


class Terminal:
    """One tap in a terminal of 80 columns and 24 lines."""

    def __init__(self, *arguments: str, environment: Mapping[str, str]) -> None:
        self._ours, theirs = pty.openpty()
        set_size(theirs, 24, 80)
        plain = {name: value for name, value in os.environ.items() if name not in LOOKS}
        self._process = subprocess.Popen(
            [*TAP, *arguments],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env={**plain, "TERM": "xterm", **environment},
            start_new_session=True,
        )
        os.close(theirs)

    def type(self, keys: bytes) -> None:
        """Type keys."""
        os.write(self._ours, keys)

    def read_until(self, awaited: bytes) -> bytes:
        """Return what came out up to and with the bytes; fails where tap ends before."""
        seen = b""
        while awaited not in seen:
            piece = self._read()
            assert piece, seen
            seen += piece
        return seen

    def end(self) -> tuple[bytes, int]:
        """Return what else came out until tap ended, and its exit code."""
        rest = b""
        while piece := self._read():
            rest += piece
        os.close(self._ours)
        return rest, self._process.wait()

    def _read(self) -> bytes:
        try:
            return os.read(self._ours, 65536)
        except OSError:  # Linux: the last program on the other end is gone
            return b""


LOOKS = {"NO_COLOR", "COLUMNS", "LINES", "PAGER", "LESS", "LESSCHARSET"}


def set_size(terminal: int, lines: int, columns: int) -> None:
    """Give a terminal its size."""
    import fcntl
    import struct
    import termios

    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
