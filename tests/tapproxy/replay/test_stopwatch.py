"""A clock that is stopped shows the same instant, and goes on from there."""

from tapproxy.replay.stopwatch import Stopwatch


def test_what_happens_while_it_is_stopped_takes_no_time() -> None:
    now = 100
    clock = Stopwatch(lambda: now)
    assert clock() == 100
    now = 110
    with clock.stopped():
        now = 500
        assert clock() == 110
        now = 900
        assert clock() == 110
    assert clock() == 110
    now = 905
    assert clock() == 115
    with clock.stopped():
        now = 1000
    assert clock() == 115
