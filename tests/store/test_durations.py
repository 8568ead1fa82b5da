"""Percentiles are exact for few durations, and within a thousandth for any number of them."""

import sys

from hypothesis import given
from hypothesis import strategies as st

from tapproxy_store.durations import MOST_EXACT, Durations

SECOND = 1_000_000_000


def nearest_rank(values: list[int], percent: int) -> int:
    return sorted(values)[-(-len(values) * percent // 100) - 1]


@given(st.lists(st.integers(0, 10**15), min_size=1, max_size=50), st.integers(1, 100))
def test_few_durations_have_exact_percentiles(values: list[int], percent: int) -> None:
    durations = Durations.of(values)
    assert durations.percentile(percent) == nearest_rank(values, percent)
    assert (durations.count, durations.total_ns, durations.max_ns) == (
        len(values), sum(values), max(values),
    )  # fmt: skip


@given(st.integers(1, 10**14), st.sampled_from([1, 50, 95, 99, 100]))
def test_of_many_a_percentile_is_less_than_a_thousandth_too_low(step: int, percent: int) -> None:
    values = [step * number for number in range(MOST_EXACT + 1, 0, -1)]
    exact = nearest_rank(values, percent)
    assert exact * 0.999 <= Durations.of(values).percentile(percent) <= exact


def test_parts_make_the_same_as_the_whole() -> None:
    values = [number * 7919 % SECOND for number in range(3 * MOST_EXACT)]
    whole, parts = Durations.of(values), Durations.of(values[:5])
    parts.add(Durations.of(values[5 : 2 * MOST_EXACT]))
    parts.add(Durations.of(values[2 * MOST_EXACT :]))
    assert parts == whole
    assert Durations() != whole


def test_memory_does_not_grow_with_their_number() -> None:
    durations = Durations()
    for number in range(20):
        durations.extend(number * 10_000 + each for each in range(10_000))
    assert sys.getsizeof(durations._rounded) < 300_000  # noqa: SLF001  what it is all about
    assert (durations.count, durations.max_ns) == (200_000, 199_999)
