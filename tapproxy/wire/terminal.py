"""The pump of a stdin that is a terminal, which only a job in the foreground may read."""

from __future__ import annotations

import os
import time

from tapproxy.wire.pump import Pump

BACKGROUND_S = 0.2
"""How often a job in the background looks whether it is in the foreground again."""


class TerminalPump(Pump):
    """Leaves the terminal alone while the job is in the background.

    A read there would have the system stop the whole job (SIGTTIN), though the plugin may never
    want to read.
    """

    def run_swiftly(self) -> bool:
        """Never wait in a read: by the time it returns, the job may be in the background."""
        return True

    def may_read(self) -> bool:
        """Wait for something to read, and for the foreground."""
        while super().may_read():
            if self._is_in_foreground():
                return True
            time.sleep(BACKGROUND_S)
        return False

    def _is_in_foreground(self) -> bool:
        try:
            return os.tcgetpgrp(self.source) == os.getpgrp()
        except OSError:  # not the terminal that controls us: nobody is stopped for reading it
            return True
