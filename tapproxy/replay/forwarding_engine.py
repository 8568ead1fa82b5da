"""Plays the plugin of a recording, and has the real plugin answer what the recording cannot."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tapproxy.dialects.api import Dialect
from tapproxy.replay.doing import Next, Options, Over, Pass, Send, Sleep
from tapproxy.replay.engine import Engine
from tapproxy.replay.expecting import Recorded
from tapproxy.replay.findings import Findings
from tapproxy.replay.forwarding import Forwarding, News, Question, Settled
from tapproxy.replay.schedule import LAST_WORDS
from tapproxy.replay.script import Act, Expected, Item, OwnFrame, Role, Step, Write
from tapproxy.replay.spoken import Spoken
from tapproxy_store.records import Session

MOST_UNREAD = 1 << 20
"""Bytes for the host that are kept of what the real plugin says, and what one read more has: it is
not read meanwhile, as if the host itself did not read."""


class ForwardingEngine(Engine):
    """An engine that is told, too, what the real plugin does: `heard_real`, `lost_real`.

    A session does not end before what was asked is answered, nor, where all is played, before the
    host has closed its stream: it may have more to ask.
    """

    def __init__(  # noqa: PLR0917  what an engine takes
        self,
        items: Iterator[Item],
        session: Session,
        role: Role,
        dialect: Dialect,
        read: Recorded,
        options: Options,
        now_ns: int,
    ) -> None:
        """Take what an engine takes; the patience is with the real plugin, too."""
        super().__init__(items, session, role, dialect, read, options, now_ns)
        self._forwarding = Forwarding(session, dialect, options.patience_ns, options.learns)
        self._last_words: list[Step] = []  # that wait for the real plugin's answers

    @property
    def news(self) -> Sequence[News]:
        """What the real plugin was asked, and what it has answered, where that is to be kept."""
        return self._forwarding.news

    def heard_real(self, data: bytes, now_ns: int) -> None:
        """Take what the real plugin has written."""
        self._forwarding.heard(data, now_ns)

    def lost_real(self, why: str, now_ns: int) -> None:
        """Take note that the real plugin says nothing more: `exited with code 3`."""
        self._forwarding.left(why, now_ns)

    @property
    def is_full(self) -> bool:
        """Whether the host has so much to read that the real plugin is to say no more."""
        kept = sum(len(it.data) for it in self._unrecorded)
        return kept + sum(len(it.data) for it in self._forwarding.unread) >= MOST_UNREAD

    def sent(self, send: Send, now_ns: int) -> None:
        """Take note that bytes were written; meanwhile the real plugin may have been held up."""
        if send.step is None or self.is_full:
            self._forwarding.held_up(now_ns)
        super().sent(send, now_ns)

    def next(self, now_ns: int) -> Next:
        """Say what is to be done at this instant."""
        if self.is_over:
            return super().next(now_ns)
        for it in self._forwarding.settled(now_ns):
            self._settle(it)
        for stray in self._forwarding.strays():
            self.findings.add(stray)
        while self._forwarding.unread:
            words = self._forwarding.unread.popleft()
            self._unrecorded.append(Send(self._own, words.data, None, ended=words.ended))
        if not self._forwarding.is_busy:
            for step in self._last_words:
                self._schedule.postpone(step, now_ns)
            self._last_words.clear()
        data = self._forwarding.next_for_plugin()
        return super().next(now_ns) if data is None else Pass(data)

    def conclude(self) -> Findings:
        """Return what was found, also what the real plugin was too slow for; once."""
        self.lost_real("had not answered when the replay ended", self._heard_ns)
        for it in self._forwarding.settled(self._heard_ns):
            self._settle(it)
        for stray in self._forwarding.strays(is_last=True):
            self.findings.add(stray)
        return super().conclude()

    def _settle(self, it: Settled) -> None:
        live, miss = it.question
        if it.failure is None:
            self.findings.add(replace(miss, kind="forwarded"))
        else:
            self._refuse(live, replace(miss, words=f"{miss.words}; the real plugin {it.failure}"))

    def _take_all(self, spoken: Sequence[Spoken], data: bytes, now_ns: int) -> None:
        forwarding = self._forwarding
        wholes = forwarding.cut(data, now_ns) if data else forwarding.cut_off()
        for live, whole in zip(spoken, wholes, strict=True):
            if forwarding.takes_answer(live, whole, now_ns):
                continue
            stray = self._take(live, now_ns)
            if stray is not None and live.asks:
                forwarding.ask(Question(live, stray), whole, now_ns)
            else:
                forwarding.overhear(live, whole, stray, now_ns)

    def _went(self, live: Spoken, own: OwnFrame | None, now_ns: int) -> None:
        super()._went(live, own, now_ns)
        self._forwarding.said(live, by_recording=own is not None)

    def _passes(self, send: Send, write: Write | None) -> bool:
        """Have all that the host gets read: it tells what the real plugin has to have said."""
        del send, write
        return False

    def _is_held(self, step: Step) -> bool:
        """Keep what would end the session, too, until the real plugin has answered."""
        is_last = isinstance(step.does, Act) and step.does.event.kind in LAST_WORDS
        if not (is_last and self._forwarding.is_busy):
            return super()._is_held(step)
        self._last_words.append(step)
        return True

    def _idle(self, due_ns: int | None, now_ns: int) -> Next:
        deadline_ns = self._forwarding.deadline_ns
        if deadline_ns is not None:
            return Sleep(deadline_ns if due_ns is None else min(due_ns, deadline_ns))
        if due_ns is None and self._peers not in self._gone and self._has_played_all():
            return Sleep(now_ns + self._options.patience_ns)
        return super()._idle(due_ns, now_ns)

    def _patience_from(self) -> int:
        return max(super()._patience_from(), self._forwarding.rested_ns)

    def _stuck(self, step: Step, awaited: Expected | None) -> Over:
        """End without a word where the host is done: what it has not asked is told as missing."""
        return Over() if self._is_vain(awaited) else super()._stuck(step, awaited)
