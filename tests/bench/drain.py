"""Runs a command under the host that reads its stdout to the end, and says what that took."""

import sys
from dataclasses import dataclass

from tests.bench.workbench import Workbench

RSS_UNIT = 1 if sys.platform == "darwin" else 1024
"""getrusage counts bytes on macOS, KiB elsewhere."""


@dataclass(frozen=True, slots=True)
class Drained:
    """One run of a command, as its host saw it."""

    first_ns: int  # from the start of the command to its first byte
    end_ns: int  # to the end of its stdout
    exit_ns: int  # to its exit
    size: int  # bytes of stdout
    peak: int  # bytes of memory, at most

    @property
    def speed(self) -> float:
        """Bytes a nanosecond, from the first byte to the last."""
        return self.size / (self.end_ns - self.first_ns)


def drain(bench: Workbench, command: list[str]) -> Drained:
    """Run a command to its end."""
    first, end, exited, size, peak = map(
        int, bench.output([*bench.program("drain"), *command]).split()
    )
    return Drained(first, end, exited, size, peak * RSS_UNIT)
