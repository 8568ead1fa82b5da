"""What is odd about a message's header, terminator or size is told beside it."""

import pytest

from tapproxy_store.records import Frame, Message
from tapproxy_viewers.on_the_wire import is_plain, wire_notes, wire_remarks

UNDERSTOOD = Message(1, 1, 0, "request", "m", "1", 1, "", *[None] * 8)
CUT = UNDERSTOOD._replace(kind="unknown", flags="not-json unfinished")


def frame(header: bytes, size: int, terminator: str, flaw: str | None = None) -> Frame:
    end = len(header) + size
    return Frame(1, 1, "out", 0, end, 1, 1, 0, 0, len(header), terminator, flaw)


def notes(header: bytes, size: int, message: Message = UNDERSTOOD, flaw: str | None = None) -> str:
    it = frame(header, size, "none", flaw)
    return ", ".join(
        wire_notes(it, message, lambda part, limit: header[part.header_size :][:limit])
    )


@pytest.mark.parametrize(
    ("header", "note"),
    [
        (b"Content-Length: 9\r\n\r\n", ""),
        (b"Content-Length: 9\r\nContent-Type: application/vscode-jsonrpc\r\n\r\n", ""),
        (b"Content-Length: 9\n\n", "header Content-Length: 9\n\n"),
        (b"content-length:  9\r\n\r\n", "header content-length:  9\r\n\r\n"),
        (
            b"X-Other: 1\r\nContent-Length: 9\r\n\r\n",
            "header X-Other: 1\r\nContent-Length: 9\r\n\r\n",
        ),
    ],
)
def test_a_header_that_strict_peers_refuse_is_told_whole(header: bytes, note: str) -> None:
    assert notes(header, 9) == note


def test_a_text_that_goes_on_past_its_length_is_told_with_the_length() -> None:
    usual = b"Content-Length: 9\r\n\r\n"
    assert notes(usual, 9, CUT) == "Content-Length says 9"
    assert notes(usual, 9, CUT, "unfinished") == ""
    assert notes(b"", 9, CUT) == ""


@pytest.mark.parametrize(
    ("terminator", "size", "note", "remarks"),
    [
        ("LF", 1 << 16, [], []),
        ("CRLF", 9, [], ["CRLF"]),
        ("CRCRLF", 9, ["ends with CR CR LF"], []),
        ("LF", (1 << 16) + 1, [], ["65.5 kB"]),
    ],
)
def test_an_unusual_end_and_a_large_size_are_told(
    terminator: str, size: int, note: list[str], remarks: list[str]
) -> None:
    line = frame(b"", size, terminator)
    assert list(wire_notes(line, UNDERSTOOD, lambda *_: b"")) == note
    assert list(wire_remarks(line)) == remarks
    assert is_plain(line) == (not note and not remarks)
