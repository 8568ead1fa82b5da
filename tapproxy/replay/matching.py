"""Finds, for what the live peer says, what the recorded peer said in its place."""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from tapproxy.diffing.values import Unequal, differing
from tapproxy.replay.spoken import UNKNOWN, Spoken, digest, essence

Level = Literal["exact", "canonical", "semantic", "method"]

LEVELS: tuple[Level, ...] = ("exact", "canonical", "semantic", "method")
"""From strict to lenient: the same bytes, the same JSON, the same but for volatile values, the same
kind and method."""

NEAREST_TRIED = 50
"""Recorded messages that are looked at to name the one that is nearest to a live one."""

MOST_DIFFERENCES = 100


@dataclass(frozen=True, slots=True)
class Match:
    """A live frame and the recorded one in whose place it stands."""

    recorded: Spoken
    level: Level  # the strictest at which they are the same
    differs: Unequal | None = None  # the first difference, where they are the same in method only


@dataclass(frozen=True, slots=True)
class Nearest:
    """The recorded message of the same method that differs least, and where."""

    recorded: Spoken
    differs: Unequal


class Matcher:
    """Knows what is still expected of the peer, in recorded order."""

    def __init__(self, volatile: Sequence[str], level: Level = "semantic") -> None:
        """`level`: the most lenient at which a question is taken for a recorded one."""
        self._volatile = tuple(volatile)
        self._level = level
        self._waiting: dict[int, Spoken] = {}  # by number, in recorded order
        self._by_essence: dict[bytes, deque[int]] = {}
        self._by_label: dict[tuple[str, str | None, str | None], deque[int]] = {}
        self._by_question: dict[int, int] = {}
        self._known: deque[Spoken] = deque(maxlen=NEAREST_TRIED)  # questions that were matched

    def __len__(self) -> int:
        return len(self._waiting)

    def expect(self, recorded: Spoken) -> None:
        """Add what the recorded peer said next."""
        number = recorded.number
        self._waiting[number] = recorded
        if recorded.answers is not None:
            self._by_question[recorded.answers] = number
            return
        key = self._key(recorded)
        self._by_essence.setdefault(key, deque()).append(number)
        self._by_label.setdefault(recorded.label, deque()).append(number)

    def match(self, live: Spoken) -> Match | None:
        """Take what the live peer said; None where nothing recorded is like it.

        `live.answers` is the number of the recorded question that it answers.
        """
        if live.answers is not None:
            return self._matched(self._by_question.pop(live.answers, None), live)
        number = self._first(self._by_essence.get(self._key(live)))
        if number is None and not (live.asks and self._level != "method"):
            number = self._first(self._by_label.get(live.label))
        found = self._matched(number, live)
        if found is not None and live.asks:
            self._known.append(found.recorded)
        return found

    def take(self, number: int) -> Spoken | None:
        """Take an expected frame by its number, without comparing; None where it was taken."""
        found = self._waiting.pop(number, None)
        if found is not None and found.answers is not None:
            self._by_question.pop(found.answers, None)
        return found

    def nearest(self, live: Spoken) -> Nearest | None:
        """Return the recorded question of the same method that is most like a live one."""
        waiting = (it for it in self._waiting.values() if it.label == live.label)
        candidates = [*islice(waiting, NEAREST_TRIED), *self._known]
        best: tuple[int, Nearest] | None = None
        for recorded in candidates:
            if recorded.label != live.label:
                continue
            unequal = self._unequal(recorded, live)
            if unequal and (best is None or len(unequal) < best[0]):
                best = len(unequal), Nearest(recorded, unequal[0])
        return None if best is None else best[1]

    def missing(self) -> Iterator[Spoken]:
        """Yield what was expected and has not come."""
        yield from self._waiting.values()

    def _key(self, spoken: Spoken) -> bytes:
        label = f"{spoken.stream}\0{spoken.kind}\0{spoken.method}\0".encode("utf-8", "replace")
        return label + digest(essence(spoken, self._volatile))

    def _first(self, numbers: deque[int] | None) -> int | None:
        """Take the first number that still waits."""
        while numbers:
            number = numbers.popleft()
            if number in self._waiting:
                return number
        return None

    def _matched(self, number: int | None, live: Spoken) -> Match | None:
        recorded = self._waiting.pop(number, None) if number is not None else None
        if recorded is None:
            return None
        if recorded.body == live.body:
            return Match(recorded, "exact")
        if recorded.kind in (None, UNKNOWN) or live.kind in (None, UNKNOWN):
            return Match(recorded, "method", Unequal("", recorded.body, live.body))
        if digest(recorded.value()) == digest(live.value()):
            return Match(recorded, "canonical")
        unequal = self._unequal(recorded, live)
        if not unequal:
            return Match(recorded, "semantic")
        return Match(recorded, "method", unequal[0])

    def _unequal(self, recorded: Spoken, live: Spoken) -> list[Unequal]:
        one, other = essence(recorded, self._volatile), essence(live, self._volatile)
        return list(islice(differing(one, other), MOST_DIFFERENCES))
