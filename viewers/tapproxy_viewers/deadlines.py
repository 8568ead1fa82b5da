"""What should have come and did not, told at the instant when it was due."""

from typing import Any

from tapproxy_store.records import Event, Message, Stream, Told
from tapproxy_viewers import words
from tapproxy_viewers.timeline import EventRow

SPEAKERS: dict[Stream, str] = {"in": "host", "out": "plugin"}


Due = tuple[int, str]
"""When, since the session's start in nanoseconds, and the words for it that it did not come."""


class Deadlines:
    """Fed with the entries of a session in their order."""

    def __init__(self, *, whole: bool) -> None:
        """`whole`: every frame is fed, so that a side's silence can be told."""
        self._whole = whole
        self._answers: dict[tuple[int, int], Due] = {}  # by the question's frame and part
        self._next: dict[Stream, Due] = {}

    def until(self, t_ns: int) -> list[EventRow]:
        """Return what was due before this instant, in the order in which it was; and forget it."""
        missed = [*_missed(self._answers, t_ns), *_missed(self._next, t_ns)]
        return [EventRow(due_ns, "bad", said) for due_ns, said in sorted(missed)]

    def heard(self, told: Told) -> None:
        """Take a frame: what it asks is to be answered, what it promises is to follow."""
        frame = told.frame
        if self._next:
            self._next.pop(frame.stream, None)
        for message in told.messages:
            if self._answers and message.answers is not None:
                self._answers.pop((message.answers, message.answers_part or 0), None)
            if message.within_ns is None:
                continue
            due_ns = frame.last_ns + message.within_ns
            if message.asks:
                self._ask(due_ns, message)
            elif self._whole:
                said = f"{SPEAKERS.get(frame.stream, 'plugin')} is silent: nothing for "
                self._next[frame.stream] = due_ns, said + words.duration(message.within_ns)

    def happened(self, event: Event) -> None:
        """Take an event: nobody waits for a plugin that is gone, or for a stream that is closed."""
        if event.kind == "exit":
            self._answers.clear()
            self._next.clear()
        elif event.kind == "eof" and event.detail.get("stream") == "out":
            self._next.pop("out", None)

    def _ask(self, due_ns: int, message: Message) -> None:
        answered_ns, within_ns = message.answered_after_ns, message.within_ns or 0
        if answered_ns is not None and answered_ns <= within_ns:
            return
        named = " ".join(filter(None, [f"#{message.frame}", message.method]))
        said = f"timeout: no answer to {named} in {words.duration(within_ns)}"
        self._answers[message.frame, message.part] = due_ns, said


def _missed(dues: dict[Any, Due], t_ns: int) -> list[Due]:
    """Take out what was due before the instant."""
    late = [key for key, due in dues.items() if due[0] < t_ns] if dues else []
    return [dues.pop(key) for key in late]
