"""The script of a replay is read line by line: the played side stands out, the other is quiet."""

from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from tapproxy_viewers import palette
from tapproxy_viewers.layout import layout
from tapproxy_viewers.lines import painter, plain
from tapproxy_viewers.replay_script import (
    After,
    Part,
    Planned,
    heads,
    item_lines,
    live_line,
    script_lines,
)
from tapproxy_viewers.visible import shown
from tests.viewers.made import MS, SECOND

SCRIPT = [
    Planned(1, 5 * MS, "send", "in", (Part("initialize (1)", "demo-editor 1.0", 1, 175),)),
    Planned(
        2, 48 * MS, "wait", "out",
        (Part("initialize #1", "demo-server 0.3: hover, references", 2, 174, mark="answer"),),
    ),
    Planned(
        3, 51 * MS, "send", "in",
        (
            Part("initialized", "", 3, 74),
            Part("textDocument/didOpen", "main.py, python, 1 line\x1b[31m", 4, 1842),
            Part("workspace/symbol (9f2c…b7aa)", 'query="main"', 5, 10, "begins"),
        ),
        (After("#2", 3 * MS), After("#1", 46 * MS)),
    ),
    Planned(
        4, 251 * MS, "send", "in",
        (Part("workspace/symbol (9f2c…b7aa)", 'query="main"', 5, 90, "ends"),),
        (After("step 3", 200 * MS), After("#2", 203 * MS)),
    ),
    Planned(
        5, 300 * MS, "wait", "out", (Part("", "\r[1/3] \xff", 6, 9, "", "junk", "note"),)
    ),
    Planned(6, 310 * MS, "send", "in", (Part("", "", 7, 1),), (After("#6", 10 * MS),)),
    Planned(7, 3310 * MS, "do", None, (Part("send SIGTERM"),), (After("#7", 3 * SECOND),)),
    Planned(8, 3320 * MS, "wait", None, (Part("plugin was killed by SIGTERM"),)),
]  # fmt: skip


def told(width: int) -> str:
    lines = script_lines(SCRIPT, layout(width, 4 * SECOND, 7))
    return "".join(f"{plain(line)}\n" for line in lines)


def test_a_script_is_read_before_anything_runs() -> None:
    expected = """\
step       time                    size    what                                                after
   1    0.005 s  send  ──→  #1    175 B    initialize (1)  demo-editor 1.0             start +5.0 ms
   2    0.048 s  wait  ←──  #2    174 B  ↩ initialize #1  demo-server 0.3: hover, references
   3    0.051 s  send  ──→  #3     74 B    initialized                         #2 +3.0 ms, #1 +46 ms
                       ──→  #4   1.8 kB    textDocument/didOpen  main.py, python, 1 line␛[31m
                       ──→  #5     10 B    (begins)  workspace/symbol (9f2c…b7aa)  query="main"
   4    0.251 s  send  ──→  #5     90 B    (ends)  workspace/symbol (9f…  step 3 +200 ms, #2 +203 ms
   5    0.300 s  wait  ←──  #6      9 B  ! junk  ␍[1/3] ÿ
   6    0.310 s  send  ──→  #7      1 B    (empty)                                         #6 +10 ms
   7    3.310 s  do     •                  send SIGTERM                                    #7 +3.0 s
   8    3.320 s  wait   •                  plugin was killed by SIGTERM

5 steps, 3 to wait for
"""
    assert told(100) == expected


def test_a_narrow_terminal_shows_no_sizes() -> None:
    expected = """\
step       time                   what                 after
   1    0.005 s  send  ──→  #1    initialize…  start +5.0 ms
   2    0.048 s  wait  ←──  #2  ↩ initialize #1  demo-serve…
   3    0.051 s  send  ──→  #3    initialized   #2 +3.0 ms …
                       ──→  #4    textDocument/didOpen  mai…
                       ──→  #5    (begins)  workspace/symbo…
   4    0.251 s  send  ──→  #5    (ends)  w…  step 3 +200 m…
   5    0.300 s  wait  ←──  #6  ! junk  ␍[1/3] ÿ
   6    0.310 s  send  ──→  #7    (empty)          #6 +10 ms
   7    3.310 s  do     •         send SIGTERM     #7 +3.0 s
   8    3.320 s  wait   •         plugin was killed by SIGT…

5 steps, 3 to wait for
"""
    assert told(60) == expected


