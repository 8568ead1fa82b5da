"""What was done last is remembered, and the rest takes no memory."""

import pytest

from tapproxy.replay.recent import Recent

LEAST = 10


@pytest.mark.parametrize("count", [1, LEAST, LEAST + 1, 3 * LEAST, 1000])
def test_the_latest_are_remembered(count: int) -> None:
    recent = Recent(LEAST)
    for number in range(count):
        recent.note(number, 100 + number)
    latest = range(max(count - LEAST, 0), count)
    assert [recent.find(it) for it in latest] == [100 + it for it in latest]


def test_the_oldest_are_forgotten() -> None:
    recent = Recent(LEAST)
    for number in range(1000):
        recent.note(number, number)
    remembered = [it for it in range(1000) if recent.find(it) is not None]
    assert LEAST <= len(remembered) <= 2 * LEAST + 1
    assert remembered[-1] == 999
