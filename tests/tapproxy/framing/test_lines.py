"""Lines: any terminator, any length, wherever the feeds end."""

import tracemalloc

from tapproxy.framing import Cut, make_framer


def lines(*feeds: bytes) -> list[tuple[bytes, str, str | None]]:
    """Return each frame's bytes, terminator and flaw."""
    framer = make_framer("lines")
    cuts = [cut for data in feeds for cut in framer.feed(data)] + framer.close()
    stream = b"".join(feeds)
    return [(stream[cut.start : cut.end], cut.terminator, cut.flaw) for cut in cuts]


def test_a_frame_ends_at_its_newline_and_is_returned_at_once() -> None:
    framer = make_framer("lines")
    assert framer.feed(b"one\ntw") == [Cut(0, 4, 0, "LF", None)]
    assert framer.feed(b"o") == []
    assert framer.feed(b"\n\nthree\n") == [
        Cut(4, 8, 0, "LF", None),
        Cut(8, 9, 0, "LF", None),
        Cut(9, 15, 0, "LF", None),
    ]
    assert framer.close() == []


def test_up_to_two_carriage_returns_belong_to_the_terminator() -> None:
    assert lines(b"a\nb\r\nc\r\r\nd\r\r\r\ne\rf\n") == [
        (b"a\n", "LF", None),
        (b"b\r\n", "CRLF", None),
        (b"c\r\r\n", "CRCRLF", None),
        (b"d\r\r\r\n", "CRCRLF", None),
        (b"e\rf\n", "LF", None),
    ]


def test_carriage_returns_may_have_come_in_earlier_feeds() -> None:
    expected = [(b"a\r\r\n", "CRCRLF", None), (b"b\r\n", "CRLF", None)]
    assert lines(b"a\r\r", b"\nb\r", b"\n") == expected
    assert lines(b"a\r", b"\r\nb", b"\r\n") == expected
    assert lines(b"a", b"\r", b"\r", b"\n", b"b", b"\r", b"", b"\n") == expected


def test_empty_lines_are_frames_whatever_ends_them() -> None:
    assert lines(b"\n\r\n\r\r\n\n") == [
        (b"\n", "LF", None),
        (b"\r\n", "CRLF", None),
        (b"\r\r\n", "CRCRLF", None),
        (b"\n", "LF", None),
    ]


def test_what_no_newline_ended_is_unfinished_at_the_end() -> None:
    assert lines(b"one\ntwo\r") == [(b"one\n", "LF", None), (b"two\r", "none", "unfinished")]
    assert lines() == []


def test_bytes_need_not_be_text() -> None:
    every = bytes(range(256))
    assert lines(every) == [
        (every[:11], "LF", None),
        (every[11:], "none", "unfinished"),
    ]


def test_missing_bytes_flaw_the_frame_before_them_and_the_one_after() -> None:
    framer = make_framer("lines")
    assert framer.feed(b"one\nhal") == [Cut(0, 4, 0, "LF", None)]
    assert framer.skip(100) == [Cut(4, 7, 0, "none", "gap")]
    assert framer.feed(b"f\r\nnext\n") == [
        Cut(107, 110, 0, "CRLF", "gap"),
        Cut(110, 115, 0, "LF", None),
    ]


def test_a_gap_between_frames_flaws_only_the_next_one() -> None:
    framer = make_framer("lines")
    assert framer.feed(b"one\r\n") == [Cut(0, 5, 0, "CRLF", None)]
    assert framer.skip(10) + framer.skip(5) == []
    assert framer.feed(b"\n") == [Cut(20, 21, 0, "LF", "gap")]
    assert framer.close() == []


def test_a_frame_between_a_gap_and_the_end_is_a_gap() -> None:
    framer = make_framer("lines")
    assert framer.skip(10) + framer.feed(b"tail") == []
    assert framer.close() == [Cut(10, 14, 0, "none", "gap")]


def test_a_later_frame_ends_at_the_end_of_the_bytes_seen_or_after() -> None:
    framer = make_framer("lines")
    framer.feed(b"one\ntwo")
    assert framer.undecided == 7
    framer.skip(3)
    assert framer.undecided == 10


def test_a_long_line_fed_one_byte_at_a_time_is_one_frame() -> None:
    framer = make_framer("lines")
    cuts = [cut for _ in range(199_999) for cut in framer.feed(b"x")]
    assert cuts + framer.feed(b"\n") == [Cut(0, 200_000, 0, "LF", None)]


def test_a_megabyte_without_a_newline_is_one_frame() -> None:
    assert lines(b"x" * 1_000_000, b"\r\n") == [(b"x" * 1_000_000 + b"\r\n", "CRLF", None)]


def test_an_endless_line_is_not_held() -> None:
    framer = make_framer("lines")
    data = b"x" * 65536
    tracemalloc.start()
    for _ in range(200):
        framer.feed(data)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert framer.close() == [Cut(0, 200 * 65536, 0, "none", "unfinished")]
    assert peak < 4096
