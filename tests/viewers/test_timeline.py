"""Frames and their messages become rows of plain values."""

from typing import Any

from tapproxy_store.records import Frame, Told
from tapproxy_viewers.timeline import CHECKED_SIZE, FrameRow, Source, bare_row, frame_rows
from tests.viewers.made import MS, SECOND, Made, message

ALONE = False
"""In its read."""


def row_of(made: Made, told: Told, before: Frame | None = None, **source: Any) -> FrameRow:
    (row,) = frame_rows(told, before, Source(made.payload, 100, **source))
    return row


def test_a_frame_without_a_message_is_told_by_its_bytes() -> None:
    made = Made()
    first = made.frame("in", 3 * MS, b"ask")
    assert row_of(made, Told(first, ())) == FrameRow(
        3 * MS, None, ALONE, "in", 1, 4, (), None, text="ask"
    )
    second = made.bare("out", 41 * MS, b"answer")
    assert row_of(made, second, first) == FrameRow(
        41 * MS, 38 * MS, ALONE, "out", 2, 7, (), None, text="answer"
    )


def test_a_message_is_told_by_what_it_means_and_its_bytes_are_not_read() -> None:
    told = Made().told("in", 3 * MS, "request", "add", id="1", summary="[1, 2]")
    assert row_of(Made(), told) == FrameRow(3 * MS, None, ALONE, "in", 1, 3, (), told.messages[0])


def test_what_could_not_be_understood_is_told_by_both() -> None:
    made = Made()
    frame = made.frame("out", MS, "go é".encode() * 30)
    told = Told(frame, (message(1, "unknown", note="not JSON"),))
    row = row_of(made, told)
    assert row == FrameRow(
        MS, None, ALONE, "out", 1, 151, ("not JSON",), told.messages[0], (), "go é" * 20, more=True
    )
    short = frame_rows(told, None, Source(made.payload, 99))[0]
    assert short.text == "go é" * 19 + "go "  # the cut went through the last character


def test_frames_of_one_read_on_one_stream_share_it() -> None:
    made = Made()
    first, second, other = (made.frame(stream, MS, b"x") for stream in ("out", "out", "err"))
    second, other = second._replace(first_chunk=1), other._replace(first_chunk=2)
    shares = [row_of(made, Told(it, ()), first).shares_read for it in (second, other)]
    assert shares == [True, False]


def test_the_messages_of_a_batch_are_rows_of_one_frame() -> None:
    made = Made()
    frame = made.frame("in", MS, b"[{},{}]")
    parts = tuple(message(1, "request", "a", part=it, flags="batch late") for it in range(2))
    first = FrameRow(MS, None, ALONE, "in", 1, 8, (), parts[0], ("in a batch",))
    assert frame_rows(Told(frame, parts), None, Source(made.payload, 100)) == [
        first,
        first._replace(message=parts[1], remarks=(), continues=True),
    ]


def test_what_is_wrong_with_a_frame_is_noted() -> None:
    made = Made()
    entries = [
        made.bare("out", 0, b"half", flaw="unfinished"),
        made.bare("out", 0, b"\r[1/3] \xff", flaw="junk"),
        made.bare("out", 0, b"torn", flaw="gap"),
        made.bare("out", 3 * SECOND, b"slow", slow_ns=2 * SECOND),
    ]
    assert [row_of(made, it).notes for it in entries] == [
        ("unfinished",),
        ("junk", "not UTF-8"),
        ("bytes missing",),
        ("arrived over 2.0 s",),
    ]


def test_how_long_a_frame_took_to_arrive_is_noted_after_what_its_dialect_says() -> None:
    asked = Made().told("in", 3 * SECOND, "request", "a", asks=1, note="odd")
    slow = asked._replace(frame=asked.frame._replace(first_ns=0, flaw="unfinished"))
    assert row_of(Made(), slow).notes == ("unfinished", "odd", "no answer", "arrived over 3.0 s")


def test_a_question_without_an_answer_is_noted_once_that_can_be_told() -> None:
    made = Made()
    open_one = made.told("in", 0, "request", "a", asks=1, note="unknown method")
    answered = made.told("in", 0, "request", "a", asks=1, answered_after_ns=MS)
    assert row_of(made, open_one).notes == ("unknown method", "no answer")
    assert row_of(made, open_one, no_answer="no answer yet").notes[1:] == ("no answer yet",)
    assert row_of(made, open_one, no_answer=None).notes == ("unknown method",)
    assert row_of(made, answered).notes == ()


def test_flags_that_are_nothing_wrong_become_remarks() -> None:
    told = Made().told("out", 0, "response", flags="out-of-order swift-data after-cancel")
    assert row_of(Made(), told).remarks == ("out of order", "after it was cancelled")


def test_how_a_message_stood_on_the_wire_is_told_where_it_is_unusual() -> None:
    frame = Made().frame("out", 0, b"{}")._replace(terminator="CRLF", end_offset=70_000)
    told = Told(frame, (message(1, "response", note="odd"),))
    assert row_of(Made(), told).remarks == ("CRLF", "70.0 kB")
    doubled = told._replace(frame=frame._replace(terminator="CRCRLF"))
    assert row_of(Made(), doubled).notes == ("ends with CR CR LF", "odd")


def test_a_frame_of_a_living_session_is_still_open_and_may_end_within_a_character() -> None:
    made = Made()
    frame = made.frame("out", 0, "你好".encode()[:-1], "unfinished")
    row = bare_row(frame, None, Source(made.payload, 100), is_open=True)
    assert row == FrameRow(0, None, ALONE, "out", 1, 6, ("still open",), None, text="你", more=True)


def test_only_the_head_of_a_frame_is_kept() -> None:
    made = Made()
    row = bare_row(made.frame("out", 0, "é".encode() * 500), None, Source(made.payload, 101))
    assert (row.text, row.more, row.notes) == ("é" * 50, True, ())


def test_a_bad_byte_is_found_far_beyond_what_is_shown() -> None:
    made = Made()
    entries = [
        made.bare("out", 0, b"x" * (CHECKED_SIZE - 2) + b"\xff"),
        made.bare("out", 0, b"x" * (CHECKED_SIZE - 1) + "é".encode() + b"x"),
    ]
    assert [row_of(made, it).notes for it in entries] == [("not UTF-8",), ()]
