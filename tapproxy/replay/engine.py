"""Plays one side of a recording: bytes and instants in, what is to be done out. Does no I/O.

The player asks `next` what to do, does it, and tells; and tells whatever the live peer does.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from tapproxy.dialects.api import Dialect
from tapproxy.replay.expecting import Expectations, Recorded
from tapproxy.replay.findings import Finding, Findings
from tapproxy.replay.live import Conversation
from tapproxy.replay.matching import Level
from tapproxy.replay.pieces import Pieces
from tapproxy.replay.schedule import AS_RECORDED, Pace, Schedule
from tapproxy.replay.script import OTHER, STREAMS, Act, Expected, Item, OwnFrame, Role, Step, Write
from tapproxy.replay.spoken import Spoken
from tapproxy.replay.wording import unused, waited
from tapproxy_store.records import Event, Session, Stream, Told

SECOND = 1_000_000_000

OnMiss = Literal["error", "silent", "exit"]


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

NEVER_ENDED = "the other side does not end"


class Engine:
    """Plays one side against a live peer. All instants are of one clock, in nanoseconds."""

    def __init__(  # noqa: PLR0917  all that a replay is made of, once
        self,
        items: Iterator[Item],
        session: Session,
        role: Role,
        dialect: Dialect,
        read: Recorded,
        options: Options,
        now_ns: int,
    ) -> None:
        """`read` tells a recorded frame, as `Source.spoken` does."""
        self._role = role
        self._own: Stream = STREAMS[role][0]
        self._peers: Stream = STREAMS[OTHER[role]][0]
        self._dialect = dialect
        self._options = options
        self._heard_ns = now_ns
        self._schedule = Schedule(items, options.pace, now_ns)
        self._conversation = Conversation(session, dialect.name)
        self._expectations = Expectations(
            role,
            dialect,
            read,
            ignored=options.ignored,
            level=options.level,
            late_times=options.late_times,
        )
        self._pieces = Pieces(self._expectations.bindings.applied)
        self._said: deque[OwnFrame | None] = deque()  # sent, and not yet read as said
        self._refusals: deque[Send] = deque()  # of questions that the recording cannot answer
        self._gone: set[str] = set()  # streams of the peer that are over
        self._outlived: set[str] = set()  # signals
        self._over: Over | None = None
        self._pull()

    @property
    def findings(self) -> Findings:
        """What was found so far."""
        return self._expectations.findings

    def heard(self, stream: Stream, data: bytes, now_ns: int) -> None:
        """Take bytes that the peer has written."""
        self._heard_ns = now_ns
        if stream != self._peers:
            return
        for live in self._conversation.said(stream, data, now_ns):
            self._take(live, now_ns)
        begun = self._expectations.heard_of(self._conversation)
        if begun.number is not None:
            self._done(begun.number, now_ns)

    def happened(self, event: Event, now_ns: int) -> None:
        """Take what the peer has done: eof, exit, signal."""
        self._heard_ns = now_ns
        if event.kind == "eof":
            stream = event.detail["stream"]
            self._gone.add(stream)
            if stream == self._peers:
                for live in self._conversation.ended(stream, now_ns):
                    self._take(live, now_ns)
        taken = self._expectations.happened(event)
        if taken.number is not None:
            self._done(taken.number, now_ns)
        if event.kind == "signal":
            self._signalled(event, is_recorded=taken.number is not None)

    def next(self, now_ns: int) -> Next:
        """Say what is to be done at this instant."""
        if self._over is not None:
            return self._over
        if self._refusals and not self._pieces.is_open(self._own):
            return self._refusals.popleft()
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
        write = send.step.does if send.step is not None else None
        if send.stream == self._own:
            self._say(write if isinstance(write, Write) else None, send.data, now_ns)
        if send.step is not None and isinstance(write, Write):
            self.performed(send.step, now_ns)
            for step in self._pieces.sent(write):
                self._schedule.postpone(step, now_ns)

    def performed(self, step: Step, now_ns: int) -> None:
        """Take note that a step was taken."""
        self.findings.steps += 1
        self._done(step.number, now_ns)
        if isinstance(step.does, Act) and step.does.event.kind == "exit":
            self._over = Over()

    def conclude(self) -> Findings:
        """Return what was found, with what has not come and what was not asked for; once."""
        for finding in self._expectations.missing():
            self.findings.add(finding)
        if self._role == "plugin":  # as host, what is missing tells that the plugin asks less
            for step in self._schedule.waiting():
                for finding in unused(step):
                    self.findings.add(finding)
        return self.findings

    def _idle(self, due_ns: int | None, now_ns: int) -> Next:
        if due_ns is not None:
            return Sleep(due_ns)
        expectations, is_silent = self._expectations, self._peers in self._gone
        if self._schedule.is_over and expectations.is_satisfied(is_silent=is_silent):
            return Over()
        awaited = self._schedule.awaited()
        patience_ns = self._schedule.patience_from() + self._options.patience_ns
        if now_ns < patience_ns and not (awaited and self._is_vain(awaited[1])):
            return Sleep(patience_ns)
        if awaited is not None:
            words = waited(*awaited, expectations.instead)
            self.findings.add(Finding("stuck", words))
            self._over = Over(words)
        else:  # it may have left its stream open to another process
            self._over = Over(None if expectations.has_left else NEVER_ENDED)
        return self._over

    def _signalled(self, event: Event, *, is_recorded: bool) -> None:
        """End at a signal that the recorded plugin has not outlived, as it never got it.

        The same one may come twice, from the host and by way of its terminal.
        """
        name = str(event.detail.get("signal"))
        if is_recorded:
            self._outlived.add(name)
        elif name not in self._outlived:
            self._over = Over(f"{name} came, which is not in the recording")

    def _is_vain(self, awaited: Expected | None) -> bool:
        """Tell whether it cannot come any more: the peer has closed its stream."""
        if awaited is None or self._peers not in self._gone:
            return False
        return isinstance(awaited.what, Told)

    def _pull(self) -> None:
        for expected in self._schedule.pull():
            self._expectations.expect(expected)

    def _done(self, number: int, now_ns: int) -> None:
        self._schedule.done(number, now_ns)
        self._pull()

    def _say(self, write: Write | None, data: bytes, now_ns: int) -> None:
        """Read what we have said ourselves: the peer will answer it."""
        if write is None:
            self._said.append(None)
        else:
            self._said += [it for it in write.frames if it.frame.end_offset <= write.end_offset]
        for live in self._conversation.said(self._own, data, now_ns):
            own = self._said.popleft() if self._said else None
            if live.asks and own is not None:
                self._expectations.asked(live, own.frame.number, now_ns)

    def _take(self, live: Spoken, now_ns: int) -> None:
        number, miss = self._expectations.heard(live, now_ns)
        if number is not None:
            self._done(number, now_ns)
        elif miss is not None:
            self._refuse(live, miss)

    def _refuse(self, live: Spoken, miss: Finding) -> None:
        """Do what is to be done about a question that the recording cannot answer."""
        if self._options.on_miss == "exit":
            self._over = Over(miss.words)
        elif self._options.on_miss == "error" and self._dialect.refusal is not None:
            body = self._dialect.refusal(live.body, miss.words)
            if body is not None:
                self._refusals.append(Send(self._own, self._framed(body), None))

    def _framed(self, body: bytes) -> bytes:
        """Return a body framed as we framed our last one; before the first, as the peer does."""
        framed = self._conversation.with_length
        if framed.get(self._own, framed.get(self._peers)):
            return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)
        return body + b"\n"
