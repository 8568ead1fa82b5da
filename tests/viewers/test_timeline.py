"""Frames and events become rows of plain values."""

from tapproxy_viewers.timeline import (
    CHECKED_SIZE,
    EventRow,
    FrameRow,
    Row,
    SilenceRow,
    open_rows,
    rows,
)
from tests.viewers.made import MS, SECOND, Entry, Made, event


def only_frame(row: Row) -> FrameRow:
    assert isinstance(row, FrameRow)
    return row


def test_rows_tell_time_since_the_start_and_since_the_frame_before() -> None:
    made = Made()
    entries: list[Entry] = [
        event(0, "spawn", pid=42),
        made.frame("in", 3 * MS, b"ask"),
        event(4 * MS, "eof", stream="in", by="host"),
        made.frame("out", 41 * MS, b"answer"),
        event(42 * MS, "end", wall_ns=0),
    ]
    assert list(rows(entries, made.payload, 100)) == [
        EventRow(0, "event", "plugin started, pid 42"),
        FrameRow(3 * MS, None, "in", 4, (), "ask", more=False),
        EventRow(4 * MS, "event", "host closed stdin"),
        FrameRow(41 * MS, 38 * MS, "out", 7, (), "answer", more=False),
    ]


def test_more_than_a_second_of_nothing_is_a_silence() -> None:
    made = Made()
    entries: list[Entry] = [
        made.frame("in", 0, b"1"),
        made.frame("in", SECOND, b"2"),
        made.frame("in", 2 * SECOND + 1, b"3"),
        event(5 * SECOND, "exit", code=0),
    ]
    silences = [row for row in rows(entries, made.payload, 100) if isinstance(row, SilenceRow)]
    assert silences == [SilenceRow(SECOND + 1), SilenceRow(3 * SECOND - 1)]


def test_what_is_wrong_with_a_frame_is_noted() -> None:
    made = Made()
    entries = [
        made.frame("out", 0, b"half", "unfinished"),
        made.frame("out", 0, b"\r[1/3] \xff", "junk"),
        made.frame("out", 0, b"torn", "gap"),
        made.frame("out", 3 * SECOND, b"slow", slow_ns=2 * SECOND),
    ]
    notes = [row.notes for row in rows(entries, made.payload, 100) if isinstance(row, FrameRow)]
    assert notes == [
        ("unfinished",),
        ("junk", "not UTF-8"),
        ("bytes missing",),
        ("took 2.0 s to arrive",),
    ]


def test_a_frame_of_a_living_session_is_still_open_and_may_end_within_a_character() -> None:
    made = Made()
    frame = made.frame("out", 0, "你好".encode()[:-1], "unfinished")
    assert list(open_rows([frame], made.payload, 100)) == [
        FrameRow(0, None, "out", 6, ("still open",), "你", more=True)
    ]


def test_only_the_head_of_a_frame_is_kept() -> None:
    made = Made()
    (row,) = rows([made.frame("out", 0, "é".encode() * 500)], made.payload, 101)
    assert (only_frame(row).text, only_frame(row).more) == ("é" * 50, True)
    assert only_frame(row).notes == ()


def test_a_bad_byte_is_found_far_beyond_what_is_shown() -> None:
    made = Made()
    entries = [
        made.frame("out", 0, b"x" * (CHECKED_SIZE - 2) + b"\xff"),
        made.frame("out", 0, b"x" * (CHECKED_SIZE - 1) + "é".encode() + b"x"),
    ]
    notes = [only_frame(row).notes for row in rows(entries, made.payload, 100)]
    assert notes == [("not UTF-8",), ()]
