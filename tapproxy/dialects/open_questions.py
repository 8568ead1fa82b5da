"""Remembers what was asked and is not answered yet, within a bound."""

from collections import OrderedDict
from typing import Generic, TypeVar

from tapproxy.dialects.api import Side

MOST_OPEN = 10_000
"""Questions of each side; of more, the oldest are forgotten, so that memory stays flat."""

T = TypeVar("T")


class OpenQuestions(Generic[T]):
    """What each side has asked, by key, oldest first; several under one key are kept in order."""

    def __init__(self) -> None:
        # Ordered: a plain dict looks for its first key among all those that were removed before.
        self._open: dict[Side, OrderedDict[str, list[T]]] = {
            "in": OrderedDict(),
            "out": OrderedDict(),
        }
        self._count: dict[Side, int] = {"in": 0, "out": 0}
        self._forgetful: set[Side] = set()

    def ask(self, side: Side, key: str, question: T) -> T | None:
        """Remember a question; return the oldest one with the same key that is open already."""
        questions = self._open[side]
        self._count[side] += 1
        if self._count[side] > MOST_OPEN:
            self.take(side, next(iter(questions)))
            self._forgetful.add(side)
        there = questions.get(key)
        if there is not None:
            there.append(question)
            return there[0]
        questions[key] = [question]
        return None

    def find(self, side: Side, key: str) -> T | None:
        """Return the oldest open question with that key, if there is one."""
        there = self._open[side].get(key)
        return there[0] if there else None

    def take(self, side: Side, key: str) -> T | None:
        """Return it, and forget it: it is answered."""
        questions = self._open[side]
        there = questions.get(key)
        if there is None:
            return None
        self._count[side] -= 1
        if len(there) == 1:
            del questions[key]
            return there[0]
        questions.move_to_end(key)
        return there.pop(0)

    def oldest(self, side: Side) -> T | None:
        """Return the question that has waited longest, if any is open."""
        first = next(iter(self._open[side].values()), None)
        return first[0] if first else None

    def has_forgotten(self, side: Side) -> bool:
        """Tell whether a side has ever had more questions open than are remembered."""
        return side in self._forgetful
