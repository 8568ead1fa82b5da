"""Reads a tape, the text form of a recording, line by line (its page: docs/tape.md)."""

from collections.abc import Iterable, Iterator

from tapproxy_store.errors import BadTape
from tapproxy_store.exact_json import BadLine, exact
from tapproxy_store.records import MOST_SESSIONS, Chunk, Event, Session, Stream
from tapproxy_store.tape_elements import Elements
from tapproxy_store.tape_header import EXAMPLE, session_of_header

BOM = "\ufeff"
"""What some editors put before the first line."""
BLANK = " \t\r\n"
"""What JSON allows between its words."""


def read_tape(
    lines: Iterable[bytes | str], name: str = "tape"
) -> Iterator[Session | Chunk | Event]:
    """Yield what each line says: a session, then its chunks and events, numbered in their order.

    Raises BadTape: `name`, line, column, what is wrong there, and what belongs there.
    """
    reader = _Reader()
    number = 0
    try:
        for number, line in enumerate(lines, 1):
            text = _text(line)
            if number == 1:
                text = text.removeprefix(BOM)
            if text:
                yield reader.read(text)
        number += 1
        reader.finish()
    except BadLine as error:
        raise BadTape(f"{name}:{number}:{error.column}: {error.words}") from error


class _Reader:
    """What the next line follows on."""

    def __init__(self) -> None:
        self._seq = 0
        self._session = 0  # id; 0 before the first header
        self._sessions = 0
        self._offsets: dict[Stream, int] = {}  # where each stream goes on

    def read(self, line: str) -> Session | Chunk | Event:
        """Return what the line says; raises BadLine."""
        value = exact(line)
        if isinstance(value, dict):
            self._sessions += 1
            if self._sessions > MOST_SESSIONS:
                raise BadLine(1, f"a tape has at most {MOST_SESSIONS:,} sessions: split it")
            session = session_of_header(line, self._session)
            self._session = session.id
            self._offsets = {}
            return session
        if self._session == 0:
            raise BadLine(1, f"no session has begun; expected {EXAMPLE}")
        if not isinstance(value, list):
            raise BadLine(1, "expected a header {…}, or an array […] for a chunk or an event")
        self._seq += 1
        return self._record(Elements(line, value))

    def finish(self) -> None:
        """Refuse a tape that has no header: it has nothing at all."""
        if self._session == 0:
            raise BadLine(1, f"the tape ends here; expected {EXAMPLE}")

    def _record(self, array: Elements) -> Chunk | Event:
        t_ns = array.time(0)
        stream = array.stream_or_event(1)
        if stream == "event":
            kind, detail = array.kind(2), array.detail(3)
            array.check_end(4)
            return Event(self._seq, self._session, t_ns, kind, detail)
        data = array.data(2)
        offset = array.offset(3, len(data), self._offsets.get(stream, 0))
        array.check_end(4)
        self._offsets[stream] = offset + len(data)
        return Chunk(self._seq, self._session, stream, t_ns, offset, data)


def _text(line: bytes | str) -> str:
    if isinstance(line, str):
        return line.rstrip(BLANK)
    try:
        return line.decode().rstrip(BLANK)
    except UnicodeDecodeError as error:
        column = len(line[: error.start].decode()) + 1
        raise BadLine(column, "this is not UTF-8; such bytes belong in base64") from error
