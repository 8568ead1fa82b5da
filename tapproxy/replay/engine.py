"""Plays one side of a recording: bytes and instants in, what is to be done out. Does no I/O.

The player asks `next` what to do, does it, and tells; and tells whatever the live peer does.
"""

from collections import deque
from collections.abc import Iterator, Sequence

from tapproxy.dialects.api import Dialect
from tapproxy.replay.doing import Next, OnMiss, Options, Over, Perform, Send, Sleep
from tapproxy.replay.expecting import Expectations, Recorded
from tapproxy.replay.findings import Finding, Findings
from tapproxy.replay.live import Conversation
from tapproxy.replay.pieces import Pieces
from tapproxy.replay.schedule import Schedule
from tapproxy.replay.script import OTHER, STREAMS, Act, Expected, Item, OwnFrame, Role, Step, Write
from tapproxy.replay.spoken import Spoken
from tapproxy.replay.wording import unused, waited
from tapproxy_store.records import Event, Session, Stream, Told

__all__ = ["Engine", "Next", "OnMiss", "Options", "Over", "Perform", "Send", "Sleep"]

NEVER_ENDED = "the other side does not end"
STDIN_OPEN = "; nothing on record closes its stdin"


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
        self._unrecorded: deque[Send] = deque()  # to questions that the recording cannot answer
        self._gone: set[str] = set()  # streams of the peer that are over
        self._outlived: set[str] = set()  # signals
        self._left: int | None = None  # the number of the peer's exit, once it was as recorded
        self._ended: int | None = None  # that of our own
        self._has_closed = False  # a stream of ours
        self._over: Over | None = None
        self._pull()

    @property
    def is_over(self) -> bool:
        """Whether nothing more is to be done."""
        return self._over is not None

    @property
    def findings(self) -> Findings:
        """What was found so far."""
        return self._expectations.findings

    def heard(self, stream: Stream, data: bytes, now_ns: int) -> list[Spoken]:
        """Take bytes that the peer has written; return the frames that are over with them."""
        self._heard_ns = now_ns
        if stream != self._peers:
            return []
        spoken = self._conversation.said(stream, data, now_ns, self._expectations.twins())
        self._take_all(spoken, data, now_ns)
        begun = self._expectations.heard_of(self._conversation)
        if begun.number is not None:
            self._done(begun.number, now_ns)
        return spoken

    def happened(self, event: Event, now_ns: int) -> list[Spoken]:
        """Take what the peer has done: eof, exit, signal; return the frame that is over with it."""
        self._heard_ns = now_ns
        spoken: list[Spoken] = []
        if event.kind == "eof":
            stream = event.detail["stream"]
            self._gone.add(stream)
            if stream == self._peers:
                spoken = self._conversation.ended(stream, now_ns)
                self._take_all(spoken, b"", now_ns)
        taken = self._expectations.happened(event)
        if taken.number is not None:
            self._done(taken.number, now_ns)
            self._left = taken.number if event.kind == "exit" else self._left
        if event.kind == "signal":
            self._signalled(event, is_recorded=taken.number is not None)
        return spoken

    def next(self, now_ns: int) -> Next:
        """Say what is to be done at this instant."""
        if self._over is not None:
            return self._over
        if self._unrecorded and not self._pieces.is_open(self._own):
            return self._unrecorded.popleft()
        while True:
            due = self._schedule.next(now_ns, self._heard_ns)
            if not isinstance(due, Step):
                return self._idle(due, now_ns)
            if self._is_held(due):
                continue
            if isinstance(due.does, Act):
                return Perform(due.does.event, due)
            return Send(due.does.stream, self._pieces.bytes_of(due.does), due)

    def sent(self, send: Send, now_ns: int) -> None:
        """Take note that bytes were written."""
        write = send.step.does if send.step is not None else None
        if send.stream == self._own:
            self._say(send, write if isinstance(write, Write) else None, now_ns)
            if send.is_edited:  # it may have had fewer frames
                self._said.clear()
        self.findings.edited += send.is_edited
        if send.step is not None and isinstance(write, Write):
            self.performed(send.step, now_ns)
            self._go_on_after(write, now_ns)

    def performed(self, step: Step, now_ns: int) -> None:
        """Take note that a step was taken."""
        self.findings.steps += 1
        self._done(step.number, now_ns)
        if not isinstance(step.does, Act):
            return
        if step.does.event.kind == "exit":
            self._over = Over()
            self._ended = step.number
        self._has_closed = self._has_closed or step.does.event.kind == "eof"

    def is_in_vain(self, send: Send) -> bool:
        """Tell whether nobody reads it, as nobody did in the recording: the peer had ended."""
        if self._left is None or send.step is None:
            return False
        return send.step.number > self._left

    def skipped(self, step: Step, now_ns: int) -> None:
        """Take note that a step is left out: what waits for it, or an answer to it, goes on."""
        self.findings.skipped += 1
        self._done(step.number, now_ns)
        if isinstance(step.does, Write):
            frames = {it.frame.number for it in step.does.frames}
            self._schedule.excuse(frames, now_ns)
            self._pull()
            self._go_on_after(step.does, now_ns)

    def _go_on_after(self, write: Write, now_ns: int) -> None:
        for step in self._pieces.sent(write):
            self._schedule.postpone(step, now_ns)

    def conclude(self) -> Findings:
        """Return what was found, with what has not come and what was not asked for; once."""
        for finding in self._expectations.missing(self._ended):
            self.findings.add(finding)
        if self._role == "plugin":  # as host, what is missing tells that the plugin asks less
            for step in self._schedule.waiting():
                for finding in unused(step):
                    self.findings.add(finding)
        return self.findings

    def _is_held(self, step: Step) -> bool:
        """Keep a step that would fall into the middle of a frame until that is sent."""
        if isinstance(step.does, Act) or self._pieces.may_send(step.does):
            return False
        self._pieces.hold(step)
        return True

    def _idle(self, due_ns: int | None, now_ns: int) -> Next:
        if due_ns is not None:
            return Sleep(due_ns)
        if self._has_played_all():
            return Over()
        awaited = self._schedule.awaited()
        patience_ns = self._patience_from() + self._options.patience_ns
        if now_ns < patience_ns and not (awaited and self._is_vain(awaited[1])):
            return Sleep(patience_ns)
        if awaited is not None:
            self._over = self._stuck(*awaited)
        else:  # it may have left its stream open to another process
            self._over = Over(None if self._expectations.has_left else self._why_open())
        return self._over

    def _why_open(self) -> str:
        """Say that the peer does not end; a tape made by hand may lack what would make it."""
        is_open = self._role == "host" and not self._has_closed
        return NEVER_ENDED + STDIN_OPEN * is_open

    def _has_played_all(self) -> bool:
        is_silent = self._peers in self._gone
        return self._schedule.is_over and self._expectations.is_satisfied(is_silent=is_silent)

    def _patience_from(self) -> int:
        return self._schedule.patience_from()

    def _stuck(self, step: Step, awaited: Expected | None) -> Over:
        words = waited(step, awaited, self._expectations.instead)
        self.findings.add(Finding("stuck", words))
        return Over(words)

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

    def _say(self, send: Send, write: Write | None, now_ns: int) -> None:
        """Read what we have said ourselves: the peer will answer it."""
        if self._passes(send, write):
            return
        if write is None:
            self._said += [None] * send.ended
        else:
            self._said += [it for it in write.frames if it.frame.end_offset <= write.end_offset]
        for live in self._conversation.said(self._own, send.data, now_ns):
            self._went(live, self._said.popleft() if self._said else None, now_ns)

    def _passes(self, send: Send, write: Write | None) -> bool:
        """Tell whether what we have said need not be read: an answer that nothing depends on."""
        if write is None or send.is_edited or self._said:
            return False
        return self._conversation.passes(write)

    def _went(self, live: Spoken, own: OwnFrame | None, now_ns: int) -> None:
        """Take note of a frame that is with the peer; None: it is not from the recording."""
        if live.asks and own is not None:
            self._expectations.asked(live, own.frame.number, now_ns)

    def _take_all(self, spoken: Sequence[Spoken], data: bytes, now_ns: int) -> None:
        """Take the frames that are over with these bytes, or, without any, with their stream."""
        del data
        for live in spoken:
            stray = self._take(live, now_ns)
            if stray is not None and (live.asks or live.kind in self._dialect.orders):
                self._refuse(live, stray)
            elif stray is not None:
                self.findings.add(stray)

    def _take(self, live: Spoken, now_ns: int) -> Finding | None:
        """Take a frame of the peer; where the recording has nothing like it, return that."""
        number, stray = self._expectations.heard(live, now_ns)
        if number is not None:
            self._done(number, now_ns)
        return stray

    def _refuse(self, live: Spoken, miss: Finding) -> None:
        """Do what is to be done about a question that nothing answers."""
        self.findings.add(miss)
        if self._options.on_miss == "exit":
            self._over = Over(miss.words)
        elif self._options.on_miss != "silent" and self._dialect.refusal is not None:
            body = self._dialect.refusal(live.body, miss.words)
            if body is not None:
                self._unrecorded.append(Send(self._own, self._framed(body), None))

    def _framed(self, body: bytes) -> bytes:
        """Return a body framed as we framed our last one; before the first, as the peer does."""
        framed = self._conversation.with_length
        if framed.get(self._own, framed.get(self._peers)):
            return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)
        return body + b"\n"
