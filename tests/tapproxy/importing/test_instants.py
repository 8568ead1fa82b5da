"""Times in logs: ISO 8601 with any number of digits, or numbers since 1970 in any unit."""

from datetime import datetime
from decimal import Decimal

import pytest

from tapproxy.importing.instants import instant, local

NS = 1_796_070_605_123_456_789  # 2026-11-30T20:30:05.123456789Z


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2026-11-30T20:30:05.123456789Z", NS),
        ("2026-11-30T22:00:05.123456789+01:30", NS),
        ("2026-11-30 20:30:05,123456789", NS),
        ("2026-11-30T20:30:05", NS // 10**9 * 10**9),
        ("1796070605.123456789", NS),
        (Decimal("1796070605.123456789"), NS),
        (Decimal("1796070605123.456789"), NS),
        (1_796_070_605_123_456, NS // 1000 * 1000),
        (NS, NS),
        (Decimal("0.25"), 250_000_000),
        (0, 0),
    ],
)
def test_a_time_is_an_instant(value: object, expected: int) -> None:
    assert instant(value) == expected


@pytest.mark.parametrize(
    "value",
    [None, True, [], "soon", "", "10:12:45", "NaN", "-1", -1, 1 << 63, "9999999-01-01T00:00:00"],
)
def test_what_is_no_time_is_none(value: object) -> None:
    assert instant(value) is None


def test_a_moment_without_a_zone_is_one_of_this_machine() -> None:
    assert local(datetime.fromisoformat("2026-11-30T20:30:05.123456")) == NS // 1000 * 1000