def test_of_what_a_step_waits_for_no_time_is_cut() -> None:
    lines = [plain(line) for line in script_lines([SCRIPT[2]], layout(80, 4 * SECOND, 7))]
    assert lines[1] == (
        "   3    0.051 s  send  ──→  #3     74 B    initialized              #2 +3.0 ms …"
    )


def test_what_is_expected_of_the_other_side_is_quiet() -> None:
    lines = list(script_lines([SCRIPT[1], SCRIPT[7]], layout(100, SECOND, 7)))[1:3]
    loud = [[it for it in line if it[0] != "quiet" and it[1].strip()] for line in lines]
    assert loud == [
        [("number", "   2  "), ("time", "  0.048 s  "), ("number", "#2  ")],
        [("number", "   8  "), ("time", "  3.320 s  ")],
    ]


def test_the_played_side_stands_out() -> None:
    _, line, *_ = script_lines(SCRIPT[:1], layout(70, SECOND, 7))
    assert painter("dark")(line) == (
        "\x1b[2m   1  \x1b[0m\x1b[2m  0.005 s  \x1b[0m\x1b[1msend  \x1b[0m\x1b[36m──→  \x1b[0m"
        "\x1b[2m#1  \x1b[0m  175 B  \x1b[2m  \x1b[0m\x1b[1minitialize \x1b[0m\x1b[2m…\x1b[0m  "
        "\x1b[2mstart +5.0 ms\x1b[0m"
    )


PARTS = st.builds(
    Part,
    st.text(),
    st.text(),
    st.none() | st.integers(1, 10**9),
    st.none() | st.integers(0, 10**12),
    st.sampled_from(["", "begins"]),
    st.text(),
    st.sampled_from(["plain", "answer", "failure", "note"]),
)
PLANNED = st.builds(
    Planned,
    st.integers(1, 10**9),
    st.integers(0, 10**16),
    st.sampled_from(["send", "do", "wait"]),
    st.sampled_from(["in", "out", "err", None]),
    st.lists(PARTS, min_size=1, max_size=3).map(tuple),
    st.lists(st.builds(After, st.text(), st.integers(0, 10**16)), max_size=2).map(tuple),
)


@given(st.lists(PLANNED, max_size=3), st.integers(1, 130))
def test_nothing_unescaped_reaches_a_terminal_nor_is_a_line_too_wide(
    script: list[Planned], width: int
) -> None:
    for line in script_lines(script, layout(width, SECOND)):
        said = plain(line)
        assert said == shown(said)
        assert cell_len(said) <= width
        assert {style for style, _ in line} <= set(palette.STYLES)


def test_it_is_a_stream() -> None:
    def long() -> Iterator[Planned]:
        yield SCRIPT[0]
        raise AssertionError("read on too early")

    lines = script_lines(long(), layout(100, SECOND))
    assert [plain(next(lines))[:4], plain(next(lines))[:4]] == ["step", "   1"]


def test_what_happens_live_stands_in_the_same_columns() -> None:
    place = layout(80, 4 * SECOND, 7)
    came = Part("workspace/symbol (9)", mark="answer")
    lines = [
        heads(place),
        *item_lines(SCRIPT[0], place),
        live_line("came", "out", came, place),
        live_line("came", None, Part("plugin exited with code 7\x1b[m"), place),
        live_line("send", "in", Part("", '{"id":1}', None, 9), place),
    ]
    expected = """\
step       time                    size    what                            after
   1    0.005 s  send  ──→  #1    175 B    initialize (1)  demo-…  start +5.0 ms
                 came  ←──               ↩ workspace/symbol (9)
                 came   •                  plugin exited with code 7␛[m
                 send  ──→          9 B    {"id":1}
"""
    assert "".join(f"{shown(plain(line))}\n" for line in lines) == expected
