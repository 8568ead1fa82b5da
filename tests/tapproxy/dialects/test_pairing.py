"""Which answer belongs to which question, and what is said of those that do not belong."""

from collections.abc import Iterable
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapproxy.dialects.api import Meaning, Side
from tapproxy.dialects.open_questions import MOST_OPEN
from tapproxy.dialects.pairing import OTHER, REMEMBERED, Paired, Pairing

MS = 1_000_000


class Said(NamedTuple):
    """What pairing adds to a message."""

    answers: int | None = None  # frame
    latency_ms: float | None = None
    about: int | None = None
    flags: tuple[str, ...] = ()
    note: str = ""


NOTHING = Said()


def ask(key: str, within_ms: int | None = None) -> Meaning:
    within_ns = None if within_ms is None else within_ms * MS
    return Meaning("request", "search", asks=key, within_ns=within_ns)


def answer(key: str) -> Meaning:
    return Meaning("response", replies=key)


def cancel(asker: Side, key: str) -> Meaning:
    return Meaning("notification", "cancel", about=(asker, key), cancels=True)


def progress(asker: Side, key: str) -> Meaning:
    return Meaning("progress", about=(asker, key))


def said(paired: Paired) -> Said:
    meaning, question, latency_ns, about = paired
    return Said(
        None if question is None else question.frame,
        None if latency_ns is None else latency_ns / MS,
        about,
        meaning.flags,
        meaning.note,
    )


def paired(*talk: tuple[Side, Meaning]) -> list[Said]:
    """Pair messages that come one each millisecond; frames count from 1."""
    pairing = Pairing()
    return [
        said(pairing.pair(side, number, 0, number * MS, meaning))
        for number, (side, meaning) in enumerate(talk, 1)
    ]


def test_an_answer_finds_its_question_and_how_long_it_took() -> None:
    assert paired(("in", ask("7")), ("out", ask("8")), ("out", answer("7"))) == [
        NOTHING,
        NOTHING,
        Said(answers=1, latency_ms=2.0),
    ]


def test_both_sides_count_from_nought_and_nothing_is_mixed_up() -> None:
    assert paired(
        ("in", ask("0")), ("out", ask("0")), ("in", answer("0")), ("out", answer("0"))
    ) == [NOTHING, NOTHING, Said(2, 1.0), Said(1, 3.0)]


def test_parts_of_a_batch_are_told_apart() -> None:
    pairing = Pairing()
    pairing.pair("in", 1, 0, 0, ask("1"))
    pairing.pair("in", 1, 1, 0, Meaning("request", "read", asks="2"))
    question = pairing.pair("out", 2, 0, MS, answer("2")).answers
    assert question is not None
    assert (question.frame, question.part, question.method) == (1, 1, "read")


def test_one_message_may_answer_and_ask() -> None:
    both = Meaning("prompt", replies="1", asks="1")
    assert paired(("in", ask("1")), ("out", both), ("in", answer("1"))) == [
        NOTHING,
        Said(answers=1, latency_ms=1.0),
        Said(answers=2, latency_ms=1.0),
    ]


def test_an_answer_to_nothing_is_told_where_the_other_side_has_spoken() -> None:
    assert paired(("in", Meaning("notification")), ("out", answer("1"))) == [
        NOTHING,
        Said(flags=("unmatched",), note="answers no request"),
    ]


def test_in_a_log_of_one_side_its_answers_are_flagged_without_a_reproach() -> None:
    assert paired(("out", answer("1")), ("out", answer("2"))) == [Said(flags=("unmatched",))] * 2


@pytest.mark.parametrize(("asked", "replied"), [("1", '"1"'), ('"1"', "1")])
def test_an_id_of_another_type_answers_nothing_and_the_note_says_why(
    asked: str, replied: str
) -> None:
    note = f"answers no request: #1 asked with {asked}, not {replied}"
    assert paired(("in", ask(asked)), ("out", answer(replied)))[1] == Said(
        flags=("id-type",), note=note
    )


def test_a_second_answer_is_told_with_the_question_that_both_answer() -> None:
    talk: list[tuple[Side, Meaning]] = [
        ("in", ask("1")), ("out", answer("1")), ("out", answer("1")),
    ]  # fmt: skip
    second = Said(flags=("duplicate-answer",), note="a second answer to #1")
    assert paired(*talk) == [NOTHING, Said(1, 1.0), second]


def test_an_id_used_again_after_its_answer_is_a_question_of_its_own() -> None:
    assert paired(
        ("in", ask("1")), ("out", answer("1")), ("in", ask("1")), ("out", answer("1"))
    ) == [NOTHING, Said(1, 1.0), NOTHING, Said(3, 1.0)]


def test_an_id_that_is_in_use_is_told_and_its_questions_are_answered_in_order() -> None:
    assert paired(
        ("in", ask("1")), ("in", ask("1")), ("out", answer("1")), ("out", answer("1"))
    ) == [
        NOTHING,
        Said(flags=("duplicate-id",), note="asked again before #1 was answered"),
        Said(1, 2.0),
        Said(2, 2.0),
    ]


def test_an_answer_beyond_its_time_is_late() -> None:
    pairing = Pairing()
    pairing.pair("in", 1, 0, 0, ask("1", within_ms=3000))
    pairing.pair("in", 2, 0, 0, ask("2", within_ms=3000))
    in_time = pairing.pair("out", 3, 0, 3000 * MS, answer("1"))
    late = pairing.pair("out", 4, 0, 3000 * MS + 1, answer("2"))
    assert said(in_time) == Said(1, 3000.0)
    assert said(late) == Said(2, 3000.000001, None, ("late",), "late: due within 3.0 s")


