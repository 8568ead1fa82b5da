"""Numbers and instants in human words."""

from datetime import UTC, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapproxy_viewers import words

STARTED_NS = 1_796_070_605_123_456_789


@pytest.mark.parametrize(
    ("count", "said"),
    [
        (0, "0 B"),
        (999, "999 B"),
        (1000, "1.0 kB"),
        (1234, "1.2 kB"),
        (99_949, "99.9 kB"),
        (99_950, "100 kB"),
        (999_499, "999 kB"),
        (999_500, "1.0 MB"),
        (5_000_000, "5.0 MB"),
        (1 << 40, "1.1 TB"),
        (5 * 10**15, "5000 TB"),
    ],
)
def test_a_size_is_said_with_three_digits_at_most(count: int, said: str) -> None:
    assert words.size(count) == said


@pytest.mark.parametrize(
    ("ns", "said"),
    [
        (0, "0 µs"),
        (412_000, "412 µs"),
        (999_499, "999 µs"),
        (999_500, "1.0 ms"),
        (9_949_999, "9.9 ms"),
        (9_950_000, "10 ms"),
        (38_000_000, "38 ms"),
        (999_499_999, "999 ms"),
        (999_500_000, "1.0 s"),
        (12_345_678_901, "12.3 s"),
        (59_949_999_999, "59.9 s"),
        (59_950_000_000, "1m 00s"),
        (125 * words.SECOND, "2m 05s"),
        (words.HOUR + 2 * words.MINUTE, "1h 02m"),
        (3 * words.DAY + 4 * words.HOUR, "3d 04h"),
    ],
)
def test_a_duration_is_said_in_the_unit_that_fits(ns: int, said: str) -> None:
    assert words.duration(ns) == said


@given(st.integers(0, 99 * words.DAY), st.integers(0, 10**15 - 1))
def test_sizes_and_durations_never_outgrow_their_columns(ns: int, count: int) -> None:
    assert len(words.duration(ns)) <= 7
    assert len(words.size(count)) <= 7


def test_the_clock_shows_milliseconds_and_never_runs_ahead() -> None:
    assert words.seconds(2_999_999) == "0.002 s"
    assert words.seconds(12_345 * 1_000_000) == "12.345 s"
    assert words.hours(3_723_456 * 1_000_000) == "1:02:03.456"


def test_instants_are_said_where_the_reader_is() -> None:
    kathmandu = timezone(timedelta(hours=5, minutes=45))
    assert words.zoned_time(STARTED_NS, kathmandu) == "2026-12-01 02:15:05 +05:45"
    assert words.zoned_time(STARTED_NS, UTC) == "2026-11-30 20:30:05 +00:00"


@pytest.mark.parametrize(
    ("ns", "said"),
    [
        (-5, "just now"),
        (59 * words.SECOND, "just now"),
        (12 * words.MINUTE, "12 min ago"),
        (3 * words.HOUR, "3 h ago"),
        (words.DAY, "1 day ago"),
        (400 * words.DAY, "400 days ago"),
    ],
)
def test_ages_are_said_roughly(ns: int, said: str) -> None:
    assert words.ago(ns) == said


def test_compact_counts_have_six_characters_at_most() -> None:
    assert [words.compact(n) for n in (0, 9_999, 12_345, 999_949, 999_950, 12_345_678)] == [
        "0",
        "9,999",
        "12.3k",
        "999.9k",
        "1.0M",
        "12.3M",
    ]
