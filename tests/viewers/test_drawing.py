"""Rows become aligned lines that keep to the width they are given."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from tapproxy_store.records import Message, Stream
from tapproxy_viewers import words
from tapproxy_viewers.cells import width_of
from tapproxy_viewers.drawing import drawn, short_id, waiting_bar
from tapproxy_viewers.layout import layout
from tapproxy_viewers.lines import painter, plain
from tapproxy_viewers.narrating import folded, rows
from tapproxy_viewers.timeline import EventRow, FoldRow, FrameRow, Row, SilenceRow, Source
from tapproxy_viewers.visible import shown
from tests.viewers.made import SECOND, Made, message
from tests.viewers.story import story


def told(width: int, longest_ns: int = 80 * SECOND) -> str:
    made = Made()
    place = layout(width, longest_ns, 25)
    source = Source(made.payload, place.text_size)
    lines = drawn(folded(rows(story(made), source, ends_ns=80 * SECOND)), place)
    return "".join(f"{plain(line)}\n" for line in lines)


ALONE = False
"""In its read."""


def test_a_timeline_is_read_at_a_glance() -> None:
    expected = """\
  0.000 s             •   plugin started, pid 4242
  0.003 s            ──→  #1    initialize (1)  demo-editor 1.0, root demo
  0.003 s     +0 µs  err  #2    ␛[32mINFO␛[0m listening
  0.004 s   +1.0 ms  ←──  #3  ↩ initialize #1  1.0 ms  ruff 0.17.6: codeAction, diagnostic, documen…
  0.005 s   +1.0 ms  ──→  #4    search (6C0E…0004)  word="你好，世界 🎉"
┄┄┄┄┄┄┄┄┄┄┄┄┄ 2.0 s ┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄
  2.005 s    +2.0 s  ←──  #5  ↩ search #4  2.0 s ▇▇  (out of order) 3 files
  2.006 s   +1.0 ms  ──→  #6    forget ("f")
  2.007 s   +1.0 ms  ←──  #7  ✗ forget #6  1.0 ms  -32601 no such method: forget
  2.008 s   +1.0 ms  ──→  #8    add (7)  (in a batch) [1, 1]
  2.008 s     batch  ──→  #8    add (8)  [2, 2]
  2.008 s  one read  ──→  #9    log  text="a␉b"
  2.009 s   +1.0 ms  ←──  #10 ! not JSON · pong ‹FF› ‹U+202E›gnp.exe
  2.010 s   +1.0 ms  ←──  #11 ! response (77)  answers no request
  2.011 s   +1.0 ms  ←──  #12   (empty)
  2.012 s   +1.0 ms  ←──  #13 ! junk · ␍[1/3] fetching
  2.100 s             !   plugin is not reading stdin: 65.5 kB waiting
  2.150 s   +138 ms  ──→  #14 ! install (9)  no answer · 2 packages
  2.210 s    +60 ms  ←──  #15   progress fetch #14  ×3 to #17 in 90 ms  100 % xim
  2.400 s   +100 ms  err  #18   ×4 to #21 in 3.0 ms  retrying
┄┄┄┄┄┄┄┄┄┄┄┄┄ 2.7 s ┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄
  5.150 s             ✗   timeout: no answer to #14 install in 3.0 s
  7.000 s    +4.6 s  ←──  #22   heartbeat  01:44:07Z
 12.000 s    +5.0 s  ←──  #23   heartbeat  01:44:12Z
┄┄┄┄┄┄┄┄┄┄┄┄┄ 6.0 s ┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄
 18.000 s             ✗   plugin is silent: nothing for 6.0 s
 19.000 s    +7.0 s  ←──  #24 ! unfinished · arrived over 200 ms · {"half":
 19.000 s             •   plugin closed stdout
┄┄┄┄┄┄┄┄┄┄┄┄ 1m 01s ┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄
 80.000 s             ✗   plugin was killed by SIGKILL
"""
    assert told(100) == expected


def test_a_wide_terminal_has_the_sizes_too() -> None:
    expected = """\
  2.007 s   +1.0 ms  ←──  #7      3 B ✗ forget #6  1.0 ms  -32601 no such method: forget
  2.008 s   +1.0 ms  ──→  #8    151 B   add (7)  (in a batch) [1, 1]
  2.008 s     batch  ──→  #8            add (8)  [2, 2]
  2.008 s  one read  ──→  #9      3 B   log  text="a␉b"
  2.009 s   +1.0 ms  ←──  #10    18 B ! not JSON · pong ‹FF› ‹U+202E›gnp.exe
