"""Counts the signals that reached a child which reports them (tests/programs/report_signals.py)."""

import signal

from tests.transparency.child import Child
from tests.transparency.waiting import until


def count_after(child: Child, name: str) -> int:
    """Send one more signal of another kind; return how often `name` was reported before it."""
    barrier = signal.SIGUSR2 if name == "SIGUSR1" else signal.SIGUSR1
    if not child.received["out"].endswith(f"{name}\n".encode()):
        until(lambda: name.encode() in child.receive_line(), f"{name} to be reported")
    child.signal(barrier)
    while not child.received["out"].endswith(f"{barrier.name}\n".encode()):
        child.receive_line()
    return child.received["out"].decode().split().count(name)
