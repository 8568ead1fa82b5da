"""Which answer belongs to which question: by key, per direction, in one pass over the messages."""

from collections import OrderedDict
from typing import NamedTuple

from tapproxy.dialects.api import Meaning, Side
from tapproxy.dialects.open_questions import MOST_OPEN, OpenQuestions

OTHER: dict[Side, Side] = {"in": "out", "out": "in"}

REMEMBERED = 1000
"""Answered questions of each side that a second answer can still be told by."""

SAFE = (1 << 53) - 1
"""The largest integer that every peer keeps: JavaScript's Number.MAX_SAFE_INTEGER."""

_SAFE_DIGITS = len(str(SAFE)) - 1

_new = tuple.__new__  # half the cost of Question(...) and Paired(...): one for every message


class Question(NamedTuple):
    """Something asked that may be answered."""

    frame: int  # its number
    part: int
    method: str | None
    t_ns: int  # since the session's start, nanoseconds
    within_ns: int | None


class Paired(NamedTuple):
    """A meaning, and what the messages before it add to it."""

    meaning: Meaning
    answers: Question | None = None
    latency_ns: int | None = None
    about: int | None = None  # the frame of the question that it concerns


class Pairing:
    """Remembers what both sides have asked."""

    def __init__(self) -> None:
        self._open: OpenQuestions[Question] = OpenQuestions()
        self._withdrawn: OpenQuestions[Question] = OpenQuestions()  # cancelled: no answer is due
        self._answered: dict[Side, OrderedDict[str, int]] = {
            "in": OrderedDict(),
            "out": OrderedDict(),
        }
        self._overtaken: dict[Side, Question | None] = {"in": None, "out": None}
        self._heard: set[Side] = set()

    def pair(self, side: Side, frame: int, part: int, t_ns: int, meaning: Meaning) -> Paired:
        """Take a message in its order; return it with its question, if it answers one."""
        _, method, _, _, asks, replies, concerns, cancels, within_ns, _, _, _, _ = meaning
        self._heard.add(side)
        about = question = latency_ns = None
        if concerns is not None:
            about = self._concern(*concerns, cancels=cancels)
        if replies is not None:
            question, meaning = self._answer(OTHER[side], replies, meaning)
            if question is not None:
                latency_ns = max(t_ns - question.t_ns, 0)
                meaning = _timed(meaning, latency_ns, question.within_ns)
        if asks is not None:
            asked = _new(Question, (frame, part, method, t_ns, within_ns))
            meaning = self._ask(side, asks, asked, meaning)
        return _new(Paired, (meaning, question, latency_ns, about))

    def _ask(self, side: Side, key: str, question: Question, meaning: Meaning) -> Meaning:
        earlier = self._open.ask(side, key, question)
        if earlier is not None:
            note = f"asked again before #{earlier.frame} was answered"
            meaning = _noted(meaning, note, "duplicate-id")
        if len(key) > _SAFE_DIGITS and _is_unsafe(key):
            meaning = _noted(meaning, "id beyond 2^53: some peers round it", "unsafe-id")
        return meaning

    def _concern(self, side: Side, key: str, *, cancels: bool) -> int | None:
        """Return the frame of a question that a message is about, if it is known."""
        question = self._open.find(side, key)
        if question is None:
            question = self._withdrawn.find(side, key)
            return self._answered[side].get(key) if question is None else question.frame
        if cancels:
            self._open.take(side, key)
            self._withdrawn.ask(side, key, question)
        return question.frame

    def _answer(self, asker: Side, key: str, meaning: Meaning) -> tuple[Question | None, Meaning]:
        question = self._open.take(asker, key)
        if question is not None:
            oldest = self._open.oldest(asker)
            if oldest is not None and self._overtakes(asker, question, oldest):
                meaning = _flagged(meaning, "out-of-order")
        else:
            question = self._withdrawn.take(asker, key)
            if question is None:
                return None, self._unmatched(asker, meaning, key)
            meaning = _flagged(meaning, "after-cancel")
        self._remember(asker, key, question.frame)
        return question, meaning

    def _overtakes(self, asker: Side, question: Question, oldest: Question) -> bool:
        """Tell of each question once that an answer came before its own: it may never come."""
        if oldest is self._overtaken[asker] or oldest > question:
            return False
        self._overtaken[asker] = oldest
        return True

    def _unmatched(self, asker: Side, meaning: Meaning, key: str) -> Meaning:
        earlier = self._answered[asker].get(key)
        if earlier is not None:
            return _noted(meaning, f"a second answer to #{earlier}", "duplicate-answer")
        other = key[1:-1] if key.startswith('"') else f'"{key}"'
        question = self._open.find(asker, other)
        if question is not None:
            note = f"answers no request: #{question.frame} asked with {other}, not {key}"
            return _noted(meaning, note, "id-type")
        if self._open.has_forgotten(asker):
            note = f"answers no request that is remembered: more than {MOST_OPEN:,} were open"
            return _noted(meaning, note, "unmatched")
        if asker in self._heard:
            return _noted(meaning, "answers no request", "unmatched")
        return _flagged(meaning, "unmatched")  # a log of one side

    def _remember(self, asker: Side, key: str, frame: int) -> None:
        answered = self._answered[asker]
        answered.pop(key, None)
        answered[key] = frame
        if len(answered) > REMEMBERED:
            answered.popitem(last=False)


def _timed(meaning: Meaning, latency_ns: int, within_ns: int | None) -> Meaning:
    if within_ns is None or latency_ns <= within_ns:
        return meaning
    return _noted(meaning, f"late: due within {within_ns / 1e9:.1f} s", "late")


def _flagged(meaning: Meaning, flag: str) -> Meaning:
    return meaning._replace(flags=(*meaning.flags, flag))


def _noted(meaning: Meaning, note: str, flag: str) -> Meaning:
    notes = f"{meaning.note}; {note}" if meaning.note else note
    return meaning._replace(note=notes, flags=(*meaning.flags, flag))


def _is_unsafe(key: str) -> bool:
    """Tell whether a key is an integer that JavaScript, and others with it, would round."""
    digits = key.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()):
        return False
    return len(digits) > _SAFE_DIGITS + 1 or int(digits) > SAFE
