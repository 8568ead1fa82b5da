"""What can be counted of a session comes from SQL, page by page, with a selection or without."""

from dataclasses import replace
from pathlib import Path

import pytest

from tapproxy_store import figures
from tapproxy_store.durations import Durations
from tapproxy_store.errors import DamagedRecording
from tapproxy_store.figures import Figures, Startup, Traffic, figures_of
from tapproxy_store.pages import Selection
from tapproxy_store.read_only import Opened
from tapproxy_store.recording import MessageRow, create_or_open
from tapproxy_store.records import Chunk, Event, Frame, Stream
from tapproxy_store.silences import Silence, Silences, longest_silences
from tests.store.made import add, query, session

MS = 1_000_000

SPOKEN: tuple[tuple[Stream, int, int], ...] = (
    ("in", 10, 5),
    ("in", 7, 6),
    ("err", 3, 7),
    ("out", 20, 25),
    ("out", 9, 2025),
    ("out", 9, 6025),
    ("in", 11, 6030),
    ("out", 40, 6031),
)
"""Stream, size, arrival in milliseconds of the frames 1 to 8."""


def message(
    frame: int,
    kind: str,
    method: str | None = None,
    *,
    part: int = 0,
    asks: int = 0,
    answers: int | None = None,
    latency_ns: int | None = None,
    flags: str | None = None,
) -> MessageRow:
    answers_part = None if answers is None else 0
    rest = (None, None, None, flags, None, None)
    return (1, frame, part, kind, method, None, asks, "", answers, answers_part, latency_ns, *rest)


MESSAGES = (
    message(1, "request", "call", asks=1),
    message(2, "request", "call", asks=1),
    message(4, "error", answers=1, latency_ns=20 * MS, flags="late error"),
    message(5, "heartbeat"),
    message(6, "heartbeat", flags="not-an-error"),
    message(7, "notification", "seen"),
    message(8, "response", "call", answers=99, latency_ns=MS),
    message(8, "notification", "seen", part=1),
)


@pytest.fixture
def path(tmp_path: Path) -> str:
    path = str(tmp_path / "a.tap")
    ends: dict[Stream, int] = {"in": 0, "out": 0, "err": 0}
    records: list[Chunk | Event] = [Event(1, 1, 2 * MS, "spawn", {})]
    frames: list[Frame] = []
    for number, (stream, size, at_ms) in enumerate(SPOKEN, 1):
        start, end = ends[stream], ends[stream] + size
        ends[stream] = end
        seq, t_ns = number + 1, at_ms * MS
        records.append(Chunk(seq, 1, stream, t_ns, start, b"x" * size))
        frames.append(Frame(1, number, stream, start, end, seq, seq, t_ns, t_ns, 0, "none", None))
    with create_or_open(path) as writer:
        add(writer, records, frames, [replace(session(), duration_ns=7000 * MS)])
        writer.begin()
        writer.insert((), messages=MESSAGES)
        writer.commit()
        writer.finish()
    return path


def counted(
    path: str, selection: Selection | None = None, numbers: list[int] | None = None
) -> Figures:
    opened = Opened(path)
    try:
        return figures_of(opened.connection, path, 1, selection, numbers)
    finally:
        opened.close()


