"""Content-Length: header blocks as peers write them, and what is made of the bytes between."""

import pytest

from tapproxy.framing import Cut, make_framer

Shown = tuple[bytes, int, str, str | None]

GOOD = b"Content-Length: 5\r\n\r\nhello"
GOOD_SHOWN: Shown = (GOOD, 21, "none", None)
LIMIT = 16 << 10


def frames(*feeds: bytes) -> list[Shown]:
    """Return each frame's bytes, header size, terminator and flaw."""
    framer = make_framer("content-length")
    cuts = [cut for data in feeds for cut in framer.feed(data)] + framer.close()
    stream = b"".join(feeds)
    return [
        (stream[cut.start : cut.end], cut.header_size, cut.terminator, cut.flaw) for cut in cuts
    ]


def junk(data: bytes, terminator: str = "none") -> Shown:
    return data, 0, terminator, "junk"


def test_a_frame_is_a_header_block_and_as_many_bytes_as_it_says() -> None:
    framer = make_framer("content-length")
    assert framer.feed(GOOD + GOOD[:10]) == [Cut(0, 26, 21, "none", None)]
    assert framer.feed(GOOD[10:]) == [Cut(26, 52, 21, "none", None)]
    assert framer.close() == []


@pytest.mark.parametrize(
    "block",
    [
        b"content-length: 5\r\n\r\n",
        b"CONTENT-LENGTH:5\r\n\r\n",
        b"Content-Length : 5\r\n\r\n",
        b"Content-Length:\t 005 \r\n\r\n",
        b"Content-Length: 5\n\n",
        b"Content-Length: 5\r\n\n",
        b"Content-Length: 5\r\r\n\r\r\n",
        b"Content-Length: 5\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n",
        b"Content-Type: a/b\r\nContent-Length: 5\r\n\r\n",
        b"X-Odd: a:b\r\nContent-Length: 5\r\nx_other :\r\n\r\n",
    ],
)
def test_header_blocks_are_read_in_every_form_that_peers_write(block: bytes) -> None:
    assert frames(GOOD + block + b"hello" + GOOD) == [
        GOOD_SHOWN,
        (block + b"hello", len(block), "none", None),
        GOOD_SHOWN,
    ]


def test_a_body_may_be_empty_and_may_hold_anything() -> None:
    empty = b"Content-Length: 0\r\n\r\n"
    bytes_ = bytes(range(256)) + GOOD
    full = b"Content-Length: %d\r\n\r\n" % len(bytes_)
    assert frames(empty + full + bytes_ + empty) == [
        (empty, 21, "none", None),
        (full + bytes_, len(full), "none", None),
        (empty, 21, "none", None),
    ]


def test_an_empty_body_ends_with_its_header() -> None:
    framer = make_framer("content-length")
    assert framer.feed(b"Content-Length: 0\r\n\r\n") == [Cut(0, 21, 21, "none", None)]


def test_lines_between_frames_are_junk_a_line_each() -> None:
    assert frames(b"[1/2] loading\n" + GOOD + b"\n\r\r\n12:30 \xff\r\n" + GOOD) == [
        junk(b"[1/2] loading\n", "LF"),
        GOOD_SHOWN,
        junk(b"\n", "LF"),
        junk(b"\r\r\n", "CRCRLF"),
        junk(b"12:30 \xff\r\n", "CRLF"),
        GOOD_SHOWN,
    ]


def test_a_log_line_of_header_form_is_junk_where_its_terminator_is_another() -> None:
    assert frames(b"INFO: ready\nWARN: old\n" + GOOD) == [
        junk(b"INFO: ready\n", "LF"),
        junk(b"WARN: old\n", "LF"),
        GOOD_SHOWN,
    ]


def test_text_glued_before_a_header_is_junk() -> None:
    assert frames(b"\r50%\rINFO: x" + GOOD + b"{}" + GOOD) == [
        junk(b"\r50%\rINFO: x"),
        GOOD_SHOWN,
        junk(b"{}"),
        GOOD_SHOWN,
    ]


@pytest.mark.parametrize(
    "value", [b"-5", b"five", b"", b"5 bytes", b"0x5", b"5.0", b"2147483648", b"9" * 400]
)
def test_a_length_without_use_is_junk_up_to_the_next_header(value: bytes) -> None:
    line = b"Content-Length: " + value + b"\r\n"
    assert frames(line + b"\r\nhello" + GOOD) == [
        junk(line, "CRLF"),
        junk(b"\r\n", "CRLF"),
        junk(b"hello"),
        GOOD_SHOWN,
    ]


def test_a_block_without_a_length_is_junk_a_line_each() -> None:
    assert frames(b"A: 1\r\nB: 2\r\n\r\nhello\n" + GOOD) == [
        junk(b"A: 1\r\n", "CRLF"),
        junk(b"B: 2\r\n", "CRLF"),
        junk(b"\r\n", "CRLF"),
        junk(b"hello\n", "LF"),
        GOOD_SHOWN,
    ]


def test_a_block_that_another_line_interrupts_is_junk() -> None:
    assert frames(b"Content-Length: 5\r\n{}\n\r\nhello" + GOOD) == [
        junk(b"Content-Length: 5\r\n", "CRLF"),
        junk(b"{}\n", "LF"),
        junk(b"\r\n", "CRLF"),
        junk(b"hello"),
        GOOD_SHOWN,
    ]


