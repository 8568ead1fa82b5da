"""Entries become rows in their order, with gaps, missed deadlines and folded runs."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tapproxy_store.records import Stream
from tapproxy_viewers.narrating import LEAST_FOLDED, folded, open_rows, rows
from tapproxy_viewers.timeline import EventRow, FoldRow, FrameRow, Row, SilenceRow, Source
from tests.viewers.made import MS, SECOND, Entry, Made, event

ALONE = False
"""In its read."""


def told(made: Made, *entries: Entry, ends_ns: int = 0) -> list[Row]:
    return list(rows(entries, Source(made.payload, 100), ends_ns=ends_ns))


def brief(some: list[Row]) -> list[str]:
    """Return frames by number, folds by count, the rest by what it says."""
    said = []
    for row in some:
        if isinstance(row, FrameRow):
            said.append(f"#{row.number}")
        elif isinstance(row, FoldRow):
            said.append(f"{row.count} from #{row.first.number} to #{row.last.number}")
        elif isinstance(row, EventRow):
            said.append(f"{row.t_ns / SECOND:.1f} {row.words}")
        else:
            said.append(f"silence {row.duration_ns}")
    return said


def test_events_stand_between_frames_and_the_orderly_end_is_not_told() -> None:
    made = Made()
    some = told(
        made,
        event(0, "spawn", pid=42),
        made.bare("in", 3 * MS, b"ask"),
        event(4 * MS, "eof", stream="in", by="host"),
        made.bare("out", 41 * MS, b"answer"),
        event(42 * MS, "end", wall_ns=0),
    )
    assert some == [
        EventRow(0, "event", "plugin started, pid 42"),
        FrameRow(3 * MS, None, ALONE, "in", 1, 4, (), None, text="ask"),
        EventRow(4 * MS, "event", "host closed stdin"),
        FrameRow(41 * MS, 38 * MS, ALONE, "out", 2, 7, (), None, text="answer"),
    ]


def test_more_than_a_second_of_nothing_is_a_silence() -> None:
    made = Made()
    times = 0, SECOND, 2 * SECOND + 1
    frames = [made.bare("in", at, b"x") for at in times]
    silences = [
        row
        for row in told(made, *frames, event(5 * SECOND, "exit", code=0))
        if isinstance(row, SilenceRow)
    ]
    assert silences == [SilenceRow(SECOND + 1), SilenceRow(3 * SECOND - 1)]


def test_the_silence_at_the_end_is_told_where_nothing_was_left_out() -> None:
    made = Made()
    source, frames = Source(made.payload, 9), [made.bare("in", 0, b"x")]
    assert brief([*rows(frames, source, ends_ns=SECOND)]) == ["#1"]
    assert brief([*rows(frames, source, ends_ns=SECOND + 1)]) == ["#1", "silence 1000000001"]
    assert brief([*rows(frames, source, ends_ns=SECOND + 1, whole=False)]) == ["#1"]
    assert brief([*rows([], source, ends_ns=SECOND + 1)]) == []


def test_the_silence_until_the_end_is_told_where_nothing_was_left_out() -> None:
    made = Made()
    frame = made.bare("in", SECOND, b"x")
    assert brief(told(made, frame, ends_ns=31 * SECOND)) == ["#1", f"silence {30 * SECOND}"]
    assert brief(told(made, frame, ends_ns=2 * SECOND)) == ["#1"]
    chosen = rows([frame], Source(made.payload, 100), ends_ns=31 * SECOND, whole=False)
    assert brief(list(chosen)) == ["#1"]
    assert told(made, ends_ns=31 * SECOND) == []


def test_what_arrives_earlier_than_what_stands_before_it_makes_no_silence() -> None:
    made = Made()
    entries = [made.bare("in", at, b"x") for at in (3 * SECOND, 0, 3 * SECOND + 1)]
    assert brief(told(made, *entries)) == ["#1", "#2", "#3"]


def test_a_heartbeat_in_its_time_ends_no_silence_and_a_missing_one_is_told_when_due() -> None:
    made = Made()
    beats = [made.told("out", at * SECOND, "heartbeat", within_ns=6 * SECOND) for at in (0, 5, 13)]
    assert brief(told(made, *beats, ends_ns=20 * SECOND)) == [
        "#1",
        "#2",
        "silence 6000000000",
        "11.0 plugin is silent: nothing for 6.0 s",
        "silence 2000000000",
        "#3",
        "silence 6000000000",
        "19.0 plugin is silent: nothing for 6.0 s",
    ]


def test_a_heartbeat_is_in_its_time_after_the_last_word_of_its_side() -> None:
    made = Made()
    limit: dict[str, Any] = {"within_ns": 6 * SECOND}
    entries: list[Entry] = [
        made.told("out", 0, "log", **limit),
        made.told("in", 1 * SECOND, "request", "call", asks=1, within_ns=3 * SECOND),
        made.told("out", 6 * SECOND, "heartbeat", **limit),  # nothing was late but the answer
        made.bare("err", 7 * SECOND, b"x"),
        event(13 * SECOND, "stopped", signal="SIGSTOP"),
        made.told("out", 15 * SECOND, "heartbeat", **limit),
    ]
    assert brief(told(made, *entries)) == [
        "#1",
        "#2",
        "silence 3000000000",
        "4.0 timeout: no answer to #2 call in 3.0 s",
        "#3",
        "#4",
        "silence 5000000000",
        "12.0 plugin is silent: nothing for 6.0 s",
        "13.0 plugin stopped by SIGSTOP",
        "silence 2000000000",
        "#5",
    ]


def test_of_a_choice_of_frames_nothing_is_told_to_be_silent() -> None:
    made = Made()
    beat = made.told("out", 0, "heartbeat", within_ns=SECOND)
    chosen = rows([beat], Source(made.payload, 9), ends_ns=9 * SECOND, whole=False)
    assert brief(list(chosen)) == ["#1"]


def test_what_has_come_of_open_frames_is_told() -> None:
    made = Made()
    (row,) = open_rows([made.frame("out", MS, b"{", "unfinished")], Source(made.payload, 9))
    assert brief([row]) == ["#1"]


def progress(
    made: Made, run: str | None = "p", stream: Stream = "out", **other: str | None
) -> Entry:
    return made.told(stream, 0, "progress", run=run, **other)


def test_three_messages_of_a_run_are_one_row() -> None:
    made = Made()
    entries = [progress(made) for _ in range(3)]
    entries += [
        progress(made, "q"),
        progress(made, "q"),
        progress(made, None),
        progress(made, None),
    ]
    assert brief([*folded(told(made, *entries))]) == [
        "3 from #1 to #3",
        "#4",
        "#5",
        "#6",
        "#7",
    ]


def test_what_deserves_a_look_is_never_folded() -> None:
    made = Made()
    entries = [progress(made) for _ in range(3)]
    entries += [progress(made, note="odd"), progress(made, flags="error")]
    entries += [progress(made) for _ in range(4)]
    assert brief([*folded(told(made, *entries))]) == [
        "3 from #1 to #3",
        "#4",
        "#5",
        "4 from #6 to #9",
    ]


def test_an_event_and_the_other_side_end_a_fold() -> None:
    made = Made()
    entries: list[Entry] = [progress(made) for _ in range(3)]
    entries += [event(0, "eof", stream="in"), *(progress(made) for _ in range(3))]
    entries += [progress(made, stream="in")]
    assert brief([*folded(told(made, *entries))]) == [
        "3 from #1 to #3",
        "0.0 host closed stdin",
        "3 from #4 to #6",
        "#7",
    ]


def test_stderr_that_repeats_itself_is_one_row_and_stdout_is_not() -> None:
    made = Made()
    lines: list[Entry] = [made.bare("err", 0, b"retry") for _ in range(4)]
    lines += [made.bare("out", 0, b"retry") for _ in range(3)]
    lines += [made.bare("err", 0, b"") for _ in range(3)]
    lines += [made.bare("err", 0, b"x" * 100 + b"%d" % it) for it in range(3)]
    assert brief([*folded(told(made, *lines))]) == [
        "4 from #1 to #4",
        *(f"#{number}" for number in range(5, 14)),
    ]


SIDES: st.SearchStrategy[Stream] = st.sampled_from(["in", "out"])


@given(
    st.lists(
        st.tuples(
            SIDES,
            st.sampled_from([None, "p", "q"]),
            st.sampled_from([None, None, None, "error"]),
            st.sampled_from([None, None, None, "odd"]),
        )
    )
)
def test_folding_loses_no_row_and_keeps_their_order(
    some: list[tuple[Stream, str | None, str | None, str | None]],
) -> None:
    made = Made()
    entries = [
        progress(made, run, stream, flags=flags, note=note) for stream, run, flags, note in some
    ]
    count = 0
    for row in folded(told(made, *entries)):
        if isinstance(row, FoldRow):
            assert row.first.number == count + 1
            assert row.count >= LEAST_FOLDED
            count += row.count
            assert row.last.number == count
        elif isinstance(row, FrameRow):
            count += 1
            assert row.number == count
    assert count == len(some)
