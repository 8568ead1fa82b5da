"""What was asked and is not answered yet."""

from hypothesis import given
from hypothesis import strategies as st

from tapproxy.dialects.open_questions import MOST_OPEN, OpenQuestions


def test_a_question_is_found_until_it_is_taken() -> None:
    questions: OpenQuestions[str] = OpenQuestions()
    assert questions.ask("in", "1", "first") is False
    assert questions.find("in", "1") == "first"
    assert questions.take("in", "1") == "first"
    assert questions.find("in", "1") is None
    assert questions.take("in", "1") is None


def test_both_sides_may_use_the_same_key() -> None:
    questions: OpenQuestions[str] = OpenQuestions()
    questions.ask("in", "0", "the host's")
    assert questions.ask("out", "0", "the plugin's") is False
    assert questions.take("out", "0") == "the plugin's"
    assert questions.take("in", "0") == "the host's"


def test_a_key_that_is_open_already_is_told_and_answered_in_order() -> None:
    questions: OpenQuestions[str] = OpenQuestions()
    questions.ask("in", "1", "first")
    assert questions.ask("in", "1", "second") is True
    assert questions.take("in", "1") == "first"
    assert questions.take("in", "1") == "second"


def test_the_oldest_are_forgotten_when_there_are_too_many() -> None:
    questions: OpenQuestions[int] = OpenQuestions()
    for number in range(MOST_OPEN + 2):
        questions.ask("in", str(number), number)
    assert questions.find("in", "1") is None
    assert questions.oldest("in") == 2


def test_there_is_no_oldest_question_before_the_first() -> None:
    questions: OpenQuestions[str] = OpenQuestions()
    assert questions.oldest("in") is None


@given(st.lists(st.tuples(st.booleans(), st.sampled_from("abc"))))
def test_each_key_is_answered_first_in_first_out(steps: list[tuple[bool, str]]) -> None:
    questions: OpenQuestions[int] = OpenQuestions()
    waiting: dict[str, list[int]] = {key: [] for key in "abc"}
    for number, (asks, key) in enumerate(steps):
        if asks:
            assert questions.ask("in", key, number) is bool(waiting[key])
            waiting[key].append(number)
        else:
            assert questions.take("in", key) == (waiting[key].pop(0) if waiting[key] else None)