def test_a_second_length_begins_a_new_block() -> None:
    assert frames(b"Content-Length: 9\r\nA: 1\r\n" + GOOD) == [
        junk(b"Content-Length: 9\r\n", "CRLF"),
        junk(b"A: 1\r\n", "CRLF"),
        GOOD_SHOWN,
    ]
    assert frames(b"Content-Length: 1" + GOOD) == [junk(b"Content-Length: 1"), GOOD_SHOWN]


def test_a_body_longer_than_announced_is_junk_in_the_part_that_is_too_long() -> None:
    assert frames(GOOD + b", world\n!" + GOOD) == [
        GOOD_SHOWN,
        junk(b", world\n", "LF"),
        junk(b"!"),
        GOOD_SHOWN,
    ]


def test_a_body_shorter_than_announced_costs_one_more_frame_at_most() -> None:
    assert frames(b"Content-Length: 9\r\n\r\nhello" + GOOD + GOOD) == [
        (b"Content-Length: 9\r\n\r\nhelloCont", 21, "none", None),
        junk(b"ent-Length: 5\r\n", "CRLF"),
        junk(b"\r\n", "CRLF"),
        junk(b"hello"),
        GOOD_SHOWN,
    ]


def test_a_block_of_sixteen_kilobytes_is_read_and_a_longer_one_is_junk() -> None:
    padding = b"X: " + b"y" * (LIMIT - 26) + b"\r\n"
    assert frames(padding + GOOD) == [(padding + GOOD, LIMIT, "none", None)]
    longer = b"X" + padding
    assert frames(longer + GOOD + GOOD) == [
        junk(longer, "CRLF"),
        junk(b"Content-Length: 5\r\n", "CRLF"),
        junk(b"\r\n", "CRLF"),
        junk(b"hello"),
        GOOD_SHOWN,
    ]


def test_header_lines_without_end_are_junk_once_they_are_too_many() -> None:
    line = b"Name: value\r\n"
    too_many = LIMIT // len(line)
    assert frames(line * (too_many + 3) + GOOD) == [
        *[junk(line, "CRLF")] * too_many,
        (line * 3 + GOOD, 3 * len(line) + 21, "none", None),
    ]


def test_an_endless_junk_line_is_cut_in_pieces_but_never_through_a_header() -> None:
    assert frames(b"x" * (2 * LIMIT + 100) + GOOD) == [
        junk(b"x" * LIMIT),
        junk(b"x" * LIMIT),
        junk(b"x" * 100),
        GOOD_SHOWN,
    ]
    for size in range(LIMIT - 20, LIMIT + 3):
        assert frames(b"x" * size + GOOD)[-1] == GOOD_SHOWN


def test_a_stream_that_ends_within_a_frame_leaves_it_unfinished() -> None:
    assert frames(GOOD[:-2]) == [(GOOD[:-2], 21, "none", "unfinished")]
    assert frames(GOOD[:21]) == [(GOOD[:21], 21, "none", "unfinished")]
    assert frames(GOOD[:20]) == [(GOOD[:20], 0, "none", "unfinished")]
    assert frames(b"A: 1\r\n" + GOOD[:7]) == [(b"A: 1\r\n" + GOOD[:7], 0, "none", "unfinished")]
    assert frames(GOOD + b"conTENT-length:") == [
        GOOD_SHOWN,
        (b"conTENT-length:", 0, "none", "unfinished"),
    ]


def test_other_text_at_the_end_is_junk() -> None:
    assert frames(GOOD + b"A: 1\r\nbye") == [GOOD_SHOWN, junk(b"A: 1\r\n", "CRLF"), junk(b"bye")]


def test_a_gap_within_a_body_leaves_its_rest_as_a_frame() -> None:
    framer = make_framer("content-length")
    assert framer.feed(GOOD[:22]) == []
    assert framer.skip(2) == [Cut(0, 22, 21, "none", "gap")]
    assert framer.feed(b"lo" + GOOD) == [
        Cut(24, 26, 0, "none", "gap"),
        Cut(26, 52, 21, "none", None),
    ]


def test_a_gap_up_to_the_end_of_a_body_leaves_no_rest() -> None:
    framer = make_framer("content-length")
    assert framer.feed(GOOD[:22]) + framer.skip(1) == [Cut(0, 22, 21, "none", "gap")]
    assert framer.skip(3) + framer.feed(GOOD) == [Cut(26, 52, 21, "none", None)]


def test_after_a_gap_beyond_a_frame_the_next_header_is_looked_for() -> None:
    framer = make_framer("content-length")
    assert framer.feed(GOOD + b"A: 1\r\nCont") == [Cut(0, 26, 21, "none", None)]
    assert framer.skip(100) == [Cut(26, 36, 0, "none", "gap")]
    assert framer.feed(b'est"}' + GOOD) == [
        Cut(136, 141, 0, "none", "junk"),
        Cut(141, 167, 21, "none", None),
    ]
    assert framer.skip(5) + framer.close() == []


def test_the_rest_of_a_body_that_the_stream_end_cuts_is_a_gap() -> None:
    framer = make_framer("content-length")
    assert framer.feed(GOOD[:21]) + framer.skip(1) == [Cut(0, 21, 21, "none", "gap")]
    assert framer.feed(b"el") + framer.close() == [Cut(22, 24, 0, "none", "gap")]


def test_only_lines_not_yet_judged_are_undecided() -> None:
    framer = make_framer("content-length")
    seen = []
    for data in (b"junk\n", b"A: 1\r\n", b"Content", b"-Length: 5\r\n", b"\r\n", b"he", b"llo"):
        framer.feed(data)
        seen.append(framer.undecided)
    assert seen == [5, 11, 11, 11, 32, 34, 37]
