"""What two sequences have in common is as long as it can be, and in order."""

from array import array
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from tapproxy.diffing.runs import Run, common_runs, longest_common

sequences = st.lists(st.integers(1, 4), max_size=24)
windows = st.integers(2, 8)


def keys(values: list[int]) -> "array[int]":
    return array("Q", values)


def longest_length(a: list[int], b: list[int]) -> int:
    """Count by the table that every textbook has."""
    above = [0] * (len(b) + 1)
    for x in a:
        row = [0]
        for j, y in enumerate(b, 1):
            row.append(above[j - 1] + 1 if x == y else max(above[j], row[-1]))
        above = row
    return above[-1]


def pairs_of(runs: list[Run]) -> list[tuple[int, int]]:
    return [(run.a + at, run.b + at) for run in runs for at in range(run.length)]


def is_common(pairs: list[tuple[int, int]], a: list[int], b: list[int]) -> bool:
    grows = all(i < x and j < y for (i, j), (x, y) in pairwise(pairs))
    return grows and all(a[i] == b[j] for i, j in pairs)


@given(sequences, sequences)
def test_a_longest_common_subsequence_is_found(a: list[int], b: list[int]) -> None:
    pairs = longest_common(keys(a), keys(b))
    assert is_common(pairs, a, b)
    assert len(pairs) == longest_length(a, b)


@given(sequences, sequences)
def test_runs_are_as_long_together_where_the_window_holds_both(a: list[int], b: list[int]) -> None:
    pairs = pairs_of(common_runs(keys(a), keys(b)))
    assert is_common(pairs, a, b)
    assert len(pairs) == longest_length(a, b)


@given(sequences, sequences, windows)
def test_what_a_small_window_finds_is_common_too(a: list[int], b: list[int], window: int) -> None:
    assert is_common(pairs_of(common_runs(keys(a), keys(b), window)), a, b)


@given(sequences, sequences, windows)
def test_swapping_the_sequences_swaps_the_runs(a: list[int], b: list[int], window: int) -> None:
    runs = common_runs(keys(a), keys(b), window)
    assert common_runs(keys(b), keys(a), window) == [Run(it.b, it.a, it.length) for it in runs]


@given(sequences, st.integers(0, 23), windows)
def test_one_key_that_is_missing_leaves_all_others_in_common(
    a: list[int], at: int, window: int
) -> None:
    b = a[:at] + a[at + 1 :]
    assert len(pairs_of(common_runs(keys(a), keys(b), window))) == len(b)


def test_equal_keys_make_one_run() -> None:
    assert common_runs(keys([1, 2, 3]), keys([1, 2, 3])) == [Run(0, 0, 3)]
    assert common_runs(keys([1, 2, 9, 3, 4]), keys([1, 2, 3, 4])) == [Run(0, 0, 2), Run(3, 2, 2)]
    assert common_runs(keys([]), keys([1])) == []


def test_long_sequences_with_a_change_here_and_there_are_found_again_through_windows() -> None:
    a = list(range(1, 5001))
    b = [it for it in a if it % 100] + [7, 7, 7]
    b[500:500] = [9999] * 20
    runs = common_runs(keys(a), keys(b), 128)
    assert sum(run.length for run in runs) == 4950
