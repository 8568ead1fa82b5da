"""Two sessions beside each other: which messages are the same, and where they differ."""

from collections import defaultdict
from typing import Literal, NamedTuple

from tapproxy.diffing.lanes import OTHER, Lane, Lanes, Place
from tapproxy.diffing.pairs import How, pair
from tapproxy_store.records import STREAMS, Stream

Recording = Literal["a", "b"]
Order = tuple[int, int, int]
"""By which differences are sorted: frame in A, whether it is after that one, frame in B."""


class Found(NamedTuple):
    """A difference."""

    how: How
    stream: Stream
    a: Place | None
    b: Place | None
    order: Order
    answer: int = 0  # of a question without a counterpart: frame of its answer, if that has none


class Aligned(NamedTuple):
    """What a comparison of two sessions comes to."""

    same: int  # messages, answers too
    found: list[Found]  # in the order of A


class _LoneAnswer(NamedTuple):
    """An answer in one recording; in the other its question has none, or is not there."""

    recording: Recording
    key: int
    frame: int
    found: Found
    question: Place | None  # of the question, where that has no counterpart


def align(a: Lanes, b: Lanes) -> Aligned:
    """Align two sessions; answers are compared with the answer to the same question."""
    alignment = _Alignment()
    for stream in STREAMS:
        alignment.add(stream, a[stream], b[stream])
    return alignment.finish()


class _Alignment:
    def __init__(self) -> None:
        self._same = 0
        self._found: list[Found] = []
        self._only: dict[tuple[Recording, Place], Found] = {}  # without a counterpart
        self._by_key: dict[tuple[Recording, Stream, int], list[Place]] = defaultdict(list)
        self._lone: list[_LoneAnswer] = []

    def add(self, stream: Stream, a: Lane, b: Lane) -> None:
        """Compare what one side says in both sessions, and what it was answered."""
        paired = pair(a, b)
        for run in paired.same:
            answers = sum(1 for key in a.answer_keys[run.a : run.a + run.length] if key)
            self._same += run.length + answers
        for it in paired.pairs:
            before = a.frames[it.after] if it.after >= 0 else 0
            if it.b is None:
                self._add_only(_Asked("a", stream, a, it.a or 0, (before, 0, 0)))
            elif it.a is None:
                self._add_only(_Asked("b", stream, b, it.b, (before, 1, b.frames[it.b])))
            else:
                order = (before, 1, b.frames[it.b])
                one = _Asked("a", stream, a, it.a, order)
                self._add_both(it.how, one, _Asked("b", stream, b, it.b, order))

    def finish(self) -> Aligned:
        """Find answers that have lost their question among what seemed to be there only once."""
        for lone in self._lone:
            other: Recording = "b" if lone.recording == "a" else "a"
            equals = self._by_key[other, lone.found.stream, lone.key]
            if equals:
                del self._only[other, equals.pop()]
                self._same += 1
            elif not self._went_with_its_question(lone):
                self._found.append(lone.found)
        found = sorted((*self._found, *self._only.values()), key=lambda it: it.order)
        return Aligned(self._same, found)

    def _went_with_its_question(self, lone: _LoneAnswer) -> bool:
        if lone.question is None or (lone.recording, lone.question) not in self._only:
            return False
        place = lone.recording, lone.question
        self._only[place] = self._only[place]._replace(answer=lone.frame)
        return True

    def _add_both(self, how: How, a: "_Asked", b: "_Asked") -> None:
        if how == "same":
            self._same += 1
        else:
            self._found.append(_both(how, a.stream, a.place, b.place))
        if not a.answer_key or not b.answer_key:
            self._add_answer(a if a.answer_key else b, None)
        elif a.answer_key == b.answer_key:
            self._same += 1
        else:
            answers = a.lane.answer_place(a.at), b.lane.answer_place(b.at)
            self._found.append(_both("changed", OTHER[a.stream], *answers))

    def _add_only(self, it: "_Asked") -> None:
        self._only[it.recording, it.place] = _one(it.recording, it.stream, it.place, it.order)
        self._by_key[it.recording, it.stream, it.lane.keys[it.at]].append(it.place)
        self._add_answer(it, it.place)

    def _add_answer(self, it: "_Asked", question: Place | None) -> None:
        """Keep the answer, if there is one, that the other session does not have here."""
        if it.answer_key:
            place = it.lane.answer_place(it.at)
            found = _one(it.recording, OTHER[it.stream], place, it.order)
            answer = _LoneAnswer(it.recording, it.answer_key, place.frame, found, question)
            self._lone.append(answer)


class _Asked(NamedTuple):
    """A message in its lane, and where a difference in it is told."""

    recording: Recording
    stream: Stream
    lane: Lane
    at: int  # index
    order: Order

    @property
    def place(self) -> Place:
        return self.lane.place(self.at)

    @property
    def answer_key(self) -> int:
        return self.lane.answer_keys[self.at]


def _both(how: How, stream: Stream, a: Place, b: Place) -> Found:
    return Found(how, stream, a, b, (a.frame, 0, b.frame))


def _one(recording: Recording, stream: Stream, place: Place, order: Order) -> Found:
    is_a = recording == "a"
    return Found("only", stream, place if is_a else None, None if is_a else place, order)
