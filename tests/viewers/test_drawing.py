"""Rows become aligned lines that keep to the width they are given."""

from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from tapproxy_store.records import Event, Frame, Stream
from tapproxy_viewers import words
from tapproxy_viewers.cells import width_of
from tapproxy_viewers.drawing import coloured, drawn, layout, plain
from tapproxy_viewers.timeline import EventRow, FrameRow, rows
from tapproxy_viewers.visible import shown
from tests.viewers.made import MS, SECOND, Made, event

INITIALIZE = (
    b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}'
)


def story(made: Made) -> Iterator[Frame | Event]:
    yield event(0, "spawn", pid=4242)
    yield made.frame("in", 3 * MS, INITIALIZE)
    yield made.frame("err", 41 * MS, b"\x1b[32mINFO\x1b[0m listening")
    yield made.frame("out", 41 * MS + 412_000, b'{"id":1,"result":"' + b"ok " * 5000)
    yield made.frame("out", 45 * MS, "你好，世界 🎉 \u202egnp.exe".encode())
    yield made.frame("out", 45 * MS, b"")
    yield made.frame("out", 3245 * MS, b"\r[1/3] fetching \xff\xfe", "junk")
    yield event(3300 * MS, "stall", stream="in", reader="plugin", size=65536)
    yield made.frame("out", 4 * SECOND, b'{"half":', "unfinished", slow_ns=200 * MS)
    yield event(4 * SECOND, "eof", stream="in", by="host")
    yield event(65 * SECOND, "exit", signal="SIGKILL")


def told(width: int, longest_ns: int = 65 * SECOND) -> str:
    made = Made()
    place = layout(width, longest_ns)
    lines = drawn(rows(story(made), made.payload, place.text_size), place)
    return "".join(f"{plain(line)}\n" for line in lines)


def test_a_timeline_is_read_at_a_glance() -> None:
    expected = """\
  0.000 s             •   plugin started, pid 4242
  0.003 s            ──→     89 B   {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protoc…
  0.041 s    +38 ms  err     24 B   ␛[32mINFO␛[0m listening
  0.041 s   +412 µs  ←──  15.0 kB   {"id":1,"result":"ok ok ok ok ok ok ok ok ok ok ok ok ok ok ok …
  0.045 s   +3.6 ms  ←──     32 B   你好，世界 🎉 ‹U+202E›gnp.exe
  0.045 s     +0 µs  ←──      1 B   (empty)
┄┄┄┄┄┄┄┄┄┄┄┄┄ 3.2 s ┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄
  3.245 s    +3.2 s  ←──     19 B ! junk, not UTF-8: ␍[1/3] fetching ‹FF›‹FE›
  3.300 s             !   plugin is not reading stdin: 65.5 kB waiting
  4.000 s   +755 ms  ←──      9 B ! unfinished, took 200 ms to arrive: {"half":
  4.000 s             •   host closed stdin
┄┄┄┄┄┄┄┄┄┄┄┄ 1m 01s ┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄
 65.000 s             ✗   plugin was killed by SIGKILL
"""
    assert told(100) == expected


def test_a_narrow_terminal_leaves_the_text_what_room_there_is() -> None:
    expected = """\
  0.000 s   •   plugin started, pid 4242
  0.003 s  ──→     89 B   {"jsonrpc":"2.0","id"…
  0.041 s  err     24 B   ␛[32mINFO␛[0m listeni…
  0.041 s  ←──  15.0 kB   {"id":1,"result":"ok …
  0.045 s  ←──     32 B   你好，世界 🎉 …
  0.045 s  ←──      1 B   (empty)
┄┄┄┄┄┄┄┄┄┄┄ 3.2 s ┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄
  3.245 s  ←──     19 B ! junk, not UTF-8: ␍[1/…
  3.300 s   !   plugin is not reading stdin: 65…
  4.000 s  ←──      9 B ! unfinished, took 200 …
  4.000 s   •   host closed stdin
┄┄┄┄┄┄┄┄┄┄┄ 1m 01s ┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄
 65.000 s   ✗   plugin was killed by SIGKILL
"""
    assert told(48) == expected


def test_a_session_of_hours_has_a_clock_of_hours() -> None:
    first = told(48, 5 * words.HOUR).splitlines()[1]
    assert first == '0:00:00.003  ──→     89 B   {"jsonrpc":"2.0","i…'


def test_colours_say_the_same_and_end_where_they_began() -> None:
    place = layout(100, SECOND)
    (line,) = drawn([FrameRow(0, 5, "in", 9, ("junk",), "a\x1bb", more=False)], place)
    assert coloured(line) == (
        "\x1b[2m  0.000 s  \x1b[0m   +0 µs  \x1b[36m──→      9 B \x1b[0m"
        "\x1b[1;33m! \x1b[0m\x1b[1;33mjunk: \x1b[0ma\x1b[35m␛\x1b[0mb"
    )


ANY_TEXT = st.text() | st.binary().map(lambda data: data.decode("utf-8", "surrogateescape"))
STREAM: st.SearchStrategy[Stream] = st.sampled_from(["in", "out", "err"])
NOTES = st.lists(st.sampled_from(["junk", "not UTF-8", "still open"]), max_size=2).map(tuple)
TIME = st.integers(0, 10 * words.DAY)
FRAME_ROW = st.builds(
    FrameRow, TIME, st.none() | TIME, STREAM, st.integers(0, 10**13), NOTES, ANY_TEXT, st.booleans()
)
EVENT_ROW = st.builds(EventRow, TIME, st.sampled_from(["event", "notable", "bad"]), ANY_TEXT)


@given(st.lists(FRAME_ROW | EVENT_ROW, max_size=3), st.integers(1, 200), TIME)
def test_no_line_is_too_wide_or_holds_anything_that_a_terminal_obeys(
    some: list[FrameRow | EventRow], width: int, longest_ns: int
) -> None:
    for line in drawn(some, layout(width, longest_ns)):
        text = plain(line)
        assert width_of(text) <= width
        assert cell_len(text) <= width
        assert shown(text) == text
