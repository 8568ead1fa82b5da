"""Figures become rows: answers stand beside their questions, percentiles are of nearest rank."""

from dataclasses import replace
from datetime import UTC

import pytest

from tapproxy_store.durations import Durations
from tapproxy_store.figures import Figures, Startup, Traffic
from tapproxy_store.reading import Counts
from tapproxy_store.silences import Silence, Silences
from tapproxy_viewers.lines import plain
from tapproxy_viewers.stats import SORTS, Latency, Row, latency, objects, rows_of, stats
from tapproxy_viewers.stats_page import page
from tests.viewers.made import MS, SECOND, session

COUNTS = Counts(9, 2, {"in": 300, "out": 480, "err": 2}, {"in": 30_000, "out": 5_000_000, "err": 9})
TRAFFIC = [
    Traffic("in", "request", "tools/call", 200, 20_000, asked=200, unanswered=2),
    Traffic("in", "request", "ping", 100, 4_000, asked=100),
    Traffic("out", "response", "tools/call", 195, 4_000_000,
            latencies=Durations.of([MS * it for it in range(1, 196)])),
    Traffic("out", "error", "tools/call", 3, 3_000, errors=3,
            latencies=Durations.of([400 * MS] * 3)),
    Traffic("out", "response", "ping", 100, 3_000, latencies=Durations.of([2 * SECOND] * 100)),
    Traffic("out", "notification", "notifications/resources/list_changed", 170, 17_000),
    Traffic("out", "heartbeat", None, 10, 300),
    Traffic("out", "error", None, 1, 80, errors=1),
    Traffic("in", None, None, 1, 7),
]  # fmt: skip
SILENCE = Silence(3 * SECOND, 17, 18, SECOND)
BEATS = Silence(11 * SECOND, 30, 41, SECOND)
FIGURES = Figures(
    TRAFFIC,
    2,
    Silences((SILENCE,), {"in": SILENCE._replace(after=15), "out": Silence(5 * MS, 1, 2, 0)}),
    Silences((), {"out": BEATS}),
    Startup(MS, {"in": 3 * MS, "out": 45 * MS}, 2, 46 * MS),
)
NOTHING = Figures([], 0, Silences((), {}), Silences((), {}), Startup(None, {}, None, None))

WIDE = """\
       asked        count  errors  no answer      p50      p95      max   waited    asked  answers
  ──→  ping           100                       2.0 s    2.0 s    2.0 s   3m 20s   4.0 kB   3.0 kB
  ──→  tools/call     200       3          2    99 ms   189 ms   400 ms   20.3 s  20.0 kB   4.0 MB

       told                                   count  errors    bytes
  ←──  notifications/resources/list_changed     170          17.0 kB
  ←──  heartbeat                                 10            300 B
  ←──  error                                      1       1     80 B
  ──→  frames                                     1              7 B

  first          host's byte after 2.0 ms · plugin's byte after 44 ms · answer after 45 ms (#2)
  rate           156.4 frames/s · 1.0 MB/s
  both silent      3.0 s  from 1.000 s on, after #17
  host silent      3.0 s  from 1.000 s on, after #15
  heartbeats     10 · at most 11.0 s without one (after #30)"""

NARROW = """\
       asked        count      max   waited
  ──→  ping           100    2.0 s   3m 20s
  ──→  tools/call     200   400 ms   20.3 s

       told                           count  errors    bytes
  ←──  notifications/resources/lis…     170          17.0 kB
  ←──  heartbeat                         10            300 B
  ←──  error                              1       1     80 B
  ──→  frames                             1              7 B

  first          host's byte after 2.0 ms
                 plugin's byte after 44 ms
                 answer after 45 ms (#2)
  rate           156.4 frames/s · 1.0 MB/s
  both silent      3.0 s  from 1.000 s on, after #17
  host silent      3.0 s  from 1.000 s on, after #15
  heartbeats     10 · at most 11.0 s without one (after #30)"""


def drawn(
    width: int, figures: Figures = FIGURES, sort: str = "waited", wanted: str | None = None
) -> str:
    it = stats(session(dialect="mcp"), COUNTS, figures, sort, wanted)
    lines = [plain(line) for line in page(it, width, zone=UTC)]
    assert max(map(len, lines)) <= width
    return "\n".join(line.rstrip() for line in lines[7:])


def test_what_was_asked_and_told_is_drawn_with_the_slowest_first() -> None:
    assert drawn(100) == WIDE


def test_a_narrow_terminal_gets_fewer_columns() -> None:
    assert drawn(60) == NARROW


@pytest.mark.parametrize("width", [1, 10, 20, 30, 45])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    drawn(width)


@pytest.mark.parametrize(
    ("sort", "heads"),
    [
        ("waited", ["count", "max", "waited"]),
        ("p50", ["count", "p50", "max"]),
        ("p95", ["count", "p95", "max"]),
        ("max", ["count", "errors", "no", "answer", "max"]),
        ("bytes", ["count", "max", "asked", "answers"]),
    ],
)
def test_the_column_by_which_rows_are_sorted_stays(sort: str, heads: list[str]) -> None:
    assert drawn(60, sort=sort).splitlines()[0].split()[1:] == heads


def test_a_standard_terminal_has_room_for_all_but_percentiles_and_sizes() -> None:
    heads = ["asked", "count", "errors", "no", "answer", "max", "waited"]
    long = [replace(TRAFFIC[0], method="a/method/of/a/long/name")]
    figures = replace(FIGURES, traffic=long)
    assert drawn(80, figures).splitlines()[0].split() == heads


