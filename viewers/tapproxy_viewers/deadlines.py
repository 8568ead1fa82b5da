"""What should have come and did not, told at the instant when it was due."""

from heapq import heappop, heappush

from tapproxy_store.records import Event, Frame, Message, Stream, Told
from tapproxy_viewers import words
from tapproxy_viewers.timeline import EventRow

SPEAKERS: dict[Stream, str] = {"in": "host", "out": "plugin", "err": "plugin"}

HASTE_NS = 100 * words.SECOND // 1000
"""So long before a deadline a host may give up: its clock began before the question was on record,
and it waits for a round number."""

GIVING_UP = {"signal", "eof", "exit"}
"""What a host does to a plugin that it has given up, and what comes of it."""

Question = tuple[int, int]
"""Its frame's number and its part of the frame."""


class Deadlines:
    """Fed with the entries of a session in their order."""

    def __init__(self, *, silence: bool = True, answers: bool = True) -> None:
        """Say what the entries can tell.

        `silence`: every frame is among them, so that a side's silence shows. `answers`: every
        question among them knows its answer, or the answer is among them too.
        """
        self._tells_silence = silence
        self._tells_answers = answers
        self._due: list[tuple[int, Question, str]] = []  # a heap: the earliest first, with words
        self._open: set[Question] = set()  # those in the heap that still matter
        self._next: dict[Stream, EventRow] = {}  # the row for it that the side's next frame is late
        self._promised_ns: dict[Stream, int] = {}  # how soon the side's last word said that it is

    def until(self, t_ns: int) -> list[EventRow]:
        """Return what was due before this instant, in the order in which it was; and forget it."""
        if not self._due and not self._next:
            return []
        missed: list[EventRow] = []
        while self._due and self._due[0][0] < t_ns:
            due_ns, question, said = heappop(self._due)
            if question in self._open:
                self._open.remove(question)
                missed.append(EventRow(due_ns, "bad", said))
        silent = [stream for stream, row in self._next.items() if row.t_ns < t_ns]
        missed += [self._next.pop(stream) for stream in silent]
        return sorted(missed, key=lambda row: row.t_ns)

    def heard(self, told: Told) -> None:
        """Take a frame: what it asks is to be answered, what it promises is to follow."""
        frame = told.frame
        if self._next:
            self._next.pop(frame.stream, None)
        for message in told.messages:
            if self._open and message.answers is not None:
                self._open.discard((message.answers, message.answers_part or 0))
            if message.asks:
                if message.within_ns is not None:
                    self._ask(frame.last_ns + message.within_ns, message, message.within_ns)
                self._promise(frame, self._promised_ns.get(frame.stream))
            elif self._tells_silence:
                self._promise(frame, message.within_ns)

    def happened(self, event: Event) -> list[EventRow]:
        """Take an event; return what was due before it, or so shortly after that it is the reason.

        Nobody waits for a plugin that is gone, or for a stream that is closed.
        """
        haste_ns = HASTE_NS if event.kind in GIVING_UP and self._open else 0
        missed = self.until(event.t_ns + haste_ns)
        self._let_go(event)
        return [EventRow(min(row.t_ns, event.t_ns), row.weight, row.words) for row in missed]

    def _let_go(self, event: Event) -> None:
        if event.kind == "exit":
            self._due.clear()
            self._open.clear()
            self._next.clear()
        elif event.kind == "eof" and event.detail.get("stream") == "out":
            self._next.pop("out", None)

    def _promise(self, frame: Frame, within_ns: int | None) -> None:
        """Expect the side's next frame so soon, or whenever it comes.

        Of a question `within_ns` is its answer's: the side goes on as it did before.
        """
        if within_ns is None:
            if self._promised_ns:
                self._promised_ns.pop(frame.stream, None)
            return
        said = f"{SPEAKERS[frame.stream]} is silent: nothing for {words.duration(within_ns)}"
        self._next[frame.stream] = EventRow(frame.last_ns + within_ns, "bad", said)
        self._promised_ns[frame.stream] = within_ns

    def _ask(self, due_ns: int, message: Message, within_ns: int) -> None:
        answered_ns = message.answered_after_ns
        if not self._tells_answers or (answered_ns is not None and answered_ns <= within_ns):
            return
        question = message.frame, message.part
        named = " ".join(filter(None, [f"#{message.frame}", message.method]))
        said = f"timeout: no answer to {named} in {words.duration(within_ns)}"
        heappush(self._due, (due_ns, question, said))
        self._open.add(question)
