"""Frames of which nothing is known."""

from tapproxy.dialects.api import Heard
from tapproxy.dialects.raw import RAW
from tests.tapproxy.dialects.heard import FIXTURES, heard_of, meanings_of


def test_any_session_may_be_taken_for_raw() -> None:
    assert RAW.recognise(["bc"], [Heard("in", b"1 + 1")]) == "no JSON in the first frames"
    assert RAW.recognise([], []) == "neither side has said anything"


def test_a_frame_means_nothing_and_nothing_is_learnt_of_the_session() -> None:
    heard = heard_of(FIXTURES / "dialects" / "raw" / "bc.tape")
    assert [(it.side, it.body) for it in heard] == [
        ("in", b"6 * 7"),
        ("out", b"42"),
        ("in", b"x = 2 ^ 64"),
        ("in", b"x"),
        ("out", b"18446744073709551616"),
        ("in", b"quit"),
    ]
    assert meanings_of(RAW, heard) == []
    assert RAW.begin([]).traits() == ()
