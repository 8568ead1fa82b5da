"""One frame whole: where it came from, what it means, what is in it."""

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from tapproxy_store.reading import open_recording
from tapproxy_store.recording import FrameRow, MessageRow, create_or_open
from tapproxy_store.records import Stream, Told
from tapproxy_viewers.detail import detail
from tapproxy_viewers.lines import plain
from tapproxy_viewers.visible import shown
from tests.viewers.made import MS, SECOND, record, session
from tests.viewers.made import message as made_message
from tests.viewers.spoken import SPOKEN, message, record_hostile, record_messages

CALL = b'{"id":1,"method":"call","arguments":"{\\"text\\":\\"hi\\"}"}\n'


def told(path: Path, number: int = 1, *, in_hex: bool = False) -> str:
    with open_recording(str(path)) as recording:
        one = recording.find_told(1, number)
        assert one is not None
        lines = detail(recording, one, in_hex=in_hex)
        return "".join(f"{plain(line)}\n" for line in lines)


def spoken(path: Path, body: bytes, *messages: MessageRow, **changes: Any) -> str:
    record_messages(str(path), session(**changes), [("in", 5 * MS, body)], messages)
    return told(path)


def in_reads(path: Path, stream: Stream, *reads: bytes, flaw: str | None = None) -> None:
    """Write a recording of one frame that came by these reads, a millisecond apart."""
    last, size = len(reads), sum(map(len, reads))
    place = (0, size, 1, last, 0, (last - 1) * MS)
    frame: FrameRow = (1, 1, stream, *place, 0, "LF" if flaw is None else "none", flaw)
    with create_or_open(str(path)) as writer:
        writer.begin()
        writer.put_session(session())
        starts = [sum(map(len, reads[:at])) for at in range(last)]
        writer.insert(
            [(at + 1, 1, stream, at * MS, starts[at], read) for at, read in enumerate(reads)],
            frames=[frame],
        )
        writer.commit()
        writer.finish()


def test_a_question_is_told_with_its_answer_and_its_layers_opened(tmp_path: Path) -> None:
    path = tmp_path / "a.tap"
    opened = b'{"id":1,"method":"call","arguments":{"text":"hi"}}'
    asked: dict[str, Any] = {
        "asks": 1,
        "within_ns": 3 * SECOND,
        "flags": "doc-json",
        "decoded": opened,
    }
    frames: list[tuple[Stream, int, bytes]] = [("in", 5 * MS, CALL), ("out", 9 * MS, b"pong\n")]
    answer: dict[str, Any] = {"answers": 1, "answers_part": 0, "latency_ns": 4 * MS}
    record_messages(
        str(path),
        session(),
        frames,
        [
            message(1, "request", "call", id='"\x1b"', summary='text="hi"', **asked),
            message(2, "unknown", about=1, note="not\x1b JSON", **answer),
        ],
    )
    assert (
        told(path)
        == """\
#1  ──→  host to plugin · 0.005 s
  57 B on the wire · from byte 0 of stdin · ends with LF
  57 B read at 0.005000 s (chunk 1)
  request call ("␛") · answered by #2, after 4.0 ms · due within 3.0 s
  text="hi"
  flags: doc-json
  decoded:

{
  "id": 1,
  "method": "call",
  "arguments": {
    "text": "hi"
  }
}
"""
    )
    assert (
        told(path, 2)
        == """\
#2  ←──  plugin to host · 0.009 s
  5 B on the wire · from byte 0 of stdout · ends with LF
  5 B read at 0.009000 s (chunk 2)
  unknown · answers #1, after 4.0 ms · about #1
  ! not␛ JSON

pong
"""
    )


def test_how_long_a_frame_took_to_arrive_is_told_after_what_is_wrong_with_its_message(
    tmp_path: Path,
) -> None:
    path = tmp_path / "a.tap"
    in_reads(path, "out", *[b"xyz"] * 3, flaw="unfinished")
    with open_recording(str(path)) as recording:
        one = recording.find_told(1, 1)
        assert one is not None
        frame = one.frame._replace(first_ns=one.frame.last_ns - 2 * SECOND)
        noted = made_message(1, "result", note="not whole", summary="exit 0", part=0)
        lines = [plain(line) for line in detail(recording, Told(frame, (noted,)))]
        bare = [plain(line) for line in detail(recording, Told(frame, ()))]
    assert lines[5:10] == [
        "  ! unfinished",
        "  result",
        "  ! not whole",
        "  ! arrived over 2.0 s",
        "  exit 0",
    ]
    assert bare[5:8] == ["  ! unfinished", "  ! arrived over 2.0 s", ""]


def test_a_question_that_nothing_answers_says_so(tmp_path: Path) -> None:
    asked = message(1, "request", "call", asks=1)
    over = spoken(tmp_path / "a.tap", b"{}\n", asked).splitlines()
    living = spoken(tmp_path / "b.tap", b"{}\n", asked, duration_ns=None, outcome=None).splitlines()
    assert over[3:] == ["  request call · no answer", "", "{}"]
    assert living[3:] == ["  request call · no answer yet", "", "{}"]


