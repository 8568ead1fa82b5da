"""Redacts the records of a session while they come, and lets them go in their order.

Whoever reads messages from them must meet a question before its answer: what came after a chunk
waits until that is decided.
"""

from collections import deque

from tapproxy.redaction.sessions import SessionRedactor
from tapproxy_store.records import STREAMS, Chunk, Event, Session

MOST_WAITING = 1 << 23
"""Bytes that wait for an earlier chunk at most; then this one is decided as it is."""

_ENDS = ("eof", "broken-pipe")
"""Events after which nothing comes on their stream."""


class InOrder:
    """Takes chunks and events in their order, and returns them so."""

    def __init__(self, redactor: SessionRedactor) -> None:
        self.redactor = redactor
        self.learnt_late = False  # something was let go before a secret was known
        self._waiting: deque[Chunk | Event] = deque()
        self._decided: dict[int, Chunk] = {}  # by seq
        self._size = 0  # bytes of the chunks that wait
        self._known = redactor.learnt
        self._let_go = False

    def begun(self, session: Session) -> Session:
        """Return the session with what was known of it at its start."""
        made = self.redactor.session(session)
        self._known = self.redactor.learnt
        return made

    def feed(self, record: Chunk | Event) -> list[Chunk | Event]:
        """Return what is decided with this record."""
        if isinstance(record, Chunk):
            self._waiting.append(record)
            self._size += len(record.data)
            self._decide(self.redactor.feed(record))
        else:
            if record.kind in _ENDS:
                self._decide(self.redactor.flush(str(record.detail.get("stream"))))
            self._waiting.append(self.redactor.event(record))
        released = self._released()
        while self._size > MOST_WAITING:
            self._decide(self.redactor.flush(self._first_waiting()))
            released += self._released()
        return released

    def close(self) -> list[Chunk | Event]:
        """Return whatever waits."""
        for stream in STREAMS:
            self._decide(self.redactor.flush(stream))
        return self._released()

    def _decide(self, chunks: list[Chunk]) -> None:
        for chunk in chunks:
            self._decided[chunk.seq] = chunk

    def _first_waiting(self) -> str:
        return next(it.stream for it in self._waiting if isinstance(it, Chunk))

    def _released(self) -> list[Chunk | Event]:
        if self._known != self.redactor.learnt:
            self._known = self.redactor.learnt
            self.learnt_late = self.learnt_late or self._let_go
        released: list[Chunk | Event] = []
        waiting, decided = self._waiting, self._decided
        while waiting:
            first = waiting[0]
            if isinstance(first, Chunk):
                if first.seq not in decided:
                    break
                first = decided.pop(first.seq)
                self._size -= len(first.data)
            waiting.popleft()
            released.append(first)
        self._let_go = self._let_go or bool(released)
        return released
