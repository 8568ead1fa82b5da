"""What was due is told when it was due, once, and never where it came in time."""

from hypothesis import given
from hypothesis import strategies as st

from tapproxy_viewers.deadlines import Deadlines
from tapproxy_viewers.timeline import EventRow
from tests.viewers.made import MS, SECOND, Made, event


def timeout(due_ns: int, number: int) -> EventRow:
    return EventRow(due_ns, "bad", f"timeout: no answer to #{number} call in 3.0 s")


def test_an_answer_is_missed_at_the_instant_when_it_was_due_and_only_then() -> None:
    made, deadlines = Made(), Deadlines()
    deadlines.heard(made.told("in", SECOND, "request", "call", asks=1, within_ns=3 * SECOND))
    assert deadlines.until(4 * SECOND) == []
    assert deadlines.until(4 * SECOND + 1) == [timeout(4 * SECOND, 1)]
    assert deadlines.until(9 * SECOND) == []


def test_an_answer_that_comes_too_late_was_missed_all_the_same() -> None:
    deadlines = Deadlines()
    late = {"asks": 1, "within_ns": 3 * SECOND, "answered_after_ns": 3 * SECOND + 1}
    deadlines.heard(Made().told("in", 0, "request", "call", **late))
    assert deadlines.until(4 * SECOND) == [timeout(3 * SECOND, 1)]


def test_what_is_missed_is_told_in_the_order_in_which_it_was_due() -> None:
    made, deadlines = Made(), Deadlines()
    deadlines.heard(made.told("out", 0, "heartbeat", within_ns=6 * SECOND))
    for within_s in (9, 3):
        asked = {"asks": 1, "within_ns": within_s * SECOND}
        deadlines.heard(made.told("in", 0, "request", "call", **asked))
    assert [row.t_ns // SECOND for row in deadlines.until(10 * SECOND)] == [3, 6, 9]


def test_any_frame_of_a_side_ends_its_silence() -> None:
    made, deadlines = Made(), Deadlines()
    deadlines.heard(made.told("out", 0, "heartbeat", within_ns=SECOND))
    deadlines.heard(made.told("in", 0, "heartbeat", within_ns=SECOND))
    deadlines.heard(made.bare("out", MS, b"anything"))
    assert deadlines.until(9 * SECOND) == [
        EventRow(SECOND, "bad", "host is silent: nothing for 1.0 s")
    ]


def test_who_asks_is_not_silent_for_longer_than_before() -> None:
    made, deadlines = Made(), Deadlines()
    deadlines.heard(made.told("out", 0, "data", within_ns=6 * SECOND))
    deadlines.heard(made.told("out", SECOND, "prompt", "call", asks=1, within_ns=30 * SECOND))
    assert deadlines.until(9 * SECOND) == [
        EventRow(7 * SECOND, "bad", "plugin is silent: nothing for 6.0 s")
    ]


def test_a_side_that_has_said_when_it_goes_on_may_end_all_the_same() -> None:
    made, deadlines = Made(), Deadlines()
    deadlines.heard(made.told("out", 0, "data", within_ns=6 * SECOND))
    deadlines.heard(made.told("out", SECOND, "result"))
    deadlines.heard(made.told("out", SECOND, "prompt", "call", asks=1))
    assert deadlines.until(99 * SECOND) == []


def test_nobody_waits_for_a_plugin_that_is_gone_or_for_a_closed_stream() -> None:
    made, deadlines = Made(), Deadlines()
    deadlines.heard(made.told("out", 0, "heartbeat", within_ns=SECOND))
    deadlines.heard(made.told("in", 0, "request", "call", asks=1, within_ns=3 * SECOND))
    deadlines.happened(event(MS, "eof", stream="in"))
    deadlines.happened(event(MS, "eof", stream="out"))
    assert deadlines.until(2 * SECOND) == []
    deadlines.heard(made.told("out", 0, "heartbeat", within_ns=SECOND))
    deadlines.happened(event(2 * MS, "exit", code=0))
    assert deadlines.until(9 * SECOND) == []


def test_where_answers_or_frames_are_left_out_nothing_is_told_of_them() -> None:
    made, deadlines = Made(), Deadlines(silence=False, answers=False)
    deadlines.heard(made.told("out", 0, "heartbeat", within_ns=SECOND))
    deadlines.heard(made.told("in", 0, "request", "call", asks=1, within_ns=3 * SECOND))
    assert deadlines.until(9 * SECOND) == []


@given(st.lists(st.tuples(st.integers(0, 10 * SECOND), st.integers(0, 3 * SECOND))), st.booleans())
def test_what_is_answered_in_time_is_never_missed(
    questions: list[tuple[int, int]],
    known: bool,  # noqa: FBT001  as hypothesis hands it over
) -> None:
    made, deadlines = Made(), Deadlines()
    entries = []
    for at_ns, after_ns in sorted(questions):
        answered = {"answered_after_ns": after_ns} if known else {}
        asked = {"asks": 1, "within_ns": 3 * SECOND} | answered
        question = made.told("in", at_ns, "request", "call", **asked)
        answer = made.told("out", at_ns + after_ns, "response", answers=question.frame.number)
        entries += [question, answer]
    entries.sort(key=lambda told: (told.frame.last_ns, told.frame.number))
    for told in entries:
        assert deadlines.until(told.frame.last_ns) == []
        deadlines.heard(told)
    assert deadlines.until(99 * SECOND) == []


def test_a_host_whose_clock_began_a_moment_earlier_has_given_up_for_the_same_reason() -> None:
    for happened in (
        event(2950 * MS, "signal", signal="SIGTERM"),
        event(2950 * MS, "exit", code=1),
    ):
        deadlines = Deadlines()
        deadlines.heard(Made().told("in", 0, "request", "call", asks=1, within_ns=3 * SECOND))
        assert deadlines.happened(happened) == [timeout(2950 * MS, 1)]
        assert deadlines.until(9 * SECOND) == []


def test_what_happens_long_before_an_answer_is_due_has_another_reason() -> None:
    deadlines = Deadlines()
    deadlines.heard(Made().told("in", 0, "request", "call", asks=1, within_ns=3 * SECOND))
    assert deadlines.happened(event(2 * SECOND, "signal", signal="SIGTERM")) == []
    assert deadlines.until(4 * SECOND) == [timeout(3 * SECOND, 1)]
