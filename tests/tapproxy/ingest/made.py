"""Journals for the tests, told step by step, and all that a recording holds."""

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Self

from hypothesis import strategies as st

from tapproxy.ingest.derivation import Derivation
from tapproxy_store import journal
from tapproxy_store.journal_reading import JournalHeader, Record
from tapproxy_store.locks import hold
from tapproxy_store.records import STREAMS, Stream
from tests.store.made import query

MONO_NS = 987_654_321_123
STARTED_NS = 1_796_070_605_123_456_789  # 2026-11-30T20:30:05.123456789Z
ENDED_NS = STARTED_NS + 3_000_000_000
STEP_NS = 1_000_000

Rows = dict[str, list[tuple[Any, ...]]]
"""All rows by table."""


class Journal:
    """Grows a record at a time, each a millisecond after the one before it."""

    def __init__(self, **facts: Any) -> None:
        """Begin with the facts; `framing` is lines where nothing else is said."""
        self.started_ns = STARTED_NS
        self.records: list[Record] = []
        self.unrecorded = [0, 0, 0]
        self.ended_ns = 0
        self._ends = [0, 0, 0]
        self._t_ns = MONO_NS
        self._json(journal.FACTS, {"name": "plugin", "framing": "lines", **facts})

    def says(self, stream: Stream, data: bytes, *, lost: int = 0) -> Self:
        """Add a chunk, before which some bytes could not be recorded."""
        index = STREAMS.index(stream)
        self.loses(stream, lost)
        self._ends[index] += lost
        self._add(journal.CHUNK, index, self._ends[index], data)
        self._ends[index] += len(data)
        return self

    def loses(self, stream: Stream, size: int) -> Self:
        """Count bytes that were forwarded but could not be recorded."""
        self.unrecorded[STREAMS.index(stream)] += size
        return self

    def happens(self, kind: str, **detail: Any) -> Self:
        """Add an event."""
        return self._json(journal.EVENT, {"kind": kind, **detail})

    def ends(self) -> Self:
        """Add the orderly end."""
        self.ended_ns = ENDED_NS
        return self._json(journal.END, {"wall_ns": ENDED_NS})

    @property
    def header(self) -> JournalHeader:
        """What the reader finds at the journal's beginning by now."""
        lost_in, lost_out, lost_err = self.unrecorded
        return JournalHeader(MONO_NS, self.started_ns, (lost_in, lost_out, lost_err), self.ended_ns)

    def head(self) -> bytes:
        """Return the file's header."""
        return journal.HEADER.pack(
            journal.MAGIC, MONO_NS, self.started_ns, *self.unrecorded, self.ended_ns
        )

    def body(self) -> bytes:
        """Return the records as they are in the file."""
        return b"".join(map(packed, self.records))

    def write(self, path: str, tail: bytes = b"") -> str:
        """Write the file, and bytes after the last record; return its path."""
        with open(path, "wb") as file:
            file.write(self.head() + self.body() + tail)
        return path

    def rows(self, *, unreadable: int = 0) -> Rows:
        """Return what a finished recording of this journal holds."""
        return derived(self, [self.records], unreadable=unreadable)

    def _json(self, kind: int, value: dict[str, Any]) -> Self:
        return self._add(kind, journal.NO_STREAM, 0, json.dumps(value).encode())

    def _add(self, kind: int, stream: int, offset: int, data: bytes) -> Self:
        self._t_ns += STEP_NS
        self.records.append(Record(kind, stream, self._t_ns, offset, data))
        return self


class LiveJournal:
    """The journal's file while its session lives; the lock is ours."""

    def __init__(self, path: str, told: Journal) -> None:
        """Begin the file with what is told so far."""
        self.path = path
        self._told = told
        self._written = len(told.records)
        self._fd = os.open(told.write(path), os.O_RDWR)
        os.lseek(self._fd, 0, os.SEEK_END)
        hold(self._fd)

    def write(self) -> None:
        """Append what was told since."""
        new = self._told.records[self._written :]
        self._written = len(self._told.records)
        if new:
            os.write(self._fd, b"".join(map(packed, new)))
            os.pwrite(self._fd, self._told.head(), 0)

    def let_go(self) -> None:
        """Let the session be over."""
        if self._fd >= 0:
            os.close(self._fd)
        self._fd = -1


