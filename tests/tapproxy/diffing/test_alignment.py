"""Messages find their counterparts: removing one makes one difference, and swapping swaps."""

from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from tapproxy.diffing.alignment import Aligned, Found, align
from tapproxy.diffing.lanes import OTHER, Lanes, Place, Said
from tapproxy_store.records import Stream


class Told(NamedTuple):
    """A message of a conversation: what it says, and which one it answers."""

    stream: Stream
    key: int
    asks: bool = False
    answers: int | None = None  # the number of the question, from 1

    def moved(self, removed: int) -> "Told":
        """Return it as it is once the message of that number is not there."""
        if self.answers == removed:
            return self._replace(answers=None)
        later = self.answers is not None and self.answers > removed
        return self._replace(answers=(self.answers or 0) - 1) if later else self


def lanes_of(conversation: list[Told]) -> Lanes:
    lanes = Lanes()
    for number, it in enumerate(conversation, 1):
        answers = None if it.answers is None else Place(it.answers, 0)
        lanes.add(it.stream, Said(Place(number, 0), it.key, it.key % 3, it.asks, answers))
    return lanes


def aligned(a: list[Told], b: list[Told]) -> Aligned:
    return align(lanes_of(a), lanes_of(b))


def without(conversation: list[Told], number: int) -> list[Told]:
    rest = conversation[: number - 1] + conversation[number:]
    return [it.moved(number) for it in rest]


@st.composite
def conversations(draw: st.DrawFn) -> list[Told]:
    """Draw questions of both sides, their answers in any order, and what is only told."""
    told: list[Told] = []
    open_questions: list[int] = []
    for _ in range(draw(st.integers(0, 16))):
        stream: Stream = draw(st.sampled_from(("in", "out")))
        what = draw(st.sampled_from(("asks", "answers", "tells")))
        if what == "asks":
            open_questions.append(len(told) + 1)
            told.append(Told(stream, draw(st.integers(1, 4)), asks=True))
        elif what == "answers" and open_questions:
            question = draw(st.sampled_from(open_questions))
            open_questions.remove(question)
            side = OTHER[told[question - 1].stream]
            told.append(Told(side, draw(st.integers(11, 14)), answers=question))
        else:
            told.append(Told(stream, draw(st.integers(21, 24))))
    return told


def mirrored(found: Found) -> Found:
    return found._replace(a=found.b, b=found.a, order=(0, 0, 0))


@given(conversations())
def test_a_conversation_does_not_differ_from_itself(told: list[Told]) -> None:
    assert aligned(told, told) == Aligned(len(told), [])


@given(conversations(), conversations())
def test_swapping_two_conversations_swaps_their_differences(a: list[Told], b: list[Told]) -> None:
    there, back = aligned(a, b), aligned(b, a)
    assert there.same == back.same
    expected = sorted(map(repr, map(mirrored, back.found)))
    assert sorted(repr(it._replace(order=(0, 0, 0))) for it in there.found) == expected


@given(conversations(), st.data())
def test_removing_one_message_makes_exactly_one_difference(
    told: list[Told], data: st.DataObject
) -> None:
    if not told:
        return
    number = data.draw(st.integers(1, len(told)))
    found = aligned(told, without(told, number)).found
    assert [(it.how, it.b) for it in found] == [("only", None)]


def test_an_answer_is_compared_with_the_answer_to_the_same_question() -> None:
    a = [Told("in", 1, asks=True), Told("in", 2, asks=True), Told("out", 11, answers=1)]
    b = [*a, Told("out", 12, answers=2)]
    late = [*a[:2], Told("out", 12, answers=2), Told("out", 11, answers=1)]
    assert aligned(b, late) == Aligned(4, [])
    other = [*a, Told("out", 13, answers=2)]
    assert aligned(b, other) == Aligned(
        3, [Found("changed", "out", Place(4, 0), Place(4, 0), (4, 0, 4))]
    )


def test_a_question_that_is_there_once_takes_its_answer_along() -> None:
    asked = [Told("in", 1, asks=True), Told("out", 11, answers=1)]
    assert aligned(asked, []).found == [Found("only", "in", Place(1, 0), None, (1, 0, 0), answer=2)]


def test_what_is_said_at_another_point_has_moved_and_what_is_alike_has_changed() -> None:
    a = [Told("out", key) for key in (21, 22, 30, 31, 32)]
    b = [Told("out", key) for key in (22, 30, 31, 21, 35)]
    assert [(it.how, it.a, it.b) for it in aligned(a, b).found] == [
        ("moved", Place(1, 0), Place(4, 0)),
        ("changed", Place(5, 0), Place(5, 0)),
    ]
