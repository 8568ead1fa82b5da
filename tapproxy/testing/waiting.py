"""Waits for what a host ends after the test, within bounds."""

import time
from collections.abc import Callable

PATIENCE_S = 5.0
"""How long after the test a host may take to end what it has started."""

POLL_S = 0.02


def comes_true(condition: Callable[[], bool]) -> bool:
    """Wait until the condition is true; False where it is not in time."""
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(POLL_S)
    return True
