"""Makes a recording of records that are there: a tape's, or what another tool's log tells.

The records are stored; frames and messages are derived from them as from those of a journal.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress

from tapproxy.framing import FRAMINGS
from tapproxy.ingest.deriving import Derived, Deriver
from tapproxy.ingest.rows import event_row, outcome
from tapproxy_store.errors import BadTape, CannotWrite
from tapproxy_store.line_reading import lines_of
from tapproxy_store.recording import ChunkRow, EventRow, RecordingWriter, create_or_open
from tapproxy_store.records import Chunk, Event, Session
from tapproxy_store.tape import read_tape

BATCH = 10_000
"""Records that are derived from at once."""
BATCH_SIZE = 1 << 22
"""Bytes of them, one chunk more or less."""

Records = Iterator[Session | Chunk | Event]
Reader = Callable[[Iterable[bytes], str], Records]
"""Takes a file's lines and its name, for messages."""


def import_tape(source: str, target: str, dialect: str | None = None) -> None:
    """Make the recording `target`, which must not exist, of the tape `source`.

    Raises BadTape (and leaves nothing behind), CannotWrite.
    """
    import_file(source, target, read_tape, dialect)


def import_file(source: str, target: str, read: Reader, dialect: str | None = None) -> None:
    """Make the recording `target`, which must not exist, of what `read` finds in a file.

    `dialect` overrides the one that is recognised. Raises what `read` does (and leaves nothing
    behind), CannotWrite.
    """
    if os.path.lexists(target):
        raise CannotWrite(f"{target} exists already; choose another name with -o")
    with open(source, "rb") as file:
        try:
            with create_or_open(target) as writer:
                _Import(writer, source, dialect).run(read(lines_of(file, source), source))
                writer.finish()
        except BaseException:
            with suppress(FileNotFoundError):
                os.unlink(target)  # not before it is closed: SQLite would leave its WAL behind
            raise


class _Import:
    """One transaction: a file with a bad line leaves nothing behind."""

    def __init__(self, writer: RecordingWriter, source: str, dialect: str | None) -> None:
        self._writer = writer
        self._source = source
        self._dialect = dialect
        self._run: _Session | None = None

    def run(self, records: Records) -> None:
        self._writer.begin()
        for record in records:
            if isinstance(record, Session):
                self._end()
                self._begin(record)
            elif self._run is not None:
                self._run.take(record)
        self._end()
        self._writer.commit()

    def _begin(self, session: Session) -> None:
        if session.framing not in FRAMINGS:
            raise BadTape(
                f'{self._source}: "framing" must be one of {", ".join(FRAMINGS)}, '
                f"not {session.framing!r}"
            )
        self._writer.put_session(session)
        self._run = _Session(self._writer, session, self._dialect)

    def _end(self) -> None:
        if self._run is not None:
            self._run.end()


class _Session:
    """One session on its way into the recording."""

    def __init__(self, writer: RecordingWriter, session: Session, dialect: str | None) -> None:
        self._writer = writer
        self._session = session
        self._deriver = Deriver(session, dialect)
        self._last_ns = 0
        self._outcome: str | None = None
        self._chunks: list[ChunkRow] = []
        self._events: list[EventRow] = []
        self._derived = Derived()
        self._size = 0  # of the chunks in hand, bytes

    def take(self, record: Chunk | Event) -> None:
        self._last_ns = record.t_ns
        if isinstance(record, Chunk):
            self._chunks.append(record)
            self._size += len(record.data)
            self._deriver.feed(record, self._derived)
        else:
            self._events.append(event_row(record))
            self._deriver.happened(record, self._derived)
            self._outcome = outcome(record.kind, record.detail) or self._outcome
        if len(self._chunks) + len(self._events) >= BATCH or self._size >= BATCH_SIZE:
            self._flush()

    def end(self) -> None:
        """Close the session; one written by hand may not say how long it took and how it ended."""
        session, interpreter = self._session, self._deriver.interpreter
        self._deriver.close(self._derived)
        self._flush()
        self._writer.set_dialect(
            session.id, interpreter.dialect, interpreter.reason, interpreter.traits
        )
        if session.duration_ns is None:
            ended = session.outcome or self._outcome or "imported"
            self._writer.end_session(session.id, self._last_ns, ended)
        self._writer.put_totals(self._deriver.totals())

    def _flush(self) -> None:
        derived = self._derived
        self._writer.insert(self._chunks, self._events, derived.frames, derived.messages)
        self._chunks, self._events, self._derived, self._size = [], [], Derived(), 0
