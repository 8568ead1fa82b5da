"""Columns are settled once, by the width, the longest time and the number of frames."""

from tapproxy_viewers import words
from tapproxy_viewers.layout import NARROW, WIDE, layout


def test_a_session_under_an_hour_has_seconds_and_a_longer_one_hours() -> None:
    short, long = layout(100, words.HOUR - 1), layout(100, 100 * words.HOUR)
    assert (short.clock(1_500_000_000), short.clock_width) == ("1.500 s", len("3599.999 s"))
    assert (long.clock(1_500_000_000), long.clock_width) == ("0:00:01.500", len("100:00:00.000"))
    assert layout(100, 0).clock_width == len("999.999 s")


def test_numbers_have_room_for_the_last_frame() -> None:
    assert [layout(100, 0, frames).number_width for frames in (0, 99, 100, 1_000_000)] == [
        3,
        3,
        4,
        8,
    ]


def test_what_is_less_important_is_left_out_where_there_is_no_room() -> None:
    columns = [
        (place.with_since, place.with_size)
        for place in (layout(width, 0) for width in (NARROW - 1, NARROW, WIDE - 1, WIDE))
    ]
    assert columns == [(False, False), (True, False), (True, False), (True, True)]


def test_as_many_bytes_are_read_as_a_line_can_show() -> None:
    assert layout(100, 0).text_size == 101 * 4 * 4
