"""Waits for what a host ends after the test, within bounds."""

import os
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


def has_begun(recording: str) -> bool:
    """Tell whether the recording is there, or the journal that it will be made of."""
    from tapproxy_store.journal import SUFFIX

    return os.path.exists(recording) or os.path.exists(recording + SUFFIX)


def is_live(recording: str) -> bool:
    """Tell whether its session goes on, or is only being born."""
    from tapproxy_store.journal_reading import open_journal
    from tapproxy_store.locks import is_held

    journal = open_journal(recording)
    if journal is None:
        return False
    try:  # its writer locks it first, and then writes the first byte
        return os.fstat(journal).st_size == 0 or is_held(journal)
    finally:
        os.close(journal)
