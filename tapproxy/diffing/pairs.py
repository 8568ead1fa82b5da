"""Which message of one lane is which of another: first what is equal, then what is alike."""

from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from tapproxy.diffing.lanes import Lane
from tapproxy.diffing.runs import Keys, Run, common_runs

How = Literal["same", "changed", "moved", "only"]


class Pair(NamedTuple):
    """Two messages, or one that has no counterpart: indexes in their lanes."""

    how: How
    a: int | None
    b: int | None
    after: int  # the index in A after which the message has, or would have, its place; or -1


class Paired(NamedTuple):
    """Two lanes beside each other."""

    same: list[Run]  # equal messages with equal answers
    pairs: list[Pair]  # the rest; of those that are the same, the answers differ


class _Gap(NamedTuple):
    """What lies between two runs: from these indexes to before those."""

    a: int
    b: int
    a_end: int
    b_end: int


def pair(a: Lane, b: Lane) -> Paired:
    """Pair two lanes: equal exchanges, equal messages, moved ones, those of one kind and method.

    The first two keep the order; a message has moved where its equal is out of that order; the
    last are paired between the same two runs only, in their order.
    """
    whole = common_runs(a.exchange_keys(), b.exchange_keys())
    pairs: list[Pair] = []
    inner: list[Run] = []
    for gap in _gaps(whole, a, b):
        runs = _common_between(a.keys, b.keys, gap)
        inner += runs
        pairs += [
            Pair("same", it.a + at, it.b + at, it.a + at) for it in runs for at in range(it.length)
        ]
    gaps = list(_gaps(sorted(whole + inner), a, b))
    pairs += _unequal(a, b, gaps)
    return Paired(whole, pairs)


def _gaps(runs: Sequence[Run], a: Lane, b: Lane) -> Iterator[_Gap]:
    i = j = 0
    for run in (*runs, Run(len(a.keys), len(b.keys), 0)):
        if run.a > i or run.b > j:
            yield _Gap(i, j, run.a, run.b)
        i, j = run.a + run.length, run.b + run.length


def _common_between(a: Keys, b: Keys, gap: _Gap) -> list[Run]:
    runs = common_runs(a[gap.a : gap.a_end], b[gap.b : gap.b_end])
    return [Run(gap.a + it.a, gap.b + it.b, it.length) for it in runs]


def _unequal(a: Lane, b: Lane, gaps: Sequence[_Gap]) -> Iterator[Pair]:
    """Pair what is left in the gaps, or leave it alone."""
    waiting: dict[int, deque[int]] = defaultdict(deque)
    for gap in gaps:
        for j in range(gap.b, gap.b_end):
            waiting[b.keys[j]].append(j)
    moved = {
        i: waiting[a.keys[i]].popleft()
        for gap in gaps
        for i in range(gap.a, gap.a_end)
        if waiting.get(a.keys[i])
    }
    yield from (Pair("moved", i, j, i) for i, j in moved.items())
    taken = set(moved.values())
    for gap in gaps:
        left = [i for i in range(gap.a, gap.a_end) if i not in moved]
        other = [j for j in range(gap.b, gap.b_end) if j not in taken]
        yield from _alike(a, b, left, other, gap)


def _alike(a: Lane, b: Lane, left: list[int], other: list[int], gap: _Gap) -> Iterator[Pair]:
    """Pair messages of one kind and method in their order."""
    waiting: dict[int, deque[int]] = defaultdict(deque)
    for j in other:
        waiting[b.labels[j]].append(j)
    after = gap.a - 1
    places: dict[int, int] = {}
    for i in left:
        alike = waiting.get(a.labels[i])
        if alike:
            places[alike[0]] = i
            yield Pair("changed", i, alike.popleft(), i)
        else:
            yield Pair("only", i, None, i)
    for j in other:
        after = places.get(j, after)
        if j not in places:
            yield Pair("only", None, j, after)
