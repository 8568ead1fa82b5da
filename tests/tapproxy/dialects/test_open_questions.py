"""What was asked and is not answered yet."""

from hypothesis import given
from hypothesis import strategies as st

from tapproxy.dialects.open_questions import MOST_OPEN, OpenQuestions


def test_a_question_is_found_until_it_is_taken() -> None:
    questions: OpenQuestions[str] = OpenQuestions()
    assert questions.ask("in", "1", "first") is None
    assert questions.find("in", "1") == "first"
    assert questions.take("in", "1") == "first"
    assert questions.find("in", "1") is None
    assert questions.take("in", "1") is None


def test_both_sides_may_use_the_same_key() -> None:
    questions: OpenQuestions[str] = OpenQuestions()
    questions.ask("in", "0", "the host's")
    assert questions.ask("out", "0", "the plugin's") is None
    assert questions.take("out", "0") == "the plugin's"
    assert questions.take("in", "0") == "the host's"


def test_a_key_that_is_open_already_is_told_and_answered_in_order() -> None:
    questions: OpenQuestions[str] = OpenQuestions()
    questions.ask("in", "1", "first")
    assert questions.ask("in", "1", "second") == "first"
    assert questions.take("in", "1") == "first"
    assert questions.take("in", "1") == "second"


def test_the_oldest_are_forgotten_when_there_are_too_many() -> None:
    questions: OpenQuestions[int] = OpenQuestions()
    for number in range(MOST_OPEN + 2):
        questions.ask("in", str(number), number)
    assert questions.find("in", "1") is None
    assert questions.oldest("in") == 2


def test_that_some_were_forgotten_is_known_of_each_side() -> None:
    questions: OpenQuestions[int] = OpenQuestions()
    for number in range(MOST_OPEN + 1):
        assert not questions.has_forgotten("in")
        questions.ask("in", str(number), number)
    assert (questions.has_forgotten("in"), questions.has_forgotten("out")) == (True, False)


def test_a_question_under_a_key_in_use_does_not_pass_for_the_oldest() -> None:
    questions: OpenQuestions[str] = OpenQuestions()
    for key, question in (("1", "first"), ("2", "second"), ("1", "third")):
        questions.ask("in", key, question)
    assert [questions.take("in", "1"), questions.oldest("in")] == ["first", "second"]


def test_there_is_no_oldest_question_before_the_first() -> None:
    questions: OpenQuestions[str] = OpenQuestions()
    assert questions.oldest("in") is None


@given(st.lists(st.tuples(st.booleans(), st.sampled_from("abc"))))
def test_each_key_is_answered_first_in_first_out(steps: list[tuple[bool, str]]) -> None:
    questions: OpenQuestions[int] = OpenQuestions()
    waiting: dict[str, list[int]] = {key: [] for key in "abc"}
    for number, (asks, key) in enumerate(steps):
        if asks:
            assert questions.ask("in", key, number) == (waiting[key][0] if waiting[key] else None)
            waiting[key].append(number)
        else:
            assert questions.take("in", key) == (waiting[key].pop(0) if waiting[key] else None)
