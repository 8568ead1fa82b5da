"""Finds, for what the live peer says, what the recorded peer said in its place."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, takewhile

from tapproxy.diffing.values import Unequal, differing
from tapproxy.replay.batches import items_of, key_of, reordered
from tapproxy.replay.levels import Level
from tapproxy.replay.spoken import UNKNOWN, Label, Spoken, digest, essence

NEAREST_TRIED = 50
"""Recorded messages that are looked at to name the one that is nearest to a live one."""

LARGEST_KEPT = 1 << 16
"""Bytes of a question that is remembered once it was asked, to be named so."""

MOST_DIFFERENCES = 100


@dataclass(frozen=True, slots=True)
class Match:
    """A live frame and the recorded one in whose place it stands."""

    recorded: Spoken
    differs: Unequal | None = None  # the first difference that matters


@dataclass(frozen=True, slots=True)
class Nearest:
    """The recorded question of the same method that differs least, and where."""

    recorded: Spoken
    differs: Unequal | None  # None: it is the same, but was asked already


class Matcher:
    """Knows what is still expected of the peer, in recorded order."""

    def __init__(self, volatile: Sequence[str], level: Level = "semantic") -> None:
        """`level`: the most lenient at which a question is taken for a recorded one.

        Other messages are taken for those of their kind and method, whatever is in them; what
        differs at that level is told.
        """
        self._volatile = tuple(volatile)
        self._level = level
        self._ids_may_differ = level == "method" or (level == "semantic" and "id" in volatile)
        self._waiting: dict[int, Spoken] = {}  # by number, in recorded order
        self._lanes: dict[Label, _Lane] = {}
        self._by_question: dict[int, list[Spoken]] = {}  # answers; a batch may have several
        self._asked: deque[Spoken] = deque(maxlen=NEAREST_TRIED)  # the last questions that came

    def __len__(self) -> int:
        return len(self._waiting)

    @property
    def first_number(self) -> int | None:
        """The number of the first that is expected."""
        return next(iter(self._waiting), None)

    def expect(self, recorded: Spoken) -> None:
        """Add what the recorded peer said next."""
        self._waiting[recorded.number] = recorded
        if recorded.answers is not None:
            self._by_question.setdefault(recorded.answers, []).append(recorded)
            return
        label = recorded.label
        lane = self._lanes.get(label)
        if lane is None:
            lane = self._lanes[label] = _Lane(self._key)
        lane.add(recorded)

    def match(self, live: Spoken) -> Match | None:
        """Take what the live peer said; None where nothing recorded is like it.

        `live.answers` is the number of the recorded question that it answers.
        """
        found, is_same = self._find(live)
        if found is None:
            return None
        self.take(found.number)
        if live.asks and len(found.body) <= LARGEST_KEPT:
            self._asked.append(found)
        return Match(found, None if is_same else self._difference(found, live))

    def take(self, number: int) -> Spoken | None:
        """Take an expected frame by its number, without comparing; None where it was taken."""
        found = self._waiting.pop(number, None)
        if found is None:
            return None
        if found.answers is not None:
            answers = self._by_question[found.answers]
            answers.remove(found)
            if not answers:
                del self._by_question[found.answers]
        else:
            self._lanes[found.label].remove(number)
        return found

    def nearest(self, live: Spoken) -> Nearest | None:
        """Return the recorded question of the same method that is most like a live one."""
        waiting = (it for it in self._waiting.values() if it.label == live.label)
        asked = (it for it in self._asked if it.label == live.label)
        best: tuple[int, Nearest] | None = None
        for recorded in (*islice(waiting, NEAREST_TRIED), *asked):
            unequal = self._unequal(recorded, live)
            if best is None or len(unequal) < best[0]:
                best = len(unequal), Nearest(recorded, unequal[0] if unequal else None)
        return None if best is None else best[1]

    def missing(self) -> Iterator[Spoken]:
        """Yield what was expected and has not come."""
        yield from self._waiting.values()

    def twins(self) -> Iterator[Spoken]:
        """Yield what is expected, where to be like it but for the id is to be the same."""
        return iter(self._waiting.values() if self._ids_may_differ else ())

    def _find(self, live: Spoken) -> tuple[Spoken | None, bool]:
        """Return what was recorded in the place of a live frame, and whether they are the same."""
        twin = self._waiting.get(live.twin or 0)
        if twin is not None:
            return twin, True
        if live.answers is not None:
            answers = self._by_question.get(live.answers, [])
            usual = answers[0] if answers else None
            answer = next((it for it in answers if it.id == live.id), usual)
            return answer, answer is not None and answer.body == live.body
        lane = self._lanes.get(live.label)
        if lane is None:
            return None, False
        found = lane.same(live)
        if found is not None:
            return found, True
        is_enough = self._level == "method" and live.asks
        return (lane.first(), is_enough) if is_enough or not live.asks else (None, False)

    def _key(self, spoken: Spoken) -> bytes:
        """Return what is the same for messages that are, at our level."""
        if self._level == "exact":
            return digest(spoken.body)
        if self._level == "canonical":
            return digest(spoken.value())
        items = items_of(spoken, self._volatile)
        return digest(essence(spoken, self._volatile)) if items is None else key_of(items)

    def _difference(self, recorded: Spoken, live: Spoken) -> Unequal | None:
        if UNKNOWN in (recorded.kind, live.kind) or None in (recorded.kind, live.kind):
            return Unequal("", recorded.body, live.body)
        unequal = self._unequal(recorded, live)
        return unequal[0] if unequal else None

    def _unequal(self, recorded: Spoken, live: Spoken) -> list[Unequal]:
        """Return where two differ at our level; nothing where they are the same there."""
        volatile = () if self._level in ("exact", "canonical") else self._volatile
        one, other = (items_of(it, volatile) for it in (recorded, live))
        if one is None or other is None:
            one, other = essence(recorded, volatile), essence(live, volatile)
        elif volatile:
            other = reordered(one, other)
        unequal = list(islice(differing(one, other), MOST_DIFFERENCES))
        if not unequal and self._level == "exact" and recorded.body != live.body:
            return [Unequal("", recorded.body, live.body)]
        return unequal


class _Lane:
    """What is expected of one kind and method.

    Keys cost more than all else, so they are not made while all comes as it was recorded, to the
    byte and in its order.
    """

    def __init__(self, key: Callable[[Spoken], bytes]) -> None:
        self._key = key
        self._waiting: dict[int, Spoken] = {}  # by number, in recorded order
        self._keys: dict[int, bytes] = {}
        self._by_key: dict[bytes, dict[int, None]] = {}
        self._keyed_to = 0  # the last number that has got a key

    def add(self, recorded: Spoken) -> None:
        self._waiting[recorded.number] = recorded

    def first(self) -> Spoken | None:
        return next(iter(self._waiting.values()), None)

    def same(self, live: Spoken) -> Spoken | None:
        """Return the first that is the same."""
        first = self.first()
        if first is None or first.body == live.body:
            return first
        self._make_keys()
        numbers = self._by_key.get(self._key(live))
        return self._waiting[next(iter(numbers))] if numbers else None

    def remove(self, number: int) -> None:
        del self._waiting[number]
        key = self._keys.pop(number, None)
        if key is not None:
            numbers = self._by_key[key]
            del numbers[number]
            if not numbers:
                del self._by_key[key]

    def _make_keys(self) -> None:
        """Make the keys that are not there yet."""
        news = list(takewhile(lambda number: number > self._keyed_to, reversed(self._waiting)))
        for number in reversed(news):
            key = self._keys[number] = self._key(self._waiting[number])
            self._by_key.setdefault(key, {})[number] = None
        self._keyed_to = max([self._keyed_to, *news[:1]])