@contextmanager
def living(path: str, told: Journal) -> Iterator[LiveJournal]:
    """Have a session live until the block's end; what was told by then is written."""
    live = LiveJournal(path, told)
    try:
        yield live
        live.write()
    finally:
        live.let_go()


def packed(record: Record) -> bytes:
    """Return a record as it is in the file."""
    kind, stream, t_ns, offset, data = record
    head = journal.RECORD.pack(journal.MARK, kind, stream, len(data), t_ns, offset)
    return head + data


def derived(told: Journal, groups: list[list[Record]], *, unreadable: int = 0) -> Rows:
    """Return the rows that come of the records, delivered in these groups."""
    derivation = Derivation(told.header)
    parts = [derivation.take(group) for group in groups]
    parts.append(derivation.finish(told.header, unreadable=unreadable))
    session, interpreter = derivation.session, derivation.interpreter
    outcome = derivation.outcome or "unknown"
    learnt = (interpreter.dialect, interpreter.reason, json.dumps(interpreter.traits))
    return {
        "sessions": [(session.name, session.framing, derivation.duration_ns, outcome, *learnt)],
        "chunks": [tuple(row) for rows in parts for row in rows.chunks],
        "events": [tuple(row) for rows in parts for row in rows.events],
        "frames": sorted(tuple(row) for rows in parts for row in rows.frames),
        "messages": sorted(tuple(row) for rows in parts for row in rows.messages),
        "totals": sorted(derivation.totals()),
    }


def recorded(path: str) -> Rows:
    """Return what the file holds, in the form of `derived`."""
    columns = "name, framing, duration_ns, outcome, dialect, dialect_reason, traits"
    return {
        "sessions": query(path, f"select {columns} from sessions"),
        "chunks": query(path, "select * from chunks order by seq"),
        "events": query(path, "select * from events order by seq"),
        "frames": query(path, "select * from frames order by session, number"),
        "messages": query(path, "select * from messages order by session, frame, part"),
        "totals": query(path, "select * from totals order by session, stream"),
    }


PIECES = (
    b"\n", b"\r\n", b"\r", b"{", b"}", b'{"id":1}\n', b"abc", b"\xe4\xbd", b"\xa0", b"\x00\xff",
    b"Content-Length: 3\r\n\r\n", b"Content-Length: 30\n\n", b"X: y\r\n", b"Content-", b"Length: 2",
)  # fmt: skip

payloads = st.lists(st.sampled_from(PIECES), min_size=1, max_size=8).map(b"".join)
"""Bytes of which lines, Content-Length frames and neither can come."""

Step = Callable[[Journal], Journal]


def _happening(kind: str, **detail: Any) -> Step:
    return lambda told: told.happens(kind, **detail)


def _chunk(chunk: tuple[Stream, bytes, int]) -> Step:
    stream, data, lost = chunk
    return lambda told: told.says(stream, data, lost=lost)


_chunks = st.tuples(st.sampled_from(STREAMS), payloads, st.sampled_from((0, 0, 0, 1, 20)))
_events = st.sampled_from((
    _happening("stall", stream="out", reader="host", size=7),
    _happening("eof", stream="in", by="host"),
    _happening("eof", stream="out", by="plugin"),
    _happening("exit", code=3),
    _happening("exit", signal="SIGKILL"),
))  # fmt: skip


@st.composite
def journals(draw: st.DrawFn) -> Journal:
    """Draw a journal: chunks with gaps between them, events, with an end or without."""
    told = Journal(framing=draw(st.sampled_from(("auto", "lines", "content-length", "raw"))))
    for step in draw(st.lists(_chunks.map(_chunk) | _events, max_size=12)):
        step(told)
    told.loses("out", draw(st.sampled_from((0, 5))))
    return told.ends() if draw(st.booleans()) else told
