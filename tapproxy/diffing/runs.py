"""What two long sequences of keys have in common, in their order, as runs.

Equal beginnings and ends cost a comparison for each key. What lies between them is looked at
through a window, in which the longest common subsequence is found exactly.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from array import array

Keys: TypeAlias = "array[int]"
"""64 bits each, type code Q."""

WINDOW = 8192
"""Keys of each sequence that are compared with each other: 8 MB of memory. What has moved by more
than half of it, seen from where the runs before it lead, is not found again."""


class Run(NamedTuple):
    """So many keys are the same, from these two indexes on."""

    a: int
    b: int
    length: int


def common_runs(a: Keys, b: Keys, window: int = WINDOW) -> list[Run]:
    """Return the runs that the sequences have in common; swapping the two swaps the indexes."""
    if (len(a), a) > (len(b), b):
        return [Run(run.b, run.a, run.length) for run in common_runs(b, a, window)]
    start = _common_length(a, b)
    rest = min(len(a), len(b)) - start
    tail = _common_length(a[len(a) - rest :][::-1], b[len(b) - rest :][::-1])
    middle = _windowed(a[start : len(a) - tail], b[start : len(b) - tail], window)
    runs = [(start + i, start + j) for i, j in middle]
    return list(_joined(start, runs, Run(len(a) - tail, len(b) - tail, tail)))


def _joined(start: int, pairs: Iterable[tuple[int, int]], tail: Run) -> Iterator[Run]:
    """Yield a run of equal keys at the start, pairs of indexes as runs, and the run at the end."""
    run = Run(0, 0, start)
    for i, j in pairs:
        if (i, j) == (run.a + run.length, run.b + run.length):
            run = run._replace(length=run.length + 1)
            continue
        if run.length:
            yield run
        run = Run(i, j, 1)
    yield from (it for it in (run, tail) if it.length)


def _common_length(a: Keys, b: Keys) -> int:
    """Return how many keys at the beginning are the same."""
    unequal = (at for at, (x, y) in enumerate(zip(a, b, strict=False)) if x != y)
    return next(unequal, min(len(a), len(b)))


def _windowed(a: Keys, b: Keys, window: int) -> Iterator[tuple[int, int]]:
    """Yield pairs of indexes, window after window.

    Of a window that does not reach the end only what is in its first half is settled; the next
    begins with the first pair that is not, half a window further on in one sequence at least.
    """
    i = j = 0
    while i < len(a) and j < len(b):
        same = _common_length(a[i : i + window], b[j : j + window])
        if same:
            yield from ((i + at, j + at) for at in range(same))
            i, j = i + same, j + same
            continue
        pairs = longest_common(a[i : i + window], b[j : j + window])
        half = window // 2
        is_last = len(a) - i <= window and len(b) - j <= window
        settled = [it for it in pairs if is_last or (it[0] < half and it[1] < half)]
        yield from ((i + x, j + y) for x, y in settled)
        if len(settled) < len(pairs):
            x, y = pairs[len(settled)]
        else:
            x, y = window, window
        i, j = i + x, j + y


def longest_common(a: Keys, b: Keys) -> list[tuple[int, int]]:
    """Return the pairs of indexes of a longest common subsequence.

    By the bits of long integers (Hyyrö, "Bit-parallel LCS-length computation revisited", 2004):
    in the row of a key of `b`, bit i is 0 where one more key of `a` up to i is in common.
    """
    rows = _rows(a, b)
    pairs = []
    i, j = len(a) - 1, len(b) - 1
    while i >= 0 and j >= 0:
        if rows[j] >> i & 1:
            i -= 1
        elif j > 0 and not rows[j - 1] >> i & 1:
            j -= 1
        else:
            pairs.append((i, j))
            i, j = i - 1, j - 1
    return pairs[::-1]


def _rows(a: Keys, b: Keys) -> list[int]:
    places: dict[int, int] = {}
    for at, key in enumerate(a):
        places[key] = places.get(key, 0) | 1 << at
    everything = (1 << len(a)) - 1
    row, rows = everything, []
    for key in b:
        here = places.get(key, 0)
        row = (row + (row & here) | row & ~here) & everything
        rows.append(row)
    return rows
