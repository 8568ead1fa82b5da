"""A journal's records turned into rows: deterministic, so that it may be begun anew at any time."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tapproxy.framing import FRAMINGS
from tapproxy.ingest.deriving import Derived, Deriver
from tapproxy.ingest.rows import event_row, outcome
from tapproxy_store.journal import CHUNK, END, FACTS
from tapproxy_store.records import STREAMS, Chunk, Event, Session
from tapproxy_store.rows import json_object

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tapproxy.dialects.interpreter import Interpreter
    from tapproxy.redaction.in_order import InOrder
    from tapproxy_store.journal_reading import JournalHeader, Record
    from tapproxy_store.recording import ChunkRow, EventRow, TotalsRow

SESSION = 1
"""A journal makes a recording of its own."""


_new = tuple.__new__  # half the cost of Chunk(...), and there is one for every read


@dataclass(slots=True)
class Rows(Derived):
    """What one transaction adds; each row has its table's columns in order."""

    chunks: list[ChunkRow] = field(default_factory=list)
    events: list[EventRow] = field(default_factory=list)


class Derivation:
    """Turns the records of one journal into a session and its rows, in one pass."""

    def __init__(self, header: JournalHeader) -> None:
        self.session = _session(header, {})  # until the facts come: they are the first record
        self.outcome: str | None = None
        self._header = header
        self._seq = 0
        self._t_ns = 0  # of the last record, since the session's start
        self._ends = [0, 0, 0]  # of the streams so far
        self._gaps = [0, 0, 0]  # bytes known to be missing
        self._deriver = Deriver(self.session)
        self._ended = False
        self.redaction: InOrder | None = None  # where one was asked for

    def take(self, records: list[Record]) -> Rows:
        """Return the rows that these records make."""
        rows = Rows()
        began = self._header.mono_ns
        for record in records:
            kind, stream, t_ns, offset, data = record
            self._t_ns = max(t_ns - began, 0)  # before the start only where it is damaged
            if kind == CHUNK:
                if offset != self._ends[stream]:
                    self._missing(stream, offset, rows)
                self._ends[stream] = offset + len(data)
                self._seq += 1
                its = (self._seq, SESSION, STREAMS[stream], self._t_ns, offset, data)
                chunk = _new(Chunk, its)
                if self.redaction is None:
                    rows.chunks.append(chunk)
                    self._deriver.feed(chunk, rows)
                else:
                    self._enter(self.redaction.feed(chunk), rows)
            elif kind == FACTS:
                self._begin(_object(data))
            else:
                self._happened(kind, _object(data), rows)
        return rows

    def finish(
        self, header: JournalHeader, *, unreadable: int, noticed_ns: int | None = None
    ) -> Rows:
        """Return the rows that only the end of the journal makes.

        `header` as it is by then; `unreadable` bytes at the journal's end are torn or damaged;
        `noticed_ns` is the monotonic clock when it was seen that nobody writes any more, if it was.
        """
        rows = Rows()
        if self.redaction is not None:
            self._enter(self.redaction.close(), rows)
        for index, stream in enumerate(STREAMS):
            missing = header.unrecorded[index] - self._gaps[index]
            if missing > 0:
                self._gap(rows, stream, self._ends[index], missing)
        if header.ended_ns and not self._ended:
            self._note(rows, "the last events could not be written to the journal")
            self.outcome = self.outcome or "end not recorded"
        if unreadable:
            self._note(rows, f"the last {unreadable} bytes of the journal are no whole record")
        if not header.ended_ns and not self._ended:
            if noticed_ns is not None:
                self._t_ns = max(self._t_ns, noticed_ns - self._header.mono_ns)
            self._event(rows, "recorder-killed", {"noticed": noticed_ns is not None})
            self.outcome = self.outcome or "recorder killed"
        self._deriver.close(rows)
        return rows

    @property
    def duration_ns(self) -> int:
        """Time from the session's start to the last record."""
        return self._t_ns

    @property
    def interpreter(self) -> Interpreter:
        """What knows the session's dialect."""
        return self._deriver.interpreter

    def totals(self) -> list[TotalsRow]:
        """Return how much each stream held so far."""
        return self._deriver.totals()

    def _begin(self, facts: dict[str, Any]) -> None:
        session = _session(self._header, facts)
        self.redaction = _redaction(facts, session.framing)
        self.session = session if self.redaction is None else self.redaction.begun(session)
        self._deriver = Deriver(self.session)

    def _missing(self, stream: int, offset: int, rows: Rows) -> None:
        size = offset - self._ends[stream]
        self._gaps[stream] += size
        self._gap(rows, STREAMS[stream], self._ends[stream], size)

    def _happened(self, record_kind: int, detail: dict[str, Any], rows: Rows) -> None:
        kind = "end" if record_kind == END else str(detail.pop("kind", "unknown"))
        self._ended = self._ended or record_kind == END
        self.outcome = outcome(kind, detail) or self.outcome
        self._event(rows, kind, detail)

    def _note(self, rows: Rows, message: str) -> None:
        self._event(rows, "recording-error", {"errno": "EIO", "message": message})

    def _gap(self, rows: Rows, stream: str, start: int, size: int) -> None:
        self._event(rows, "gap", {"stream": stream, "from": start, "size": size})

    def _event(self, rows: Rows, kind: str, detail: dict[str, Any]) -> None:
        self._seq += 1
        event = Event(self._seq, SESSION, self._t_ns, kind, detail)
        self._enter([event] if self.redaction is None else self.redaction.feed(event), rows)

    def _enter(self, records: Sequence[Chunk | Event], rows: Rows) -> None:
        for record in records:
            if isinstance(record, Chunk):
                rows.chunks.append(record)
                self._deriver.feed(record, rows)
            else:
                rows.events.append(event_row(record))
                self._deriver.happened(record, rows)


def _redaction(facts: dict[str, Any], framing: str) -> InOrder | None:
    """Take the redaction out of the facts; what does it is imported only where it was asked for."""
    if "redaction" not in facts:
        return None
    from tapproxy.redaction.asked import find_redaction

    return find_redaction(facts, framing)


def _object(data: bytes) -> dict[str, Any]:
    """Return the JSON object; not by orjson, because names may hold lone surrogates (raw bytes)."""
    return json_object(data.decode("utf-8", "backslashreplace"))


def _session(header: JournalHeader, facts: dict[str, Any]) -> Session:
    framing = facts.get("framing")
    return Session(
        id=SESSION,
        name=str(facts.get("name", "")),
        started_ns=header.wall_ns,
        started_mono_ns=header.mono_ns,
        duration_ns=None,
        outcome=None,
        framing=framing if framing in FRAMINGS else "auto",
        facts=facts,
    )