@pytest.fixture(params=[1, 3, 4000])
def page_frames(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Count in pages of so many frames."""
    monkeypatch.setattr(figures, "PAGE_FRAMES", request.param)


@pytest.mark.usefixtures("page_frames")
def test_a_session_is_counted_by_side_kind_and_method(path: str) -> None:
    found = counted(path)
    by_name = sorted(found.traffic, key=lambda it: (it.stream, it.kind or "", it.method or ""))
    assert by_name == [
        Traffic("in", "notification", "seen", count=1, bytes=11),
        Traffic("in", "request", "call", count=2, bytes=17, asked=2, unanswered=1),
        Traffic(
            "out", "error", "call", count=1, bytes=20, errors=1,
            latencies=Durations.of([20 * MS]),
        ),
        Traffic("out", "heartbeat", None, count=2, bytes=18),
        Traffic("out", "notification", "seen", count=1, bytes=0),
        Traffic("out", "response", "call", count=1, bytes=40, latencies=Durations.of([MS])),
    ]  # fmt: skip
    assert found.stderr == 1
    assert found.silences == Silences(
        both=(
            Silence(6005 * MS, 4, 7, 25 * MS),
            Silence(969 * MS, 8, None, 6031 * MS),
            Silence(19 * MS, 2, 4, 6 * MS),
        ),
        by_side={
            "in": Silence(6024 * MS, 2, 7, 6 * MS),
            "out": Silence(6006 * MS, 4, 8, 25 * MS),
        },
    )
    between, after = Silence(4000 * MS, 5, 6, 2025 * MS), Silence(975 * MS, 6, None, 6025 * MS)
    assert found.without_heartbeats == Silences((between, after), {"out": between})
    assert found.startup == Startup(2 * MS, {"in": 5 * MS, "out": 25 * MS}, 4, 25 * MS)


def test_a_selection_restricts_what_is_counted(path: str) -> None:
    found = counted(path, Selection("m.kind = ?", ("request",)))
    assert found.traffic == [
        Traffic("in", "request", "call", count=2, bytes=17, asked=2, unanswered=1)
    ]
    assert found.silences.both == (Silence(MS, 1, 2, 5 * MS),)
    assert found.without_heartbeats == Silences((), {})
    assert counted(path, Selection("f.stream = 'err'")) == Figures(
        [], 1, Silences((), {}), Silences((), {}), found.startup
    )


def test_a_side_that_says_nothing_but_heartbeats_is_silent_from_beginning_to_end(
    path: str,
) -> None:
    query(path, "UPDATE messages SET kind = 'heartbeat' WHERE frame IN (4, 8)")
    whole = Silence(7000 * MS, None, None, 0)
    assert counted(path).silences.by_side == {
        "in": Silence(6024 * MS, 2, 7, 6 * MS),
        "out": whole,
    }
    query(path, "DELETE FROM frames WHERE stream = 'in'")
    assert counted(path).silences == Silences((), {"in": whole, "out": whole})


def test_nobody_knows_how_long_a_silence_lasts_while_the_session_lives(path: str) -> None:
    query(path, "DELETE FROM frames WHERE stream = 'in'")
    query(path, "UPDATE sessions SET duration_ns = NULL, outcome = NULL")
    found = counted(path)
    assert found.silences.by_side == {"out": Silence(6006 * MS, 4, 8, 25 * MS)}
    assert found.without_heartbeats.by_side == {"out": Silence(4000 * MS, 5, 6, 2025 * MS)}


@pytest.mark.usefixtures("page_frames")
def test_frames_are_counted_that_are_named_by_number(path: str) -> None:
    selection = Selection("f.number IN (1, 2, 5, 6)")
    assert counted(path, numbers=[1, 2, 5, 6]) == counted(path, selection)
    assert counted(path, numbers=[]).traffic == []


def test_a_session_in_which_nothing_was_said_has_no_figures(tmp_path: Path) -> None:
    path = str(tmp_path / "empty.tap")
    with create_or_open(path) as writer:
        add(writer, [], [], [session()])
    nothing = Silences((), {})
    assert counted(path) == Figures([], 0, nothing, nothing, Startup(None, {}, None, None))


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE frames SET first_ns = 'early' WHERE number = 4",
        "UPDATE frames SET stream = 'up' WHERE number = 1",
        "UPDATE messages SET latency_ns = 'soon' WHERE frame = 4",
        "UPDATE messages SET asks = 0.5 WHERE frame = 1",
        "UPDATE messages SET method = x'ff00' WHERE frame = 7",
        "UPDATE messages SET kind = x'ff00' WHERE frame = 5",
        "UPDATE events SET t_ns = 'early'",
        "UPDATE sessions SET duration_ns = 'long'",
        "UPDATE chunks SET t_ns = 'early' WHERE stream = 'in'",
        "UPDATE frames SET last_ns = 'late' WHERE number = 4",
        "UPDATE frames SET number = 9e999 WHERE number = 8",
    ],
)
def test_rows_that_only_damage_can_have_made_are_told(path: str, damage: str) -> None:
    query(path, damage)
    with pytest.raises(DamagedRecording, match="a row of frames or messages holds"):
        counted(path)


def test_a_number_that_is_far_from_the_one_before_it_keeps_nobody_waiting(path: str) -> None:
    query(path, "UPDATE frames SET number = 9223372036854775807 WHERE number = 8")
    query(path, "UPDATE messages SET frame = 9223372036854775807 WHERE frame = 8")
    assert sum(it.count for it in counted(path).traffic) == len(MESSAGES)


def test_silences_are_found_between_the_last_byte_and_the_next_first_one() -> None:
    rows: list[tuple[int, Stream, int, int]] = [
        (1, "in", 0, 10),
        (2, "out", 5, 30),
        (3, "in", 70, 100),
        (4, "out", 90, 101),
    ]
    by_side: dict[Stream, Silence] = {"in": Silence(60, 1, 3, 10), "out": Silence(60, 2, 4, 30)}
    assert longest_silences(rows) == Silences((Silence(40, 2, 3, 30),), by_side)
    assert longest_silences(rows, 161) == Silences(
        both=(Silence(60, 4, None, 101), Silence(40, 2, 3, 30)),
        by_side=by_side | {"in": Silence(61, 3, None, 100)},
    )


def test_a_page_is_read_by_the_numbers_of_its_frames_and_answers_by_their_index(path: str) -> None:
    selected = " AND (m.method = 'call') IS TRUE"
    sql = figures._TRAFFIC.format(selected=selected)  # noqa: SLF001  its plan is what matters
    plan = " ".join(row[3] for row in query(path, f"EXPLAIN QUERY PLAN {sql}", (1, 1, 9)))
    assert "SEARCH f USING PRIMARY KEY (session=? AND number>? AND number<?)" in plan
    assert "SEARCH m USING PRIMARY KEY (session=? AND frame=?)" in plan
    assert "COVERING INDEX messages_by_question" in plan


def test_heartbeats_are_looked_for_by_the_numbers_of_the_frames(path: str) -> None:
    sql = figures._HEARTBEATS.format(selected="")  # noqa: SLF001  its plan is what matters
    plan = [row[3] for row in query(path, f"EXPLAIN QUERY PLAN {sql}", (1, 1, 9))]
    assert plan == [
        "SEARCH f USING PRIMARY KEY (session=? AND number>? AND number<?)",
        "SEARCH m USING PRIMARY KEY (session=? AND frame=?) LEFT-JOIN",
    ]
