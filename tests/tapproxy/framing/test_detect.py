"""Auto: the framing is recognised from the first bytes, wherever the feeds end."""

import struct

import pytest

from tapproxy.framing import Cut, make_framer
from tapproxy.framing.detect import BANNER, AutoFramer, recognise

MESSAGE = b"Content-Length: 2\r\n\r\n{}"


@pytest.mark.parametrize(
    ("beginning", "framing"),
    [
        (b'{"jsonrpc":"2.0"}\n', "lines"),
        (b"a\n", "lines"),
        (b"\r\n", "lines"),
        (b"\n{", "lines"),
        (b"\n\n", "lines"),
        (b"\x1b[1mbold\x1b[0m\t\x07\x08\x0c\n", "lines"),
        (b'\x1e{"seq":1}\n', "lines"),
        (b"\xff\xfe\n\x00", "lines"),
        (b"x" * 64, "lines"),
        (b"x" * 64 + b"\x00", "lines"),
        (b"Content-Lengths: 5\n", "lines"),
        (b"Content-Length" + b" " * 50, "lines"),
        (b"0032want 0123456789\n", "lines"),
        (MESSAGE, "content-length"),
        (b"content-length :", "content-length"),
        (b"CONTENT-TYPE:", "content-length"),
        (b"x" * 63 + b"\x00", "raw"),
        (b"00ad0123456789 HEAD\x00multi_ack\n", "raw"),
        (b"\x94\x00\x01\xa4ping", "raw"),
        (struct.pack("<I", 10), "raw"),
        (struct.pack("<I", 0x010A), "raw"),
        (struct.pack("<I", 200), "raw"),
        (struct.pack(">I", 5), "raw"),
        (b"Content-\x00", "raw"),
        (b"", None),
        (b"\n", None),
        (b"x" * 63, None),
        (b"Content-Length", None),
    ],
)
def test_the_first_bytes_tell_the_framing(beginning: bytes, framing: str | None) -> None:
    assert recognise(beginning) == framing


def test_nothing_is_cut_until_the_framing_is_recognised() -> None:
    framer = make_framer("auto")
    assert framer.feed(b"He") + framer.feed(b"llo") == []
    assert (framer.name, framer.undecided) == ("auto", 0)
    assert framer.feed(b"\nyou") == [Cut(0, 6, 0, "LF", None)]
    assert (framer.name, framer.undecided) == ("lines", 9)


def test_raw_begins_with_the_bytes_held() -> None:
    framer = make_framer("auto")
    assert framer.feed(b"\n") == []
    assert framer.feed(b"\x00\x00\x00\n") == [Cut(0, 5, 0, "none", None)]
    assert framer.feed(b"{}\n") == [Cut(5, 8, 0, "none", None)]
    assert framer.name == "raw"


def test_content_length_begins_with_the_bytes_held() -> None:
    framer = make_framer("auto")
    assert framer.feed(MESSAGE[:5]) + framer.feed(MESSAGE[5:16]) == []
    assert framer.name == "content-length"
    assert framer.feed(MESSAGE[16:]) == [Cut(0, 23, 21, "none", None)]


def test_a_header_after_banner_lines_makes_it_content_length() -> None:
    framer = make_framer("auto")
    assert framer.feed(b"Listening\r\n\nConte") == [
        Cut(0, 11, 0, "CRLF", None),
        Cut(11, 12, 0, "LF", None),
    ]
    assert framer.name == "lines"
    assert framer.feed(MESSAGE[5:]) == [Cut(12, 35, 21, "none", None)]
    assert framer.name == "content-length"
    assert framer.feed(b"\n" + MESSAGE) == [
        Cut(35, 36, 0, "LF", "junk"),
        Cut(36, 59, 21, "none", None),
    ]


@pytest.mark.parametrize("first", [b"{}\n", b"banner\n[1]\n", b"banner\n{"])
def test_no_header_is_looked_for_once_a_line_looks_like_json(first: bytes) -> None:
    framer = make_framer("auto")
    framer.feed(first)
    framer.feed(b"\n" + MESSAGE)
    assert framer.name == "lines"


def test_a_header_within_a_line_leaves_lines_as_they_are() -> None:
    framer = make_framer("auto")
    framer.feed(b"banner\nsee Content-")
    framer.feed(b"Length: 5\nContent-Lengt\nh: 5\n Content-Length: 5\n")
    assert framer.name == "lines"


def test_too_few_bytes_are_a_line_at_the_end() -> None:
    framer = make_framer("auto")
    assert framer.feed(b"Conte") == []
    assert framer.close() == [Cut(0, 5, 0, "none", "unfinished")]
    blank = make_framer("auto")
    assert blank.feed(b"\n") + blank.close() == [Cut(0, 1, 0, "LF", None)]
    assert make_framer("auto").close() == []


def test_too_few_bytes_before_a_gap_are_a_gap_and_recognition_starts_again() -> None:
    framer = make_framer("auto")
    assert framer.feed(b"Conte") == []
    assert framer.skip(10) == [Cut(0, 5, 0, "none", "gap")]
    assert (framer.name, framer.undecided) == ("auto", 15)
    assert framer.skip(5) + framer.feed(MESSAGE) == [Cut(20, 43, 21, "none", None)]
    assert framer.name == "content-length"


def test_the_line_after_a_gap_is_a_gap_here_too() -> None:
    framer = make_framer("auto")
    assert framer.skip(10) + framer.feed(b"half\nwhole\n") == [
        Cut(10, 15, 0, "LF", "gap"),
        Cut(15, 21, 0, "LF", None),
    ]


def test_a_header_after_a_gap_among_banner_lines_is_seen() -> None:
    framer = make_framer("auto")
    assert framer.feed(b"banner\nhalf") == [Cut(0, 7, 0, "LF", None)]
    assert framer.skip(9) == [Cut(7, 11, 0, "none", "gap")]
    assert framer.feed(MESSAGE) == [Cut(20, 43, 21, "none", None)]


def test_a_banner_ends_at_the_latest_after_64_kib_wherever_the_reads_end() -> None:
    line, header = b"still starting\n", b"Content-Length: 2\r\n\r\n{}"
    within = line * (BANNER // len(line))
    beyond = within + line
    for banner, name in ((within, "content-length"), (beyond, "lines")):
        text = banner + header
        for split in range(len(banner) - 20, len(text)):
            framer = AutoFramer()
            cuts = framer.feed(text[:split]) + framer.feed(text[split:]) + framer.close()
            assert framer.name == name
            assert cuts[-1][:2] == (cuts[-2].end, len(text))
