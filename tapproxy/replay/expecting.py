"""What is expected of the live peer, and how what it does differs from that."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from tapproxy.dialects.api import Dialect
from tapproxy.replay.bindings import Bindings
from tapproxy.replay.findings import Finding, Findings
from tapproxy.replay.levels import Level
from tapproxy.replay.live import Conversation
from tapproxy.replay.matching import Matcher
from tapproxy.replay.script import OTHER, Expected, Role
from tapproxy.replay.spoken import BATCH, Spoken
from tapproxy.replay.wording import about, changed, changed_event, late, missed, named
from tapproxy_store.records import Event, Told

Recorded = Callable[[Expected], Spoken]
"""Tells a recorded frame as a live one is told."""

FLOOR_NS = 5_000_000
"""No answer is late that took less than if it had been recorded with this latency."""

MOST_ASKED = 100_000
"""Questions of ours that are remembered; of more, the oldest are taken for never answered."""


UNSURE = {"unfinished", "junk"}
"""Flaws of frames without an end of their own."""


class Asked(NamedTuple):
    """A question of ours that was sent."""

    frame: int  # its number in the recording
    t_ns: int  # when
    is_batch: bool  # several may answer it


class Taken(NamedTuple):
    """What became of something that the peer did."""

    number: int | None = None  # of the item in whose place it stands; None: it has none there
    stray: Finding | None = None  # it is not in the recording: an extra, of a question a miss


class Expectations:
    """Fed with what the recorded peer did and what the live peer does; notes the differences."""

    def __init__(
        self,
        role: Role,
        dialect: Dialect,
        read: Recorded,
        *,
        ignored: Sequence[str],
        level: Level,
        late_times: float | None,
    ) -> None:
        """`role`: of the played side. `late_times`: so many times its latency is late."""
        self.findings = Findings()
        self.bindings = Bindings(dialect.echoes, (*dialect.volatile, *ignored))
        self.instead: str | None = None  # what came last that was not expected
        self.has_left = False  # the peer
        self._good_end: Event | None = None  # its end, where none is on record
        self._role = role
        self._orders = dialect.orders
        self._read = read
        self._late_times = late_times
        self._matcher = Matcher((*dialect.volatile, *ignored), level)
        self._asked: dict[int, Asked] = {}  # own questions, by the number of the live frame
        self._events: dict[int, Event] = {}  # by number
        self._unsure: dict[int, Expected] = {}  # frames that are known by what comes after them
        self._begun: Spoken | None = None  # the one of which as much has come as was recorded

    def expect(self, expected: Expected) -> None:
        """Add what the recorded peer did next."""
        if isinstance(expected.what, Event):
            self._events[expected.number] = expected.what
            return
        self._matcher.expect(self._read(expected))
        if expected.what.frame.flaw in UNSURE:
            self._unsure[expected.number] = expected

    def twins(self) -> Iterator[Spoken]:
        """Yield what is expected, in recorded order, as far as it can be told at sight."""
        return self._matcher.twins()

    def asked(self, live: Spoken, frame: int, t_ns: int) -> None:
        """Take note of a question of ours; `frame` is its number in the recording."""
        self._asked[live.number] = Asked(frame, t_ns, live.kind == BATCH)
        if len(self._asked) > MOST_ASKED:
            del self._asked[next(iter(self._asked))]

    def heard(self, live: Spoken, now_ns: int) -> Taken:
        """Find what was recorded in the place of a live frame."""
        if self._begun is not None:
            return self._went_on(live, self._begun)
        asked = None
        if live.answers is not None:
            asked = self._asked.get(live.answers)
            if asked is not None and not asked.is_batch:
                del self._asked[live.answers]
            live = live._replace(answers=None if asked is None else asked.frame)
        match = self._matcher.match(live)
        if match is None:
            return Taken(None, self._unexpected(live))
        recorded = match.recorded
        self._unsure.pop(recorded.number, None)
        self.bindings.learn(recorded, live)
        self._came(None if match.differs is None else changed(live, match.differs, recorded.frame))
        if asked is not None:
            self._time(live, now_ns - asked.t_ns, recorded)
        return Taken(recorded.number)

    def heard_of(self, conversation: Conversation) -> Taken:
        """Look at what has come of a frame that has no end of its own in the recording either.

        It is known to be one only by what comes after it; our side may wait for it before.
        """
        if not self._unsure or self._begun is not None:
            return Taken()
        expected = self._unsure.get(self._matcher.first_number or 0)
        if expected is None or not isinstance(expected.what, Told):
            return Taken()
        if not conversation.is_open_with(expected.what.frame, expected.body):
            return Taken()
        self._begun = self._matcher.take(expected.number)
        del self._unsure[expected.number]
        self._came()
        return Taken(expected.number)

    def happened(self, live: Event) -> Taken:
        """Find what was recorded in the place of a live event; its manner may be another."""
        self.has_left = self.has_left or live.kind == "exit"
        alike = [it for it in self._events.items() if _is_alike(it[1], live)]
        found = next((it for it in alike if is_same(it[1], live)), alike[0] if alike else None)
        if found is None:
            self.instead = self.instead if is_usual(live, self._role) else about(live)
            if _is_good_end(live):
                self._good_end = live
            elif live.kind != "eof":  # where that is not recorded, the recording ended before it
                self.findings.add(Finding("extra", about(live)))
            return Taken()
        number, recorded = found
        del self._events[number]
        self._came(None if is_same(recorded, live) else changed_event(recorded, live))
        return Taken(number)

    def is_satisfied(self, *, is_silent: bool) -> bool:
        """Tell whether nothing more is to come from the peer, or, where it is silent, can.

        One that has left may have said something that is not read yet.
        """
        if self.has_left:
            return is_silent
        return not self._events and (is_silent or not len(self._matcher))

    def missing(self, before: int | None = None) -> Iterator[Finding]:
        """Yield what has not come; `before`: the number of our own end, where it was recorded.

        A plugin that ends well once it has done all is as recorded where its end was not: the
        recording ended before it. One that has left something out has ended too early.
        """
        is_whole = True
        for recorded in self._matcher.missing():
            if before is None or recorded.number < before:
                is_whole = False
                yield Finding("missing", named(recorded), recorded.frame)
        for number, event in self._events.items():
            if not is_usual(event, self._role) and (before is None or number < before):
                is_whole = False
                yield Finding("missing", about(event))
        if self._good_end is not None and not is_whole:
            yield Finding("extra", about(self._good_end))

    def _came(self, finding: Finding | None = None) -> None:
        self.instead = None
        if finding is None:
            self.findings.same += 1
        else:
            self.findings.add(finding)

    def _miss(self, finding: Finding, name: str) -> None:
        self.instead = name
        self.findings.add(finding)

    def _went_on(self, live: Spoken, recorded: Spoken) -> Taken:
        """Take the end of a frame whose recorded part was taken as it came."""
        self._begun = None
        if recorded.body != live.body:
            self._miss(Finding("extra", named(live), recorded.frame), named(live))
        return Taken()

    def _unexpected(self, live: Spoken) -> Finding:
        self.instead = named(live)
        if not live.asks and live.kind not in self._orders:
            return Finding("extra", named(live))
        return missed(live, self._matcher.nearest(live))

    def _time(self, live: Spoken, latency_ns: int, recorded: Spoken) -> None:
        if self._late_times is None or recorded.latency_ns is None:
            return
        if latency_ns > self._late_times * max(recorded.latency_ns, FLOOR_NS):
            self.findings.add(late(live, latency_ns, recorded))


def _is_alike(recorded: Event, live: Event) -> bool:
    return recorded.kind == live.kind and _of(recorded, "stream") == _of(live, "stream")


def is_same(recorded: Event, live: Event) -> bool:
    """Tell whether two events are the same happening, whoever is told to have done it when.

    What the recording does not tell (which signal it was) is not compared.
    """
    told = [it for it in ("stream", "signal", "code") if _of(recorded, it) is not None]
    return recorded.kind == live.kind and all(_of(recorded, it) == _of(live, it) for it in told)


def _is_good_end(live: Event) -> bool:
    return live.kind == "exit" and _of(live, "code") == 0


def is_usual(event: Event, role: Role) -> bool:
    """Tell whether an event goes without saying: a plugin's streams end with the plugin."""
    return OTHER[role] == "plugin" and event.kind == "eof"


def _of(event: Event, key: str) -> object:
    return event.detail.get(key)
