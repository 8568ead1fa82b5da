"""Waits that have a bound, and times that a busy machine cannot spoil."""

import os
import select
import time
from collections.abc import Callable
from typing import TypeVar

DEADLINE_S = 20.0
"""Long enough for a machine under load; nothing in this suite waits longer."""
LOOK_AGAIN_S = 0.005

T = TypeVar("T")


def until(condition: Callable[[], T], what: str, deadline_s: float = DEADLINE_S) -> T:
    """Return the condition's first true value; TimeoutError names what was waited for."""
    end = time.monotonic() + deadline_s
    while not (value := condition()):
        if time.monotonic() > end:
            raise TimeoutError(f"waited {deadline_s} s for {what}")
        time.sleep(LOOK_AGAIN_S)
    return value


def ready(fd: int, events: int, what: str, deadline_s: float = DEADLINE_S) -> int:
    """Wait for one of the poll events on a descriptor; return those that hold."""
    poll = select.poll()
    poll.register(fd, events)
    found = poll.poll(deadline_s * 1000)
    if not found:
        raise TimeoutError(f"waited {deadline_s} s for {what}")
    return found[0][1]


def holds_now(fd: int, events: int) -> bool:
    """Whether one of the poll events holds at this instant."""
    poll = select.poll()
    poll.register(fd, events)
    return bool(poll.poll(0))


def write_all(fd: int, data: bytes, what: str, deadline_s: float = DEADLINE_S) -> int:
    """Write to a non-blocking descriptor, as much at once as it takes."""
    view = memoryview(data)
    while view:
        ready(fd, select.POLLOUT, what, deadline_s)
        try:
            view = view[os.write(fd, view) :]
        except BlockingIOError:
            continue
    return len(data)


def best_of(tries: int, measure: Callable[[], float]) -> float:
    """Return the shortest of several times in seconds: load makes a time longer, never shorter."""
    return min(measure() for _ in range(tries))
