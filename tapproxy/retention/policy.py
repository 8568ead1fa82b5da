"""Says which of some recordings go, given what is to be kept: nothing here looks at a file."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

COUNT, AGE_S, SIZE = 200, 30 * 86_400, 1 << 30


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

    What is busy counts. Once one is over a bound, all older ones are: what is kept has no gaps.
    """
    count = size = 0
    is_over = False
    gone = []
    for it in sorted(held, key=lambda it: (it.began_s, it.path), reverse=True):
        count, size = count + 1, size + it.size
        is_over = is_over or _is_over(bounds, count, size, now_s - it.began_s)
        if is_over and not it.busy:
            gone.append(it)
            count, size = count - 1, size - it.size
    return gone


def _is_over(bounds: Bounds, count: int, size: int, age_s: float) -> bool:
    return (
        (bounds.count is not None and count > bounds.count)
        or (bounds.size is not None and size > bounds.size)
        or (bounds.age_s is not None and age_s > bounds.age_s)
    )
