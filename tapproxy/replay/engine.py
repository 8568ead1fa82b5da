"""Plays one side of a recording: bytes and instants in, what is to be done out. Does no I/O.

The player asks `next` what to do, does it, and tells; and tells whatever the live peer does.
"""

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from tapproxy.dialects.api import Dialect
from tapproxy.replay.bindings import Bindings
from tapproxy.replay.findings import Finding, Findings
from tapproxy.replay.live import TAIL, Conversation
from tapproxy.replay.matching import Level, Match, Matcher
from tapproxy.replay.pieces import Pieces
from tapproxy.replay.schedule import AS_RECORDED, Pace, Schedule
from tapproxy.replay.script import OTHER, STREAMS, Act, Expected, Item, Role, Step, Write
from tapproxy.replay.spoken import Spoken
from tapproxy.replay.wording import about, changed, missed, named, waited
from tapproxy_store.records import Event, Session, Stream, Told

SECOND = 1_000_000_000

OnMiss = Literal["error", "silent", "exit"]

Recorded = Callable[[int, Told], Spoken]
"""Reads a recorded frame's bytes; given its place in the script."""


@dataclass(frozen=True, slots=True)
class Options:
    """How a replay is to go."""

    pace: Pace = AS_RECORDED
    level: Level = "semantic"
    ignored: tuple[str, ...] = ()  # paths that are volatile too
    on_miss: OnMiss = "error"
    patience_ns: int = 10 * SECOND
    late_times: float | None = None  # an answer that took so many times as long is late


@dataclass(frozen=True, slots=True)
class Send:
    """Write these bytes at once; then tell `sent`."""

    stream: Stream
    data: bytes
    step: Step | None  # None: not from the recording


@dataclass(frozen=True, slots=True)
class Perform:
    """Do what is not bytes; then tell `performed`."""

    event: Event
    step: Step


@dataclass(frozen=True, slots=True)
class Sleep:
    """Nothing is due before this instant, unless the peer does something."""

    until_ns: int


@dataclass(frozen=True, slots=True)
class Over:
    """The replay is over; `why` is told where it ended in the middle."""

    why: str | None = None


Next = Send | Perform | Sleep | Over


