"""When each step of a script is due: counts down what it waits for, keeps what is ready in order.

Times are those of the injected clock, in nanoseconds. At pace 0 nothing is waited for but the peer,
and the recorded order is kept as long as the peer keeps it.
"""

from collections import OrderedDict, deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from heapq import heappop, heappush

from tapproxy.replay.recent import Recent
from tapproxy.replay.script import Act, Expected, Item, Step
from tapproxy_store.records import Event, Told

WINDOW = 512
"""Items of the script that are looked at beyond the furthest that is done."""

TOGETHER = 64
"""Items that are read at once: one at a time takes longer, as each part of the work is new to the
processor's caches then."""

WINDOW_BYTES = 1 << 25
"""What those may hold, so that large frames do not fill the memory."""

FAR = 1 << 14
"""Items that are looked at where all within the window is the peer's: it may leave out much."""

GRACE_NS = 50_000_000
"""How long a step that is due waits for what was before it in the recording: a peer that is slower
than the recorded one is not to change the order, one that asks in another order has to wait."""

KEPT_DONE = 50_000
"""Items that are remembered as done, at least: a question of the peer that is answered later than
so many others is answered at once."""

LAST_WORDS = {"eof", "exit"}
"""Kinds of acts after which nothing can be said: what is due before them is not cut off."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast recorded delays go by."""

    times: float = 1.0  # as fast; 0: no waiting
    max_gap_ns: int | None = None  # no delay is longer, nanoseconds

    def scaled(self, delay_ns: int) -> int:
        """Return how long a recorded delay takes now."""
        if self.times == 0:
            return 0
        scaled = int(delay_ns / self.times) if self.times != 1 else delay_ns
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
    _pending: OrderedDict[int, _Pending] = field(default_factory=OrderedDict)  # by number
    _expected: dict[int, Expected] = field(default_factory=dict)
    _waiters: dict[int, list[int]] = field(default_factory=dict)
    _done: Recent = field(default_factory=lambda: Recent(KEPT_DONE))  # when each was
    _ready: list[tuple[int, int]] = field(default_factory=list)  # due, number; a heap
    _exhausted: bool = False
    _last_number: int = 0  # of what was read
    _furthest: int = 0  # of what is done
    _ahead: deque[tuple[int, int]] = field(default_factory=deque)  # beyond it: number, bytes
    _ahead_bytes: int = 0
    _first: int = 1  # all before it is done, or was passed over
    _passed: int = 0  # what is open up to this number is not waited for any more
    _last_done: tuple[int, int] = (0, 0)  # recorded and live time of the last item that was done

    def pull(self) -> list[Expected]:
        """Read the script on, as far as it is needed; return what is newly expected of the peer."""
        found: list[Expected] = []
        if not self._has_room(WINDOW):
            return found
        while self._has_room(WINDOW + TOGETHER):
            item = next(self.items, None)
            if item is None:
                self._exhausted = True
                break
            number, size = item.number, _size(item)
            self._last_number = number
            self._ahead.append((number, size))
            self._ahead_bytes += size
            if isinstance(item, Expected):
                self._expected[number] = item
                found.append(item)
            else:
                self._add(item)
        return found

    def done(self, number: int, t_ns: int) -> None:
        """Take note that an item has happened."""
        pending = self._pending.pop(number, None)
        item = self._expected.pop(number, None) if pending is None else pending.step
        recorded_ns = 0 if item is None else item.t_ns
        if recorded_ns >= self._last_done[0]:
            self._last_done = recorded_ns, t_ns
        self._done.note(number, t_ns)
        for waiter in self._waiters.pop(number, ()):
            self._release(waiter, number, t_ns)
        if number > self._furthest:
            self._furthest, ahead = number, self._ahead
            while ahead and ahead[0][0] <= number:
                self._ahead_bytes -= ahead.popleft()[1]

    def excuse(self, asked: set[int], t_ns: int) -> None:
        """Wait no more for the answers to questions that were not asked, by their frames."""
        for number, expected in list(self._expected.items()):
            what = expected.what
            if isinstance(what, Told) and any(it.answers in asked for it in what.messages):
                self.done(number, t_ns)

    def next(self, now_ns: int, last_heard_ns: int) -> Step | int | None:
        """Return the step that is due, or else when the next one is, or None: a peer is awaited."""
        held, wakes = [], []
        step: Step | None = None
        while self._ready and step is None:
            due_ns, number = self._ready[0]
            if due_ns > now_ns:
                wakes.append(due_ns)
                break
            heappop(self._ready)
            until_ns = self._in_turn_ns(due_ns, number, last_heard_ns)
            if until_ns > now_ns:
                held.append((due_ns, number))
                wakes.append(until_ns)
            elif not self._is_put_off(self._pending[number].step):
                step = self._pending[number].step
        for it in held:
            heappush(self._ready, it)
        if step is None:
            return min(wakes, default=None)
        self._passed = max(self._passed, step.number)
        return step

    def _in_turn_ns(self, due_ns: int, number: int, last_heard_ns: int) -> int:
        """Return until when a step lets what was before it in the recording go first."""
        if number <= self._first_open():
            return due_ns
        return (last_heard_ns if self.pace.times == 0 else due_ns) + GRACE_NS

    def postpone(self, step: Step, until_ns: int) -> None:
        """Have a step that was due come again, not before the instant."""
        self._make_ready(step.number, until_ns)

    @property
    def is_over(self) -> bool:
        """Whether every step has been taken."""
        return self._exhausted and not self._pending

    def waiting(self) -> Iterator[Step]:
        """Yield the steps that have not been taken, as far as the script was read."""
        return (it.step for it in self._pending.values())

    def awaited(self) -> tuple[Step, Expected | None] | None:
        """Return the first step that is not taken, and the first thing that it waits for."""
        first = next(iter(self._pending.values()), None)
        if first is None:
            return None
        waits = [it.number for it in first.step.waits if it.number in self._expected]
        return first.step, self._expected[min(waits)] if waits else None

    def patience_from(self) -> int:
        """Return when what is awaited would have come, had the peer taken its recorded time.

        The peer is no faster at another pace of ours.
        """
        recorded_ns, live_ns = self._last_done
        live_ns = max(live_ns, self.started_ns)
        awaited = self.awaited()
        expected = self._next_expected() if awaited is None else awaited[1]
        if expected is None:
            return live_ns
        delay_ns = max(expected.t_ns - recorded_ns, 0)
        return live_ns + max(delay_ns, self.pace.scaled(delay_ns))

    def _next_expected(self) -> Expected | None:
        """Return what was done next after the furthest that is done, if it is the peer's."""
        return self._expected.get(self._ahead[0][0]) if self._ahead else None

    def _has_room(self, window: int) -> bool:
        if self._exhausted:
            return False
        if not self._ahead:
            return True
        items = window if self._pending else FAR
        return len(self._ahead) < items and self._ahead_bytes < WINDOW_BYTES

    def _first_open(self) -> int:
        """Return the number of the first item that is not done and was not passed over."""
        first = max(self._first, self._passed + 1)
        while first <= self._last_number and not (
            first in self._pending or first in self._expected
        ):
            first += 1
        self._first = first
        return first

    def _is_put_off(self, step: Step) -> bool:
        """Put off last words until what is ready and was before them is done."""
        if not isinstance(step.does, Act) or step.does.event.kind not in LAST_WORDS:
            return False
        before = [due_ns for due_ns, number in self._ready if number < step.number]
        if before:
            heappush(self._ready, (max(before), step.number))
        return bool(before)

    def _add(self, step: Step) -> None:
        pending = _Pending(step, 0, self.started_ns)
        if not step.waits:
            pending.due_ns += self.pace.scaled(step.t_ns)
        for wait in step.waits:
            if wait.number in self._expected or wait.number in self._pending:
                pending.open += 1
                self._waiters.setdefault(wait.number, []).append(step.number)
            else:
                then_ns = self._done.find(wait.number)
                then_ns = self.started_ns if then_ns is None else then_ns
                pending.due_ns = max(pending.due_ns, then_ns + self.pace.scaled(wait.after_ns))
        self._pending[step.number] = pending
        if not pending.open:
            self._make_ready(step.number, pending.due_ns)

    def _release(self, waiter: int, number: int, t_ns: int) -> None:
        pending = self._pending[waiter]
        after_ns = max(it.after_ns for it in pending.step.waits if it.number == number)
        pending.due_ns = max(pending.due_ns, t_ns + self.pace.scaled(after_ns))
        pending.open -= 1
        if not pending.open:
            self._make_ready(waiter, pending.due_ns)

    def _make_ready(self, number: int, due_ns: int) -> None:
        """Keep a step until it is due; at pace 0 it is, and the script's order alone counts."""
        heappush(self._ready, (due_ns if self.pace.times else self.started_ns, number))


def _size(item: Item) -> int:
    """Return how many bytes an item holds, or so."""
    if isinstance(item, Expected):
        return 0 if isinstance(item.what, Event) else len(item.body)
    return 0 if isinstance(item.does, Act) else len(item.does.data)