def test_a_clock_that_goes_back_makes_no_negative_latency() -> None:
    pairing = Pairing()
    pairing.pair("in", 1, 0, 5 * MS, ask("1"))
    assert pairing.pair("out", 2, 0, 4 * MS, answer("1")).latency_ns == 0


def test_an_answer_that_comes_before_an_older_questions_is_out_of_order() -> None:
    assert paired(
        ("in", ask("1")), ("in", ask("2")), ("out", answer("2")), ("out", answer("1"))
    ) == [NOTHING, NOTHING, Said(2, 1.0, None, ("out-of-order",)), Said(1, 3.0)]


def test_a_question_that_is_never_answered_is_overtaken_once_only() -> None:
    talk: list[tuple[Side, Meaning]] = [("in", ask("lost"))]
    for key in "123":
        talk += [("in", ask(key)), ("out", answer(key))]
    assert [it.flags for it in paired(*talk) if it.answers] == [("out-of-order",), (), ()]


def test_questions_of_the_other_side_have_an_order_of_their_own() -> None:
    assert paired(("out", ask("1")), ("in", ask("2")), ("out", answer("2")))[2] == Said(2, 1.0)


def test_nothing_is_out_of_order_because_of_a_question_that_was_cancelled() -> None:
    assert paired(
        ("in", ask("1")), ("in", ask("2")), ("in", cancel("in", "1")), ("out", answer("2"))
    ) == [NOTHING, NOTHING, Said(about=1), Said(2, 2.0)]


def test_an_answer_after_its_question_was_cancelled_is_flagged() -> None:
    assert paired(
        ("in", ask("1")), ("in", cancel("in", "1")), ("out", progress("in", "1")),
        ("out", answer("1")), ("out", answer("1")),
    ) == [
        NOTHING,
        Said(about=1),
        Said(about=1),
        Said(1, 3.0, None, ("after-cancel",)),
        Said(flags=("duplicate-answer",), note="a second answer to #1"),
    ]  # fmt: skip


def test_a_message_about_a_question_finds_it_before_and_after_its_answer() -> None:
    assert paired(
        ("in", ask("1")), ("out", progress("in", "1")), ("out", answer("1")),
        ("out", progress("in", "1")), ("in", cancel("in", "1")), ("out", progress("in", "2")),
    ) == [
        NOTHING, Said(about=1), Said(1, 2.0), Said(about=1), Said(about=1), NOTHING,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("key", "unsafe"),
    [
        ("9007199254740991", False),
        ("9007199254740992", True),
        ("-9007199254740991", False),
        ("-9007199254740992", True),
        ("1" * 5000, True),  # Python refuses to read so long a number
        ('"9007199254740992"', False),
        ("99999999999999999999999 of them", False),
        ("²" * 20, False),
    ],
)
def test_an_integer_that_some_peers_round_is_told(key: str, *, unsafe: bool) -> None:
    note = "id beyond 2^53: some peers round it"
    expected = Said(flags=("unsafe-id",), note=note) if unsafe else NOTHING
    assert paired(("in", ask(key))) == [expected]


def test_of_too_many_open_questions_the_oldest_are_forgotten_and_that_is_said() -> None:
    pairing = Pairing()
    for number in range(MOST_OPEN + 1):
        pairing.pair("in", number + 1, 0, 0, ask(str(number)))
    forgotten, oldest = (
        said(pairing.pair("out", MOST_OPEN + 2, 0, 0, answer(key))) for key in "01"
    )
    note = "answers no request that is remembered: more than 10,000 were open"
    assert forgotten == Said(flags=("unmatched",), note=note)
    assert oldest == Said(2, 0.0)


def test_second_answers_are_remembered_for_a_while() -> None:
    pairing = Pairing()
    for number in range(REMEMBERED + 1):
        pairing.pair("in", number + 1, 0, 0, ask(str(number)))
        pairing.pair("out", number + 1, 1, 0, answer(str(number)))
    first, second = (pairing.pair("out", 5000, 0, 0, answer(key)).meaning.note for key in "01")
    assert (first, second) == ("answers no request", "a second answer to #2")


def test_what_the_dialect_has_noted_stays_in_front() -> None:
    odd = Meaning("response", replies="1", flags=("error",), note="odd")
    assert paired(("in", Meaning("hello")), ("out", odd))[1] == Said(
        flags=("error", "unmatched"), note="odd; answers no request"
    )


Steps = Iterable[tuple[Side, str, bool]]


@given(st.lists(st.tuples(st.sampled_from(("in", "out")), st.sampled_from("abc"), st.booleans())))
def test_whatever_is_said_each_question_is_answered_once_by_the_other_side(steps: Steps) -> None:
    pairing = Pairing()
    open_questions: dict[tuple[Side, str], list[int]] = {}
    for number, (side, key, asks) in enumerate(steps, 1):
        meaning = ask(key) if asks else answer(key)
        question = pairing.pair(side, number, 0, number, meaning).answers
        if asks:
            open_questions.setdefault((side, key), []).append(number)
            assert question is None
        else:
            waiting = open_questions.get((OTHER[side], key))
            expected = waiting.pop(0) if waiting else None
            assert (None if question is None else question.frame) == expected
