"""Makes a recording of a tape: its records are stored, its frames derived as those of a journal."""

import os
from collections.abc import Iterator
from contextlib import suppress

from tapproxy.framing import FRAMINGS
from tapproxy.ingest.cutter import SessionCutter
from tapproxy.ingest.rows import event_row, outcome
from tapproxy_store.errors import BadTape, CannotWrite
from tapproxy_store.recording import (
    ChunkRow,
    EventRow,
    FrameRow,
    RecordingWriter,
    create_or_open,
)
from tapproxy_store.records import Chunk, Event, Session
from tapproxy_store.tape import read_tape

BATCH = 10_000
"""Records of one transaction."""


def import_tape(source: str, target: str) -> None:
    """Make the recording `target`, which must not exist, of the tape `source`.

    Raises BadTape (and leaves nothing behind), CannotWrite.
    """
    if os.path.lexists(target):
        raise CannotWrite(f"{target} exists already; choose another name with -o")
    with open(source, "rb") as lines:
        try:
            with create_or_open(target) as writer:
                _Import(writer, source).run(read_tape(lines, source))
                writer.finish()
        except BaseException:
            with suppress(FileNotFoundError):
                os.unlink(target)  # not before it is closed: SQLite would leave its WAL behind
            raise


class _Import:
    """One transaction: a tape with a bad line leaves nothing behind."""

    def __init__(self, writer: RecordingWriter, source: str) -> None:
        self._writer = writer
        self._source = source
        self._session: Session | None = None
        self._cutter = SessionCutter(0, "auto")
        self._last_ns = 0
        self._outcome: str | None = None
        self._chunks: list[ChunkRow] = []
        self._events: list[EventRow] = []
        self._frames: list[FrameRow] = []

    def run(self, records: Iterator[Session | Chunk | Event]) -> None:
        self._writer.begin()
        for record in records:
            if isinstance(record, Session):
                self._end()
                self._begin(record)
            elif isinstance(record, Chunk):
                self._chunk(record)
            else:
                self._event(record)
            if len(self._chunks) + len(self._events) >= BATCH:
                self._flush()
        self._end()
        self._writer.commit()

    def _begin(self, session: Session) -> None:
        if session.framing not in FRAMINGS:
            raise BadTape(
                f'{self._source}: "framing" must be one of {", ".join(FRAMINGS)}, '
                f"not {session.framing!r}"
            )
        self._session = session
        self._cutter = SessionCutter(session.id, session.framing)
        self._last_ns, self._outcome = 0, None
        self._writer.put_session(session)

    def _chunk(self, chunk: Chunk) -> None:
        self._last_ns = chunk.t_ns
        self._chunks.append(chunk)
        self._frames += self._cutter.feed(chunk)

    def _event(self, event: Event) -> None:
        self._last_ns = event.t_ns
        self._events.append(event_row(event))
        self._frames += self._cutter.happened(event)
        self._outcome = outcome(event.kind, event.detail) or self._outcome

    def _flush(self) -> None:
        self._writer.insert(self._chunks, self._events, self._frames)
        self._chunks, self._events, self._frames = [], [], []

    def _end(self) -> None:
        """Close the session; one written by hand may not say how long it took and how it ended."""
        session = self._session
        if session is None:
            return
        self._frames += self._cutter.close()
        self._flush()
        if session.duration_ns is None:
            ended = session.outcome or self._outcome or "unknown"
            self._writer.end_session(session.id, self._last_ns, ended)