class Engine:
    """Plays one side against a live peer. All instants are of one clock, in nanoseconds."""

    def __init__(
        self,
        items: Iterator[Item],
        session: Session,
        role: Role,
        dialect: Dialect,
        read: Recorded,
        options: Options,
        now_ns: int,
    ) -> None:
        self.findings = Findings()
        self._role = role
        self._dialect = dialect
        self._read = read
        self._options = options
        self._started_ns = now_ns
        self._heard_ns = now_ns
        self._schedule = Schedule(items, options.pace, now_ns)
        self._conversation = Conversation(session)
        self._matcher = Matcher((*dialect.volatile, *options.ignored), options.level)
        self._bindings = Bindings(dialect.echoes)
        self._pieces = Pieces(self._bindings.applied)
        self._frames: dict[int, int] = {}  # recorded numbers of expected frames, by script number
        self._asked: dict[int, tuple[int, int]] = {}  # own questions: live frame to recorded, when
        self._events: deque[Expected] = deque()
        self._answers: deque[Send] = deque()  # to what the recording cannot answer
        self._gone: set[str] = set()  # streams of the peer that are over
        self._unfinished: deque[tuple[int, bytes]] = deque()  # expected frames without an end
        self._tail_taken = False
        self._over: Over | None = None
        self._pull()

    def heard(self, stream: Stream, data: bytes, now_ns: int) -> None:
        """Take bytes that the peer has written."""
        self._heard_ns = now_ns
        lives = self._conversation.said(stream, data, now_ns)
        if stream != self._stream:
            return
        for live in lives:
            self._take(live, now_ns)
        self._pull()
        self._take_unfinished(now_ns)

    def happened(self, event: Event, now_ns: int) -> None:
        """Take what the peer has done: eof, exit, signal."""
        self._heard_ns = now_ns
        if event.kind == "eof":
            stream = event.detail["stream"]
            self._gone.add(stream)
            for live in self._conversation.ended(stream, now_ns):
                if stream == self._stream and not self._tail_taken:
                    self._take(live, now_ns)
        expected = next((it for it in self._events if same_event(it.what, event)), None)
        if expected is not None:
            self._events.remove(expected)
            self.findings.same += 1
            self._schedule.done(expected.number, now_ns)
        elif not is_usual(event, self._role):
            self.findings.add(Finding("extra", about(event)))
        self._pull()

    def next(self, now_ns: int) -> Next:
        """Say what is to be done at this instant."""
        if self._over is not None:
            return self._over
        if self._answers:
            return self._answers.popleft()
        while True:
            due = self._schedule.next(now_ns, self._heard_ns)
            if not isinstance(due, Step):
                return self._idle(due, now_ns)
            if isinstance(due.does, Act):
                return Perform(due.does.event, due)
            if self._pieces.may_send(due.does):
                return Send(due.does.stream, self._pieces.bytes_of(due.does), due)
            self._pieces.hold(due)

    def sent(self, send: Send, now_ns: int) -> None:
        """Take note that bytes were written."""
        frames = self._conversation.said(send.stream, send.data, now_ns)
        if send.step is None or not isinstance(send.step.does, Write):
            return
        write = send.step.does
        ended = [it for it in write.frames if it.frame.end_offset <= write.end_offset]
        for live, own in zip(frames, ended, strict=False):
            if live.asks:
                self._asked[live.number] = own.frame.number, now_ns
        self.performed(send.step, now_ns)
        for step in self._pieces.sent(write):
            self._schedule.postpone(step, now_ns)

    def performed(self, step: Step, now_ns: int) -> None:
        """Take note that a step was taken."""
        self.findings.steps += 1
        self._schedule.done(step.number, now_ns)
        self._pull()
        if isinstance(step.does, Act) and step.does.event.kind == "exit":
            self._over = Over()

    def conclude(self) -> Findings:
        """Return what was found, with what has not come."""
        for recorded in self._matcher.missing():
            self.findings.add(Finding("missing", named(recorded), self._frame(recorded)))
        for expected in self._events:
            if isinstance(expected.what, Event) and not is_usual(expected.what, self._role):
                self.findings.add(Finding("missing", about(expected.what)))
        return self.findings

    def _idle(self, due_ns: int | None, now_ns: int) -> Next:
        if due_ns is not None:
            return Sleep(due_ns)
        if self._schedule.is_over and self._is_satisfied():
            return Over()
        awaited = self._schedule.awaited()
        patience_ns = self._schedule.patience_from() + self._options.patience_ns
        is_vain = awaited is not None and awaited[1] is not None and self._is_vain(awaited[1])
        if is_vain or now_ns >= patience_ns:
            words = waited(*awaited) if awaited else "the end of the other side"
            if awaited is not None:
                self.findings.add(Finding("stuck", words))
            self._over = Over(words)
            return self._over
        return Sleep(patience_ns)

    def _is_satisfied(self) -> bool:
        """Tell whether nothing more is to come from the peer, or can."""
        return not self._events and (self._stream in self._gone or not len(self._matcher))

    def _is_vain(self, awaited: Expected) -> bool:
        """Tell whether it cannot come any more: the peer has closed its stream."""
        return isinstance(awaited.what, Told) and self._stream in self._gone

    @property
    def _stream(self) -> Stream:
        """What the peer answers on."""
        return STREAMS[OTHER[self._role]][0]

    def _pull(self) -> None:
        for expected in self._schedule.pull():
            if isinstance(expected.what, Told):
                told, recorded = expected.what, self._read(expected.number, expected.what)
                self._frames[expected.number] = told.frame.number
                self._matcher.expect(recorded)
                if told.frame.flaw is not None:
                    self._unfinished.append((expected.number, recorded.body))
            else:
                self._events.append(expected)

    def _take_unfinished(self, now_ns: int) -> None:
        """Take what has come for the frame that nothing ended in the recording either.

        It is known to be one only once its stream is over; the other side may wait for it before.
        """
        tail = self._conversation.tail(self._stream)
        if self._unfinished and tail and self._unfinished[0][1][:TAIL] == tail:
            number, _ = self._unfinished.popleft()
            if self._matcher.take(number) is not None:
                self._tail_taken = True
                self.findings.same += 1
                self._schedule.done(number, now_ns)
                self._pull()

    def _take(self, live: Spoken, now_ns: int) -> None:
        """Find what was recorded in the place of a live frame."""
        asked = self._asked.pop(live.answers, None) if live.answers is not None else None
        if live.answers is not None:
            live = replaced_answers(live, None if asked is None else asked[0])
        match = self._matcher.match(live)
        if match is None:
            self._unexpected(live)
            return
        self._bindings.learn(match.recorded, live)
        self._schedule.done(match.recorded.number, now_ns)
        self._judge(match, live)
        self._frames.pop(match.recorded.number, None)

    def _judge(self, match: Match, live: Spoken) -> None:
        if match.differs is None:
            self.findings.same += 1
            return
        self.findings.add(changed(live, match.differs, self._frame(match.recorded)))

    def _unexpected(self, live: Spoken) -> None:
        if not live.asks:
            self.findings.add(Finding("extra", named(live)))
            return
        finding = missed(live, self._matcher.nearest(live))
        self.findings.add(finding)
        if self._options.on_miss == "exit":
            self._over = Over(finding.words)
        elif self._options.on_miss == "error" and self._dialect.refusal is not None:
            body = self._dialect.refusal(live.body, finding.words)
            if body is not None:
                stream = STREAMS[self._role][0]
                self._answers.append(Send(stream, self._framed(body), None))

    def _framed(self, body: bytes) -> bytes:
        """Return a body as the peer expects frames: as the recorded side framed its own."""
        if self._pieces.with_length:
            return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)
        return body + b"\n"

    def _frame(self, recorded: Spoken) -> int | None:
        return self._frames.get(recorded.number)


def replaced_answers(live: Spoken, recorded: int | None) -> Spoken:
    """Return a live answer as one to a recorded question."""
    return replace(live, answers=recorded)


def same_event(recorded: Told | Event, live: Event) -> bool:
    """Tell whether two events are the same happening, whoever is told to have done it when."""
    if isinstance(recorded, Told) or recorded.kind != live.kind:
        return False
    keys = ("stream", "signal", "code")
    return all(recorded.detail.get(key) == live.detail.get(key) for key in keys)


def is_usual(event: Event, role: Role) -> bool:
    """Tell whether an event goes without saying: a plugin's streams end with the plugin."""
    return OTHER[role] == "plugin" and event.kind == "eof"