"""
    assert "".join(told(130).splitlines(keepends=True)[8:13]) == expected


def test_a_narrow_terminal_leaves_what_is_said_the_room_there_is() -> None:
    expected = """\
  0.000 s   •   plugin started, pid 4242
  0.003 s  ──→  #1    initialize (1)  demo-edit…
  0.003 s  err  #2    ␛[32mINFO␛[0m listening
  0.004 s  ←──  #3  ↩ initialize #1  1.0 ms  ru…
  0.005 s  ──→  #4    search (6C0E…0004)  word=…
┄┄┄┄┄┄┄┄┄┄┄ 2.0 s ┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄
  2.005 s  ←──  #5  ↩ search #4  2.0 s ▇▇  (out…
  2.006 s  ──→  #6    forget ("f")
  2.007 s  ←──  #7  ✗ forget #6  1.0 ms  -32601…
  2.008 s  ──→  #8    add (7)  (in a batch) [1,…
  2.008 s  ──→  #8    add (8)  [2, 2]
  2.008 s  ──→  #9    log  text="a␉b"
  2.009 s  ←──  #10 ! not JSON · pong ‹FF› …
  2.010 s  ←──  #11 ! response (77)  answers no…
  2.011 s  ←──  #12   (empty)
  2.012 s  ←──  #13 ! junk · ␍[1/3] fetching
  2.100 s   !   plugin is not reading stdin: 65…
  2.150 s  ──→  #14 ! install (9)  no answer · …
  2.210 s  ←──  #15   progress fetch #14  ×3 to…
  2.400 s  err  #18   ×4 to #21 in 3.0 ms  retr…
┄┄┄┄┄┄┄┄┄┄┄ 2.7 s ┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄
  5.150 s   ✗   timeout: no answer to #14 insta…
  7.000 s  ←──  #22   heartbeat  01:44:07Z
 12.000 s  ←──  #23   heartbeat  01:44:12Z
┄┄┄┄┄┄┄┄┄┄┄ 6.0 s ┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄
 18.000 s   ✗   plugin is silent: nothing for 6…
 19.000 s  ←──  #24 ! unfinished · arrived over…
 19.000 s   •   plugin closed stdout
┄┄┄┄┄┄┄┄┄┄┄ 1m 01s ┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄
 80.000 s   ✗   plugin was killed by SIGKILL