def test_silences_tell_where_they_ended_and_who_never_spoke() -> None:
    figures = replace(
        FIGURES,
        traffic=[Traffic("out", "heartbeat", None, 1, 30)],
        silences=Silences(
            (Silence(3 * SECOND, 8, None, 1466 * MS),),
            {"in": Silence(5 * SECOND, None, None, 0), "out": Silence(5 * SECOND, None, None, 0)},
        ),
        without_heartbeats=Silences((), {"out": Silence(3 * SECOND, 8, None, 1466 * MS)}),
    )
    assert drawn(80, figures).splitlines()[-4:] == [
        "  both silent      3.0 s  from 1.466 s on, after #8, to the end",
        "  host silent      5.0 s  it said nothing",
        "  plugin silent    5.0 s  it said nothing but heartbeats",
        "  heartbeats     1 · at most 3.0 s without one (after #8, to the end)",
    ]


@pytest.mark.parametrize(
    ("wanted", "stderr", "words"),
    [
        ("kind:x\x1b", 0, "no frame matches kind:x␛"),
        ("text:warning", 3, "only stderr matches text:warning"),
        ("", 0, "no frame is in that portion"),
    ],
)
def test_where_nothing_is_what_was_asked_for_this_is_said(
    wanted: str, stderr: int, words: str
) -> None:
    assert drawn(60, replace(NOTHING, stderr=stderr), wanted=wanted) == "  " + words


def test_what_is_of_the_whole_session_is_not_said_of_a_part() -> None:
    assert drawn(100, wanted="kind:x") == "\n".join(
        line for line in WIDE.splitlines() if not line.startswith(("  first", "  rate"))
    )


def test_a_session_in_which_nothing_was_said_says_so() -> None:
    assert drawn(60, NOTHING) == (
        "  nothing was said\n\n"
        "  first          nothing came\n"
        "  rate           156.4 frames/s · 1.0 MB/s"
    )


@pytest.mark.parametrize(
    ("sort", "methods"),
    [
        ("waited", ["ping", "tools/call"]),
        ("p50", ["ping", "tools/call"]),
        ("count", ["tools/call", "notifications/resources/list_changed"]),
        ("bytes", ["tools/call", "notifications/resources/list_changed"]),
        ("errors", ["tools/call", None]),
    ],
)
def test_the_largest_comes_first(sort: str, methods: list[str | None]) -> None:
    rows = stats(session(), COUNTS, FIGURES, sort).rows
    measured = [SORTS[sort](row) for row in rows]
    assert measured == sorted(measured, reverse=True)
    assert [row.method for row in rows[:2]] == methods


def test_answers_stand_beside_their_question() -> None:
    assert next(row for row in rows_of(TRAFFIC) if row.is_question) == Row(
        "in",
        "request",
        "tools/call",
        count=200,
        bytes=20_000,
        errors=3,
        is_question=True,
        unanswered=2,
        answer_bytes=4_003_000,
        latency=Latency(198, 20_310 * MS, 99 * MS, 189 * MS, 400 * MS),
    )


def test_answers_without_their_question_are_a_row_of_their_own() -> None:
    answers = Traffic("out", "response", "ping", 1, 30, latencies=Durations.of([7]))
    assert list(rows_of([answers])) == [
        Row(
            "out", "response", "ping", 1, 30, 0, is_question=False,
            latency=Latency(1, 7, 7, 7, 7),
        )
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("latencies", "p50", "p95"),
    [([5], 5, 5), ([1, 2], 1, 2), ([3, 1, 2], 2, 3), (list(range(1, 101)), 50, 95)],
)
def test_a_percentile_is_a_latency_that_was_measured(
    latencies: list[int], p50: int, p95: int
) -> None:
    summed = latency(Durations.of(latencies))
    assert summed == Latency(len(latencies), sum(latencies), p50, p95, max(latencies))


def test_programs_get_an_object_for_each_row_and_each_silence() -> None:
    it = stats(session(dialect="mcp"), COUNTS, FIGURES, "waited")
    found = list(objects(it, "a"))
    assert found[0] == {
        "type": "session",
        "recording": "a",
        "session": 1,
        "dialect": "mcp",
        "duration_ns": 5 * SECOND,
        "outcome": "exit 0",
        "frames": {"in": 300, "out": 480, "err": 2},
        "bytes": {"in": 30_000, "out": 5_000_000, "err": 9},
        "spawned_ns": MS,
        "first_bytes_ns": {"in": 3 * MS, "out": 45 * MS},
        "first_answer": 2,
        "first_answer_ns": 46 * MS,
    }
    assert found[1] == {
        "type": "question",
        "stream": "in",
        "kind": "request",
        "method": "ping",
        "count": 100,
        "bytes": 4_000,
        "errors": 0,
        "unanswered": 0,
        "answer_bytes": 3_000,
        "answers": 100,
        "waited_ns": 200 * SECOND,
        "p50_ns": 2 * SECOND,
        "p95_ns": 2 * SECOND,
        "max_ns": 2 * SECOND,
    }
    assert found[3] == {
        "type": "told",
        "stream": "out",
        "kind": "notification",
        "method": "notifications/resources/list_changed",
        "count": 170,
        "bytes": 17_000,
        "errors": 0,
    }
    assert found[-1] == {
        "type": "heartbeats",
        "stream": "out",
        "duration_ns": 11 * SECOND,
        "from_ns": SECOND,
        "after": 30,
        "until": 41,
    }
    assert [it["type"] for it in found].count("silence") == 3
