"""What goes to the real plugin and what comes from it, where it answers what a recording cannot.

It is told what opened the session, as the live host said it, and then each question that the
recording has no answer to. What it says about these goes to the host as its very bytes; what the
recording has said already is dropped. Does no I/O.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from tapproxy.dialects.api import UNKNOWN, Dialect
from tapproxy.replay.dialogue import Dialogue, Frames, Line, Piece, Whole, Words
from tapproxy.replay.findings import Finding
from tapproxy.replay.spoken import Spoken
from tapproxy_store.records import Session, Stream

SECOND = 1_000_000_000

LARGEST_MESSAGE = 1 << 28
"""Bytes of a message of the real plugin, which is held until it is whole."""

Token = int | str
"""Something that the plugin says while a session is opened: the answer to the live frame of that
number, or the notification of that method."""


class Question(NamedTuple):
    """Something that the host has asked and the recording cannot answer."""

    live: Spoken
    miss: Finding


class Settled(NamedTuple):
    """A question that is done with."""

    question: Question
    failure: str | None = None  # why the real plugin has not answered it


class News(NamedTuple):
    """Bytes of a new exchange that were read at once."""

    t_ns: int  # of the replay's clock
    stream: Stream
    data: bytes
    read: int  # its number among those of its stream


@dataclass(slots=True, eq=False)
class _Due:
    """A frame of the host that the real plugin is to get."""

    number: int  # of the live frame
    whole: Whole
    after: tuple[Token, ...]  # what it has to have said by then, as the host had heard it
    question: Question | None  # None: the recording has dealt with it
    since_ns: int


@dataclass(slots=True)
class Forwarding:
    """Fed with both sides' frames and the real plugin's bytes."""

    session: Session
    dialect: Dialect
    patience_ns: int
    learns: bool = False  # keep the news
    news: list[News] = field(default_factory=list)
    rested_ns: int = 0  # when a question was last done with
    unread: deque[Words] = field(default_factory=deque)  # what the host is to get
    _host: Frames = field(init=False)
    _dialogue: Dialogue = field(init=False)
    _due: deque[_Due] = field(default_factory=deque)  # in the host's order
    _is_wanted: bool = False  # whether there was a question
    _why_gone: str | None = None
    _last_word_ns: int = 0  # of the real plugin
    _openings: set[int] = field(default_factory=set)  # live frames of the host
    _had: list[Token] = field(default_factory=list)  # by the host, since its last frame
    _said: set[Token] = field(default_factory=set)  # by the real plugin
    _waiting: dict[int, _Due] = field(default_factory=dict)  # open questions, by live frame
    _asked: dict[int, _Due] = field(default_factory=dict)  # open, by frame of the dialogue
    _opened: dict[int, int] = field(default_factory=dict)  # openings, by frame of the dialogue
    _ours: set[int] = field(default_factory=set)  # frames whose answers the host is to get
    _strays: list[tuple[Finding, Whole | None]] = field(default_factory=list)
    _asking: deque[bool] = field(default_factory=deque)  # its questions that are not with the host
    _foreign: dict[int, bool] = field(default_factory=dict)  # those that are, by live frame: is new
    _settled: list[Settled] = field(default_factory=list)
    _to_plugin: deque[bytes] = field(default_factory=deque)

    def __post_init__(self) -> None:
        """Begin to listen."""
        self._host = Frames("in", self.session.framing)
        self._dialogue = Dialogue(self.session, self.dialect.name)

    # What the host and the recording say

    def cut(self, data: bytes, now_ns: int) -> list[Whole]:
        """Return the frames of the host that are over with these bytes."""
        return self._host.feed(data, now_ns)

    def cut_off(self) -> list[Whole]:
        """Return the host's frame that was open, as its stream is over."""
        return self._host.close()

    def takes_answer(self, live: Spoken, whole: Whole, now_ns: int) -> bool:
        """Take an answer to a question of the real plugin; False for any other frame."""
        is_new = self._foreign.get(live.answers or 0)
        if is_new is None:
            return False
        self._note("in", whole.pieces if is_new else ())
        self._pass(whole, now_ns)
        return True

    def overhear(self, live: Spoken, whole: Whole, stray: Finding | None, now_ns: int) -> None:
        """Take a frame of the host that asks nothing new; `stray`: it is not in the recording.

        The real plugin gets what opens a session, and notifications; a question might do something
        that is not to be done twice.
        """
        is_opening = live.asks and live.method in self.dialect.opening
        is_answer = live.asks or live.answers is not None
        is_notification = not is_answer and live.method is not None and live.kind != UNKNOWN
        if is_opening or is_notification:
            self._add(live, whole, None, now_ns)
        if stray is not None:
            self._strays.append((stray, whole if is_notification else None))

    def strays(self, *, is_last: bool = False) -> list[Finding]:
        """Return what the host has said unasked and the recording does not have, each once.

        It is forwarded where the real plugin is asked anything, which is known in the end.
        """
        if not (self._is_wanted or is_last):
            return []
        strays, self._strays = self._strays, []
        found = []
        for stray, whole in strays:
            is_forwarded = self._is_wanted and whole is not None
            found.append(replace(stray, kind="forwarded") if is_forwarded else stray)
            self._note("in", whole.pieces if is_forwarded and whole is not None else ())
        return found

    def ask(self, question: Question, whole: Whole, now_ns: int) -> None:
        """Have the real plugin answer a question."""
        self._is_wanted = True
        self._note("in", whole.pieces)
        self._add(question.live, whole, question, now_ns)

    def said(self, live: Spoken, *, by_recording: bool) -> None:
        """Take what goes to the host, from the recording or from the real plugin."""
        if live.answers in self._openings:
            self._had.append(live.answers or 0)
        elif not live.asks and live.answers is None and live.method in self.dialect.opening:
            self._had.append(live.method or "")
        if live.asks and not by_recording:
            self._foreign[live.number] = self._asking.popleft()

    # What the real plugin does

    def heard(self, data: bytes, now_ns: int) -> None:
        """Take what the real plugin has written; what is no message is as good as silence."""
        if self._why_gone is not None:
            return
        lines = self._dialogue.said("out", data, now_ns)
        if not lines or any(line.kinds - {UNKNOWN} for line in lines):
            self._last_word_ns = now_ns
        for line in lines:
            self._hear(line, now_ns)
        if self._dialogue.unended("out") > LARGEST_MESSAGE:
            self.left(f"wrote {LARGEST_MESSAGE >> 20} MB without an end", now_ns)
        self._move(now_ns)

    def left(self, why: str, now_ns: int) -> None:
        """Take note that it says nothing more, and why."""
        self._why_gone = self._why_gone or why
        self._move(now_ns)

    def held_up(self, now_ns: int) -> None:
        """Take note that until now it may have been kept from saying more."""
        self._last_word_ns = now_ns

    # What is to be done

    def next_for_plugin(self) -> bytes | None:
        """Return what is to be written to the real plugin, which is started by the first of it."""
        return self._to_plugin.popleft() if self._to_plugin else None

    def settled(self, now_ns: int) -> list[Settled]:
        """Return the questions that are done with since the last time."""
        deadline_ns = self.deadline_ns
        if deadline_ns is not None and now_ns >= deadline_ns:
            why = f"did not answer within {self.patience_ns / SECOND:g} s"
            self._fail(why, now_ns - self.patience_ns, now_ns)
        settled, self._settled = self._settled, []
        return settled

    @property
    def is_busy(self) -> bool:
        """Whether the host waits for an answer of the real plugin."""
        return bool(self._waiting)

    @property
    def deadline_ns(self) -> int | None:
        """Until when the real plugin has to say something; None where nothing is asked."""
        first = next(iter(self._waiting.values()), None)
        if first is None:
            return None
        return max(first.since_ns, self._last_word_ns) + self.patience_ns

    def _add(self, live: Spoken, whole: Whole, question: Question | None, now_ns: int) -> None:
        if live.asks and live.method in self.dialect.opening:
            self._openings.add(live.number)
        if self._why_gone is not None and question is None:
            return
        due = _Due(live.number, whole, tuple(self._had), question, now_ns)
        self._had = []
        self._due.append(due)
        if question is not None:
            self._waiting[live.number] = due
        self._move(now_ns)

    def _move(self, now_ns: int) -> None:
        """Tell the real plugin what it may be told by now, as the host would: in its order."""
        if self._why_gone is not None:
            self._fail(self._why_gone, now_ns, now_ns)
            self._due.clear()
        while self._is_wanted and self._due and self._said.issuperset(self._due[0].after):
            due = self._due.popleft()
            for line in self._pass(due.whole, now_ns):
                self._follow(line, due, now_ns)

    def _pass(self, whole: Whole, now_ns: int) -> list[Line]:
        self._to_plugin.append(whole.data)
        return self._dialogue.said("in", whole.data, now_ns)

    def _follow(self, line: Line, due: _Due, now_ns: int) -> None:
        """Take note of what the real plugin was told."""
        if line.asks:
            self._asked[line.number] = due
        if due.number in self._openings:
            self._opened[line.number] = due.number
        if due.question is not None:
            self._ours.add(line.number)
        for number in line.about & self._asked.keys():  # cancelled: no answer need come
            self._done(self._asked.pop(number), now_ns)

    def _hear(self, line: Line, now_ns: int) -> None:
        is_ours = not self._ours.isdisjoint(line.answers | line.about)
        is_new = is_ours or any(it.question is not None for it in self._asked.values())
        if is_ours or line.asks:
            self._hand_on(line.whole, is_new=is_new)
        if line.asks:
            self._ours.add(line.number)
            self._asking.append(is_new)
        self._said.update(self._opened[it] for it in line.answers & self._opened.keys())
        for number in line.answers & self._asked.keys():
            self._done(self._asked.pop(number), now_ns)
        if not line.asks and not line.answers:
            self._said |= line.methods & self.dialect.opening

    def _done(self, due: _Due, now_ns: int, failure: str | None = None) -> None:
        if due.question is not None:
            del self._waiting[due.number]
            self.rested_ns = now_ns
            self._settled.append(Settled(due.question, failure))

    def _fail(self, why: str, until_ns: int, now_ns: int) -> None:
        """Give up what was asked until then: what is said about it later is not handed on."""
        late = [it for it in self._waiting.values() if it.since_ns <= until_ns]
        told = [number for number, it in self._asked.items() if it in late]
        self._ours.difference_update(told)
        for number in told:
            del self._asked[number]
        for it in late:
            self._done(it, now_ns, why)
            if it in self._due:
                self._due.remove(it)

    def _hand_on(self, whole: Whole, *, is_new: bool) -> None:
        """Have the host get at once what was written at once, and apart what was not."""
        self._note("out", whole.pieces if is_new else ())
        for at, (read, _, data) in enumerate(whole.pieces, 1):
            before = Words(read, b"", 0)
            if self.unread and self.unread[-1].read == read:
                before = self.unread.pop()
            ended = before.ended + int(at == len(whole.pieces))
            self.unread.append(Words(read, before.data + data, ended))

    def _note(self, stream: Stream, pieces: Sequence[Piece]) -> None:
        for read, t_ns, data in pieces if self.learns else ():
            last = self.news[-1] if self.news else None
            if last is not None and (last.stream, last.read) == (stream, read):
                self.news[-1] = last._replace(data=last.data + data)
            else:
                self.news.append(News(t_ns, stream, data, read))
