"""Which recordings go: never the newest, never one that is busy, and no more than must."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapproxy.errors import TapError
from tapproxy.retention.policy import USUAL, Bounds, Held, going
from tapproxy.retention.wording import read_age, read_bounds, read_size

NOW_S = 1_000_000.0

HELD = st.lists(
    st.builds(
        Held,
        st.text("abcdef", min_size=1, max_size=6),
        st.floats(0, NOW_S),
        st.integers(0, 1000),
        st.booleans(),
    ),
    unique_by=lambda it: it.path,
    max_size=30,
)
BOUNDS = st.builds(
    Bounds,
    st.none() | st.integers(1, 20),
    st.none() | st.floats(0, NOW_S),
    st.none() | st.integers(0, 5000),
)


@given(HELD, BOUNDS)
def test_what_is_left_is_within_the_bounds_but_for_what_is_busy(
    held: list[Held], bounds: Bounds
) -> None:
    left = set(held) - set(going(held, bounds, NOW_S))
    idle = [it for it in left if not it.busy]
    if idle:
        assert bounds.count is None or len(left) <= bounds.count + len(left) - len(idle)
        assert bounds.age_s is None or all(NOW_S - it.began_s <= bounds.age_s for it in idle)
        oldest = min(idle, key=lambda it: (it.began_s, it.path))
        newer = [it for it in left if (it.began_s, it.path) >= (oldest.began_s, oldest.path)]
        assert bounds.count is None or len(newer) <= bounds.count
        assert bounds.size is None or sum(it.size for it in newer) <= bounds.size


@given(HELD, BOUNDS)
def test_what_goes_is_older_than_all_that_stays_idle_and_is_never_busy(
    held: list[Held], bounds: Bounds
) -> None:
    gone = going(held, bounds, NOW_S)
    assert not any(it.busy for it in gone)
    idle = [it for it in held if not it.busy and it not in gone]
    if gone and idle:
        assert max(it.began_s for it in gone) <= min(it.began_s for it in idle)


def test_what_a_wrong_clock_has_dated_outlives_nothing_that_is_new() -> None:
    """It is no reason either to remove what was recorded before the clock was set back."""
    day_s = 86_400
    new, later, latest = (
        Held(name, NOW_S + days * day_s, 1) for name, days in (("a", 0), ("b", 20), ("c", 900))
    )
    old = Held("d", NOW_S - 5 * day_s, 1)
    assert going([new, later, latest], Bounds(count=2), NOW_S) == [later]
    assert going([new, later, latest, old], Bounds(age_s=day_s), NOW_S) == [old]


@given(HELD, BOUNDS)
def test_the_order_in_which_they_are_told_does_not_matter(held: list[Held], bounds: Bounds) -> None:
    assert going(held, bounds, NOW_S) == going(held[::-1], bounds, NOW_S)


@given(HELD)
def test_nothing_goes_where_there_are_no_bounds(held: list[Held]) -> None:
    assert going(held, Bounds(), NOW_S) == []


def test_a_bound_is_reached_and_not_crossed() -> None:
    held = [Held(name, began, 10) for began, name in enumerate("abcde")]
    assert [it.path for it in going(held, Bounds(count=5), 4)] == []
    assert [it.path for it in going(held, Bounds(count=3), 4)] == ["b", "a"]
    assert [it.path for it in going(held, Bounds(size=40), 4)] == ["a"]
    assert [it.path for it in going(held, Bounds(age_s=2), 4)] == ["b", "a"]


def test_bounds_are_read_as_people_write_them() -> None:
    assert read_bounds("count=200,age=30d,size=1GiB") == USUAL == read_bounds("default")
    assert read_bounds("none") == Bounds()
    assert read_bounds("size=1.5MB, count=0") == Bounds(count=1, size=1_500_000)
    assert (read_age("90s", "x"), read_age("2w", "x")) == (90, 1_209_600)
    assert (read_size("10", "x"), read_size("2k", "x"), read_size("1Ki", "x")) == (10, 2000, 1024)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "--keep: '' is none of count=200, age=30d, size=1GiB"),
        ("count=-1", "--keep: 'count=-1' is none of count=200, age=30d, size=1GiB"),
        ("age=soon", "age: 'soon' is no age; write it as in 30d, 12h, 2w"),
        ("size=big", "size: 'big' is no size; write it as in 64MB, 1GiB"),
    ],
)
def test_other_words_are_refused(text: str, said: str) -> None:
    with pytest.raises(TapError) as refused:
        read_bounds(text)
    assert (str(refused.value), refused.value.exit_code) == (said, 2)