"""
    assert told(48) == expected


def one(row: Row, width: int = 100) -> str:
    (line,) = drawn([row], layout(width, SECOND))
    return plain(line)


def test_a_session_of_hours_has_a_clock_of_hours() -> None:
    first = told(48, 5 * words.HOUR).splitlines()[1]
    assert first == "0:00:00.003  ──→  #1    initialize (1)  demo-ed…"


def test_colours_say_the_same_and_end_where_they_began() -> None:
    row = FrameRow(0, 5, ALONE, "in", 7, 9, ("junk",), None, text="a\x1bb")
    (line,) = drawn([row], layout(100, SECOND))
    assert painter("dark")(line) == (
        "\x1b[2m  0.000 s  \x1b[0m   +0 µs  \x1b[36m──→  \x1b[0m\x1b[2m#7  \x1b[0m"
        "\x1b[1;33m! \x1b[0m\x1b[1;33mjunk\x1b[0m · a\x1b[35m␛\x1b[0mb"
    )
    assert painter("none")(line) == plain(line)


@pytest.mark.parametrize(
    ("told", "said"),
    [
        (message(1, "result", summary="exit 0"), "  result  exit 0"),
        (message(1, "notification", "log"), "  log"),
        (message(1, "request", "add", id="1", about=7, asks=1, answered_after_ns=1), "  add (1)"),
        (message(1, "progress", "fetch", about=7, id="1"), "  progress fetch #7"),
        (message(1, "response", summary="nothing"), "  response  nothing"),
        (
            message(1, "response", answers=3, latency_ns=12 * SECOND),
            f"↩ response #3  12.0 s {'▇' * 10}▸",
        ),
        (message(1, "unknown"), "  (empty)"),
        (message(1, "heartbeat", "beat", id="1"), "  heartbeat"),
        (message(1, "event", "stopped", id="7", summary="thread 1"), "  stopped  thread 1"),
        (message(1, "response", id="7"), "  response (7)"),
    ],
    ids=lambda it: it if isinstance(it, str) else "",
)
def test_a_message_is_named_by_what_is_not_plain_already(told: Message, said: str) -> None:
    row = FrameRow(0, None, ALONE, "out", 1, 9, (), told)
    assert one(row) == "  0.000 s            ←──  #1  " + said


def test_notes_and_remarks_stand_before_what_is_said_and_alone_where_nothing_is() -> None:
    asked = message(1, "request", "add", summary="[1]")
    row = FrameRow(0, None, ALONE, "in", 1, 9, ("odd", "late"), asked, ("in a batch",))
    begun = "  0.000 s            ──→  #1  "
    assert one(row) == begun + "! add  odd · late · [1]"
    assert one(row._replace(notes=())) == begun + "  add  (in a batch) [1]"
    silent = row._replace(message=message(1, "request", "add"))
    assert one(silent) == begun + "! add  odd · late"
    assert one(silent._replace(notes=())) == begun + "  add  (in a batch)"
    unread = row._replace(message=message(1, "unknown"), text="x")
    assert one(unread) == begun + "! odd · late · x"
    assert one(unread._replace(notes=())) == begun + "  (in a batch) x"


def test_of_a_run_that_came_in_one_read_no_time_is_told() -> None:
    first = FrameRow(5, None, ALONE, "err", 1, 9, (), None, text="x")
    fold = FoldRow(first, first._replace(number=4), 4)
    assert one(fold) == "  0.000 s            err  #1    ×4 to #4 at once  x"
    later = fold.last._replace(t_ns=5 + 7000)
    assert one(FoldRow(first, later, 4)) == "  0.000 s            err  #1    ×4 to #4 in 7 µs  x"


def test_a_body_that_goes_on_beyond_what_was_read_ends_with_an_ellipsis() -> None:
    row = FrameRow(0, None, ALONE, "err", 0, 9, (), None, text="begun", more=True)
    assert one(row) == "  0.000 s            err        begun…"
    assert one(row._replace(text="")) == "  0.000 s            err        …"


def test_long_ids_are_shown_by_their_ends() -> None:
    ids = ["7", '"1234567890"', '"12345678901"', "12345678901234567890"]
    assert [*map(short_id, ids)] == ["7", '"1234567890"', "1234…8901", "1234…7890"]


def test_the_waiting_bar_has_a_cell_for_each_second_up_to_ten() -> None:
    seconds = [1.0, 1.9, 10.9, 11.0, 500.0]
    assert [waiting_bar(int(it * SECOND)) for it in seconds] == [
        "▇",
        "▇",
        "▇" * 10,
        "▇" * 10 + "▸",
        "▇" * 10 + "▸",
    ]


ANY_TEXT = st.text() | st.binary().map(lambda data: data.decode("utf-8", "surrogateescape"))
MAYBE_TEXT = st.none() | ANY_TEXT
TIME = st.integers(0, 10 * words.DAY)
MESSAGE = st.builds(
    message,
    st.just(1),
    ANY_TEXT | st.sampled_from(["request", "unknown", "heartbeat"]),
    MAYBE_TEXT,
    id=MAYBE_TEXT,
    asks=st.integers(0, 1),
    summary=ANY_TEXT,
    answers=st.none() | st.integers(0, 10**6),
    about=st.none() | st.integers(0, 10**6),
    latency_ns=st.none() | TIME,
    flags=MAYBE_TEXT | st.just("error"),
)
STREAM: st.SearchStrategy[Stream] = st.sampled_from(["in", "out", "err"])
FRAME_ROW = st.builds(
    FrameRow,
    TIME,
    st.none() | TIME,
    st.booleans(),
    STREAM,
    st.integers(0, 10**13),
    st.integers(0, 10**13),
    st.lists(ANY_TEXT, max_size=2).map(tuple),
    st.none() | MESSAGE,
    st.lists(ANY_TEXT, max_size=2).map(tuple),
    ANY_TEXT,
    st.booleans(),
    st.booleans(),
)
EVENT_ROW = st.builds(EventRow, TIME, st.sampled_from(["event", "notable", "bad"]), ANY_TEXT)
ANY_ROW = (
    FRAME_ROW
    | EVENT_ROW
    | st.builds(FoldRow, FRAME_ROW, FRAME_ROW, st.integers(3, 10**9))
    | st.builds(SilenceRow, TIME)
)


@given(st.lists(ANY_ROW, max_size=3), st.integers(1, 200), TIME)
def test_no_line_is_too_wide_or_holds_anything_that_a_terminal_obeys(
    some: list[Row], width: int, longest_ns: int
) -> None:
    lines = list(drawn(some, layout(width, longest_ns)))
    assert len(lines) == len(some)
    for line in lines:
        text = plain(line)
        assert width_of(text) <= width
        assert cell_len(text) <= width
        assert shown(text) == text
