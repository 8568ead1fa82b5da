"""The longest times in which nothing was said: by both sides, and by each of them."""

from collections.abc import Iterable
from dataclasses import dataclass
from heapq import heappushpop
from itertools import chain
from typing import NamedTuple

from tapproxy_store.records import Stream

MOST = 3
"""Silences of both sides that are kept."""


class Silence(NamedTuple):
    """Nothing came between the last byte of one frame and the first byte of another."""

    duration_ns: int
    after: int | None  # number of the frame before it; None: it began with the session
    until: int | None  # number of the frame that ended it; None: it lasted to the session's end
    from_ns: int  # when it began, since the session's start, nanoseconds


HeardRow = tuple[int | None, Stream, int, int]
"""Of a frame: number, stream (in or out), arrival of its first byte and of its last. Without a
number: the end, as if the side had spoken."""

SIDES: tuple[Stream, ...] = ("in", "out")


@dataclass(frozen=True, slots=True)
class Silences:
    """The longest of a session, or of what was selected of it."""

    both: tuple[Silence, ...]  # neither side said anything: at most MOST, the longest first
    by_side: dict[Stream, Silence]  # the longest of each side


def longest_silences(heard: Iterable[HeardRow], end_ns: int | None = None) -> Silences:
    """Go once over the frames of both sides, in the order in which they were complete.

    `end_ns` is the session's end, at which the last silences end; None where it is not known.
    """
    both = [Silence(0, 0, 0, 0)] * MOST
    by_side: dict[Stream, Silence] = {}
    longest: dict[Stream, int] = {"in": 0, "out": 0}
    lasts: dict[Stream, tuple[int | None, int]] = {}  # the side's last frame: number, last byte
    before, before_ns, least = None, None, 0
    ends = [(None, side, end_ns, end_ns) for side in SIDES] if end_ns is not None else []
    for number, stream, first_ns, last_ns in chain(heard, ends):
        if before_ns is not None and first_ns - before_ns > least:
            heappushpop(both, Silence(first_ns - before_ns, before, number, before_ns))
            least = both[0].duration_ns
        if stream in lasts and first_ns - lasts[stream][1] > longest[stream]:
            own, own_ns = lasts[stream]
            longest[stream] = first_ns - own_ns
            by_side[stream] = Silence(first_ns - own_ns, own, number, own_ns)
        lasts[stream] = (number, last_ns)
        before, before_ns = number, last_ns
    found = [it for it in both if it.duration_ns]
    found.sort(key=lambda it: (-it.duration_ns, it.from_ns))
    return Silences(tuple(found), by_side)
