"""Which answer belongs to which question: by key, per direction, in one pass over the messages."""

from typing import NamedTuple

from tapproxy.dialects.api import Meaning, Side
from tapproxy.dialects.open_questions import OpenQuestions

OTHER: dict[Side, Side] = {"in": "out", "out": "in"}

REMEMBERED = 1000
"""Answered questions of each side that a second answer can still be told by."""

SAFE = (1 << 53) - 1
"""The largest integer that every peer keeps: JavaScript's Number.MAX_SAFE_INTEGER."""

_SAFE_DIGITS = len(str(SAFE)) - 1


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
        self._answered: dict[Side, dict[str, int]] = {"in": {}, "out": {}}
        self._heard: set[Side] = set()

    def pair(self, side: Side, frame: int, part: int, t_ns: int, meaning: Meaning) -> Paired:
        """Take a message in its order; return it with its question, if it answers one."""
        self._heard.add(side)
        about = None
        if meaning.about is not None:
            about = self._concern(*meaning.about, cancels=meaning.cancels)
        if meaning.replies is not None:
            return self._answer(side, t_ns, meaning, meaning.replies, about)
        if meaning.asks is not None:
            question = Question(frame, part, meaning.method, t_ns, meaning.within_ns)
            meaning = self._ask(side, meaning, meaning.asks, question)
        return Paired(meaning, about=about)

    def _ask(self, side: Side, meaning: Meaning, key: str, question: Question) -> Meaning:
        earlier = self._open.find(side, key)
        self._open.ask(side, key, question)
        if earlier is not None:
            note = f"id {key} is in use: #{earlier.frame} is not answered yet"
            meaning = _noted(meaning, note, "duplicate-id")
        if len(key) > _SAFE_DIGITS and key.lstrip("-").isdigit() and abs(int(key)) > SAFE:
            meaning = _noted(meaning, "id beyond 2^53: some peers round it", "unsafe-id")
        return meaning

    def _concern(self, side: Side, key: str, *, cancels: bool) -> int | None:
        question = self._open.find(side, key)
        if question is None:
            return self._answered[side].get(key)
        if cancels:
            self._open.take(side, key)
            self._withdrawn.ask(side, key, question)
        return question.frame

    def _answer(
        self, side: Side, t_ns: int, meaning: Meaning, key: str, about: int | None
    ) -> Paired:
        asker = OTHER[side]
        oldest = self._open.oldest(asker)
        question = self._open.take(asker, key)
        if question is None:
            question = self._withdrawn.take(asker, key)
            if question is None:
                return Paired(self._unmatched(asker, meaning, key), about=about)
            meaning = meaning._replace(flags=(*meaning.flags, "after-cancel"))
        elif oldest is not question:
            meaning = meaning._replace(flags=(*meaning.flags, "out-of-order"))
        self._remember(asker, key, question.frame)
        latency_ns = max(t_ns - question.t_ns, 0)
        if question.within_ns is not None and latency_ns > question.within_ns:
            meaning = _noted(meaning, f"late: due within {_seconds(question.within_ns)}", "late")
        if meaning.method is None:
            meaning = meaning._replace(method=question.method)
        return Paired(meaning, question, latency_ns, about)

    def _unmatched(self, asker: Side, meaning: Meaning, key: str) -> Meaning:
        earlier = self._answered[asker].get(key)
        if earlier is not None:
            return _noted(meaning, f"a second answer to #{earlier}", "duplicate-answer")
        other = key[1:-1] if key.startswith('"') else f'"{key}"'
        question = self._open.find(asker, other)
        if question is not None:
            note = f"answers no request: #{question.frame} asked with {other}, not {key}"
            return _noted(meaning, note, "id-type")
        if asker in self._heard:
            return _noted(meaning, "answers no request", "unmatched")
        return meaning._replace(flags=(*meaning.flags, "unmatched"))  # a log of one side

    def _remember(self, asker: Side, key: str, frame: int) -> None:
        answered = self._answered[asker]
        answered.pop(key, None)
        answered[key] = frame
        if len(answered) > REMEMBERED:
            del answered[next(iter(answered))]


def _noted(meaning: Meaning, note: str, flag: str) -> Meaning:
    notes = f"{meaning.note}; {note}" if meaning.note else note
    return meaning._replace(note=notes, flags=(*meaning.flags, flag))


def _seconds(ns: int) -> str:
    return f"{ns / 1e9:.1f} s"