def test_each_message_of_a_batch_has_its_own_part_and_the_body_is_shown_once(
    tmp_path: Path,
) -> None:
    parts = [message(1, "event", "e", part=at, summary=str(at)) for at in (0, 1)]
    assert spoken(tmp_path / "a.tap", b"[1,2]\n", *parts).splitlines()[3:] == [
        "  event e",
        "  0",
        "",
        "  event e",
        "  1",
        "",
        "[",
        "  1,",
        "  2",
        "]",
    ]
    opened = [message(1, "event", "e", part=at, decoded=b"[%d]" % at) for at in (0, 1)]
    assert spoken(tmp_path / "b.tap", b"[1,2]\n", *opened).splitlines()[3:] == [
        "  event e",
        "  decoded:",
        "",
        "[",
        "  0",
        "]",
        "",
        "  event e",
        "  decoded:",
        "",
        "[",
        "  1",
        "]",
    ]


def test_text_is_shown_line_by_line_whatever_is_in_it(tmp_path: Path) -> None:
    in_reads(tmp_path / "a.tap", "err", b"\x1b[1mhot\r\n", b"\xff\xe2\x80\xae \xe4\xbd\xa0\n")
    assert (
        told(tmp_path / "a.tap")
        == """\
#1  err  plugin's stderr · 0.001 s
  18 B on the wire · from byte 0 of stderr · ends with LF
  9 B read at 0.000000 s (chunk 1)
  9 B read at 0.001000 s (chunk 2)
  ! not UTF-8

␛[1mhot␍
‹FF›‹U+202E› 你
"""
    )


def test_the_exact_bytes_are_shown_read_by_read(tmp_path: Path) -> None:
    in_reads(tmp_path / "a.tap", "out", b'{"text":"\xe4\xbd', b'\xa0 and more than-sixteen"}')
    assert (
        told(tmp_path / "a.tap", in_hex=True)
        == """\
#1  ←──  plugin to host · 0.001 s
  36 B on the wire · from byte 0 of stdout · ends with LF

  11 B read at 0.000000 s (chunk 1)
00000000  7b 22 74 65 78 74 22 3a  22 e4 bd                 {"text":"··

  25 B read at 0.001000 s (chunk 2)
0000000b  a0 20 61 6e 64 20 6d 6f  72 65 20 74 68 61 6e 2d  · and more than-
0000001b  73 69 78 74 65 65 6e 22  7d                       sixteen"}
"""
    )


def test_of_very_many_reads_the_first_ones_and_the_last_are_listed(tmp_path: Path) -> None:
    in_reads(tmp_path / "a.tap", "out", *[b"xyz"] * 300, flaw="unfinished")
    lines = told(tmp_path / "a.tap").splitlines()
    assert lines[1:13] == [
        "  900 B on the wire · from byte 0 of stdout · no line end",
        *(f"  3 B read at 0.00{at}000 s (chunk {at + 1})" for at in range(7)),
        "  … 292 more reads",
        "  3 B read at 0.299000 s (chunk 300)",
        "  ! unfinished",
        "  ! arrived over 299 ms",
    ]
    in_reads(tmp_path / "b.tap", "out", *[b"xyz"] * 10)
    assert told(tmp_path / "b.tap").splitlines()[9:11] == [
        "  … 2 more reads",
        "  3 B read at 0.009000 s (chunk 10)",
    ]


@pytest.mark.parametrize("count", [8, 9])
def test_in_the_place_of_one_read_more_that_read_is_listed(tmp_path: Path, count: int) -> None:
    in_reads(tmp_path / "a.tap", "out", *[b"xyz"] * count)
    assert told(tmp_path / "a.tap").splitlines()[2:-2] == [
        f"  3 B read at 0.00{at}000 s (chunk {at + 1})" for at in range(count)
    ]


def test_what_damage_has_put_into_a_flaw_is_shown_and_not_sent(tmp_path: Path) -> None:
    in_reads(tmp_path / "a.tap", "out", b"x", flaw="\x1b[2J")
    assert told(tmp_path / "a.tap").splitlines()[3:] == ["  ! ␛[2J", "", "x"]


def test_a_frame_with_a_header_says_how_long_that_is(tmp_path: Path) -> None:
    path = tmp_path / "a.tap"
    record(str(path), session(), ("in", MS, b"Content-Length: 2\r\n\r\n{}\n"))
    with open_recording(str(path)) as recording:
        one = recording.find_told(1, 1)
        assert one is not None
        headed = one._replace(frame=one.frame._replace(header_size=21))
        lines = [plain(line) for line in detail(recording, headed)]
    assert lines[1] == "  24 B on the wire · from byte 0 of stdin · header of 21 B"
    assert lines[-1] == "{}"


@settings(deadline=None, max_examples=30)  # each writes a file
@given(SPOKEN)
def test_no_line_holds_anything_that_a_terminal_obeys(
    spoken: list[tuple[Stream, str, bytes]],
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.tap"
        count = record_hostile(str(path), spoken)
        for number in range(1, count + 1):
            for in_hex in (False, True):
                lines = told(path, number, in_hex=in_hex).split("\n")
                assert [shown(line) for line in lines] == lines
