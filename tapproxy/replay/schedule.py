"""When each step of a script is due: counts down what it waits for, keeps what is ready in order.

Times are those of the injected clock, in nanoseconds. At pace 0 nothing is waited for but the peer,
and the recorded order is kept as long as the peer keeps it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from heapq import heappop, heappush

from tapproxy.replay.script import Expected, Item, Step

WINDOW = 512
"""Items of the script that are held beyond the first that is not done."""

GRACE_NS = 50_000_000
"""At pace 0: how long a step that is ready waits for what was before it in the recording."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast recorded delays go by."""

    times: float = 1.0  # as fast; 0: no waiting
    max_gap_ns: int | None = None  # no delay is longer, nanoseconds

    def scaled(self, delay_ns: int) -> int:
        """Return how long a recorded delay takes now."""
        if self.times == 0:
            return 0
        scaled = int(delay_ns / self.times)
        return scaled if self.max_gap_ns is None else min(scaled, self.max_gap_ns)


AS_RECORDED = Pace()


@dataclass(slots=True)
class _Pending:
    step: Step
    open: int  # things that it waits for
    due_ns: int


@dataclass(slots=True)
class Schedule:
    """Fed with what has happened; says what is to be done next, and when."""

    items: Iterator[Item]
    pace: Pace
    started_ns: int
    _pending: dict[int, _Pending] = field(default_factory=dict)
    _expected: dict[int, Expected] = field(default_factory=dict)
    _waiters: dict[int, list[int]] = field(default_factory=dict)
    _done: dict[int, int] = field(default_factory=dict)  # when, of the items that may be waited for
    _ready: list[tuple[int, int]] = field(default_factory=list)  # due, number; a heap
    _exhausted: bool = False
    _last_number: int = 0
    _passed: int = 0  # what is open up to this number is not waited for any more
    _last_done: tuple[int, int] = (0, 0)  # recorded and live time of the last item that was done

    def pull(self) -> list[Expected]:
        """Read the script on, as far as it is needed; return what is newly expected of the peer."""
        found: list[Expected] = []
        while not self._exhausted and len(self._expected) + len(self._pending) < WINDOW:
            item = next(self.items, None)
            if item is None:
                self._exhausted = True
                break
            self._last_number = item.number
            if isinstance(item, Expected):
                self._expected[item.number] = item
                found.append(item)
            else:
                self._add(item)
        return found

    def done(self, number: int, t_ns: int) -> None:
        """Take note that an item has happened."""
        pending = self._pending.pop(number, None)
        expected = self._expected.pop(number, None)
        recorded = pending.step.t_ns if pending else expected.t_ns if expected else 0
        self._last_done = max(self._last_done, (recorded, t_ns))
        self._done[number] = t_ns
        for waiter in self._waiters.pop(number, ()):
            self._release(waiter, number, t_ns)
        self._forget()

    def next(self, now_ns: int, last_heard_ns: int) -> Step | int | None:
        """Return the step that is due, or else when the next one is, or None: a peer is awaited."""
        if not self._ready:
            return None
        due_ns, number = self._ready[0]
        if self.pace.times == 0 and number > self._first_open():
            due_ns = max(due_ns, last_heard_ns + GRACE_NS)
        if due_ns > now_ns:
            return due_ns
        heappop(self._ready)
        self._passed = max(self._passed, number - 1)
        return self._pending[number].step

    def postpone(self, step: Step, until_ns: int) -> None:
        """Have a step that was due come again, not before the instant."""
        heappush(self._ready, (until_ns, step.number))

    @property
    def is_over(self) -> bool:
        """Whether every step has been taken."""
        return self._exhausted and not self._pending

    def awaited(self) -> tuple[Step, Expected | None] | None:
        """Return the first step that is not taken, and the first thing that it waits for."""
        if not self._pending:
            return None
        first = self._pending[min(self._pending)]
        waits = sorted(it.number for it in first.step.waits if it.number in self._expected)
        return first.step, self._expected[waits[0]] if waits else None

    def patience_from(self) -> int:
        """Return when what is awaited was due by the recording's own pace, nanoseconds."""
        recorded, live = self._last_done
        awaited = self.awaited()
        if awaited is None or awaited[1] is None:
            return live
        return live + self.pace.scaled(max(awaited[1].t_ns - recorded, 0))

    def _first_open(self) -> int:
        """Return the number of the first item that is not done and was not passed over."""
        both = (self._pending, self._expected)
        firsts = (next((number for number in it if number > self._passed), None) for it in both)
        return min((number for number in firsts if number is not None), default=self._last_number)

    def _add(self, step: Step) -> None:
        pending = _Pending(step, 0, self.started_ns)
        if not step.waits:
            pending.due_ns += self.pace.scaled(step.t_ns)
        for wait in step.waits:
            if wait.number in self._expected or wait.number in self._pending:
                pending.open += 1
                self._waiters.setdefault(wait.number, []).append(step.number)
            else:
                then_ns = self._done.get(wait.number, self.started_ns)
                pending.due_ns = max(pending.due_ns, then_ns + self.pace.scaled(wait.after_ns))
        self._pending[step.number] = pending
        if not pending.open:
            heappush(self._ready, (pending.due_ns, step.number))

    def _release(self, waiter: int, number: int, t_ns: int) -> None:
        pending = self._pending[waiter]
        after_ns = max(it.after_ns for it in pending.step.waits if it.number == number)
        pending.due_ns = max(pending.due_ns, t_ns + self.pace.scaled(after_ns))
        pending.open -= 1
        if not pending.open:
            heappush(self._ready, (pending.due_ns, waiter))

    def _forget(self) -> None:
        """Let go of what no step can wait for any more, but keep a good deal: it is two numbers."""
        if len(self._done) > KEPT_DONE:
            for number in list(self._done)[: KEPT_DONE // 2]:
                del self._done[number]


KEPT_DONE = 100_000
"""Items that are remembered as done: a question of the peer that is answered later than so many
others is answered at once."""
