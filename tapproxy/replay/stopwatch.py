"""A clock that can be stopped: what happens meanwhile takes no time."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

Clock = Callable[[], int]
"""Nanoseconds since any instant; never goes back."""


class Stopwatch:
    """Shows the time of another clock, less that for which it was stopped."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lost_ns = 0
        self._stopped_ns: int | None = None  # what it shows while it is stopped

    def __call__(self) -> int:
        """Return the time, in nanoseconds."""
        if self._stopped_ns is not None:
            return self._stopped_ns
        return self._clock() - self._lost_ns

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """Stop it, and let it go on from the same instant."""
        shown_ns = self._stopped_ns = self()
        try:
            yield
        finally:
            self._stopped_ns = None
            self._lost_ns = self._clock() - shown_ns
