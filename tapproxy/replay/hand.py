"""Shows each step to somebody at a terminal before it is taken, and does what that one decides."""

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

import anyio
from anyio.abc import TaskStatus

from tapproxy.replay import stepping
from tapproxy.replay.doing import Perform, Send
from tapproxy.replay.editing import NotEdited, editable, edited, editor_of
from tapproxy.replay.script import Item
from tapproxy.replay.spoken import Spoken
from tapproxy.replay.telling import bytes_part, event_part, noted, spoken_part
from tapproxy.replay.terminal import Terminal
from tapproxy_store.reading import Recording
from tapproxy_store.records import Event, Session
from tapproxy_viewers.layout import layout
from tapproxy_viewers.lines import Line
from tapproxy_viewers.replay_script import Planned, heads, item_lines, live_line

Due = Send | Perform

ERASE_LINE = "\r\x1b[K"

TERMINAL_GONE = "the terminal is gone"

OVER = "the replay is over"


@dataclass(slots=True)
class Asked:
    """What is asked about just now."""

    due: Due
    planned: Planned | None  # as it is drawn; None: it is not from the recording
    answered: anyio.Event
    decision: Due | None = None  # None: it is left out

    def settle(self, decision: Due | None) -> None:
        """Decide it."""
        self.decision = decision
        self.answered.set()


class Hand:
    """Somebody at a terminal."""

    def __init__(
        self,
        terminal: Terminal,
        recording: Recording,
        session: Session,
        ends: Sequence[str] = (),
    ) -> None:
        """Take the recording that is played; `ends` are signals that end the replay."""
        self._terminal = terminal
        self._ends = [getattr(signal, it) for it in ends]
        self._recording = recording
        frames = sum(recording.counts(session.id).frames.values())
        self._place = layout(terminal.columns, session.duration_ns or 0, frames)
        self._steps: dict[int, Planned] = {}
        self._asked: Asked | None = None
        self._question = ""  # that stands on the terminal, without an answer
        self._is_off = False  # nothing more is asked
        self._unshown = 0  # lines of what came while the terminal was halted

    def watched(self, items: Iterator[Item]) -> Iterator[Item]:
        """Return the script as it is; its steps can be shown from when they are read."""
        return noted(items, self._recording.payload, self._steps)

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Have keys come singly while the replay goes on."""
        with self._terminal.keyed():
            self._tell([heads(self._place)])
            try:
                yield
            finally:
                if self._question:
                    self._close("")
                self._tell([[("quiet", OVER)]])

    async def attend(self, end: Callable[[str], None], *, task_status: TaskStatus[None]) -> None:
        """Take keys until nothing more is to be asked."""
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._terminal.speak)
            if self._ends:
                await tasks.start(self._end_at_signals, end)
            task_status.started()
            while not self._is_off:
                typed = await self._terminal.read()
                if not typed:
                    end(TERMINAL_GONE)
                    return
                for answer in stepping.answers(typed):
                    if answer == "end":
                        end(stepping.ENDED_BY_HAND)
                    else:
                        await self._take(answer)

    async def _end_at_signals(
        self, end: Callable[[str], None], *, task_status: TaskStatus[None]
    ) -> None:
        with anyio.open_signal_receiver(*self._ends) as signals:
            task_status.started()
            async for number in signals:
                end(f"{number.name} came")

    async def decided(self, due: Due) -> Due | None:
        """Show what is due and return what is to be done instead, None: nothing."""
        planned = None if due.step is None else self._steps.pop(due.step.number, None)
        if self._is_off:
            return due
        asked = self._asked = Asked(due, planned, anyio.Event())
        try:
            self._ask(asked)
            await asked.answered.wait()
        finally:
            self._asked = None
        return asked.decision

    def saw(self, happened: Event | None, spoken: Sequence[Spoken]) -> None:
        """Show what the other side did."""
        if self._is_off:
            return
        lines = [live_line("came", it.stream, spoken_part(it), self._place) for it in spoken]
        if happened is not None:
            lines.append(live_line("came", None, event_part(happened), self._place))
        if self._terminal.is_behind:
            self._unshown += len(lines)
        elif lines:
            self._tell([*self._caught_up(), *lines])

    def _caught_up(self) -> Iterator[Line]:
        """Say how much was not shown, if anything."""
        if self._unshown:
            yield [("quiet", f"… {self._unshown:,} more came while the terminal was halted")]
        self._unshown = 0

    async def _take(self, answer: stepping.Answer) -> None:
        """Do what a key says; where nothing is asked, nothing."""
        asked = self._asked
        if asked is None or asked.answered.is_set():
            return
        if answer == "help":
            self._help(asked)
        elif answer == "edit":
            if isinstance(asked.due, Send):
                await self._edit(asked, asked.due)
        else:
            self._close(stepping.SAID[answer])
            if answer == "go on":
                self._is_off = True
                self._terminal.release()
            asked.settle(None if answer == "skip" else asked.due)

    def _help(self, asked: Asked) -> None:
        is_write = isinstance(asked.due, Send)
        told = stepping.keys(editor_of(os.environ), is_write=is_write)
        self._tell([[("quiet", it)] for it in told])

    async def _edit(self, asked: Asked, due: Send) -> None:
        part, editor = editable(due), editor_of(os.environ)
        name = "answer" if due.step is None else f"step-{due.step.number}"
        is_json = part.text.lstrip()[:1] in (b"{", b"[")
        self._close("edit")
        try:
            with self._terminal.lent() as terminal:
                text = await edited(part.text, editor, terminal, name + ".json" * is_json)
        except NotEdited as error:
            self._tell([[("bad", f"not edited: {error}")]])
        else:
            data = part.joined(text)
            if data != due.data:
                asked.due = replace(due, data=data, is_edited=True)
        self._ask(asked)

    def _ask(self, asked: Asked) -> None:
        due = asked.due
        self._tell(self._drawn(asked))
        number = None if due.step is None else due.step.number
        self._question = stepping.question(number, is_write=isinstance(due, Send))
        self._terminal.say(self._question)

    def _drawn(self, asked: Asked) -> list[Line]:
        due, planned = asked.due, asked.planned
        if isinstance(due, Send) and (due.is_edited or planned is None):
            remark = "edited" if due.is_edited else "answer to what is not recorded"
            frame = None if planned is None else planned.parts[0].frame
            return [live_line("send", due.stream, bytes_part(due.data, remark, frame), self._place)]
        return [] if planned is None else list(item_lines(planned, self._place))

    def _tell(self, lines: list[Line]) -> None:
        """Write lines; a question that stands there comes after them."""
        said = self._terminal.drawn(lines)
        if self._question:
            self._terminal.say(f"{ERASE_LINE}{said}{self._question}")
        else:
            self._terminal.say(said)

    def _close(self, answer: str) -> None:
        """Write the answer behind the question."""
        self._question = ""
        self._terminal.say(f"{answer}\n")
