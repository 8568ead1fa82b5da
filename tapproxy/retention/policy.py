"""Says which of some recordings go, given what is to be kept: nothing here looks at a file."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

COUNT, AGE_S, SIZE = 200, 30 * 86_400, 1 << 30

CLOCK_S = 86_400
"""Seconds by which a clock may have been set since a recording began. What seems to begin later
still has its time from a clock that was wrong: it does not outlive what really is new."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """What is kept at most; None: any."""

    count: int | None = None  # recordings, the one that has just begun included
    age_s: float | None = None  # seconds since they began
    size: int | None = None  # bytes of all together


USUAL = Bounds(COUNT, AGE_S, SIZE)
"""What is kept of a wrapped program unless somebody says otherwise."""


class Held(NamedTuple):
    """A recording, as far as it matters for how long it is kept."""

    path: str
    began_s: float  # wall clock, seconds since 1970
    size: int  # bytes, with what stands beside it
    busy: bool = False  # it is still being recorded, or somebody reads it: it stays


def going(held: Iterable[Held], bounds: Bounds, now_s: float) -> list[Held]:
    """Return those that go, the oldest last: the newest are kept, and whatever is busy.

    What is busy counts. Once one is too many, all older ones are: what is kept has no gaps.
    """
    count = size = 0
    is_full = False
    gone = []
    latest_s = now_s + CLOCK_S
    by_age = sorted(held, key=lambda it: (it.began_s <= latest_s, it.began_s, it.path))
    for it in reversed(by_age):
        count, size = count + 1, size + it.size
        is_full = is_full or _is_full(bounds, count, size)
        is_old = bounds.age_s is not None and now_s - it.began_s > bounds.age_s
        if (is_full or is_old) and not it.busy:
            gone.append(it)
            count, size = count - 1, size - it.size
    return gone


def _is_full(bounds: Bounds, count: int, size: int) -> bool:
    return (bounds.count is not None and count > bounds.count) or (
        bounds.size is not None and size > bounds.size
    )
