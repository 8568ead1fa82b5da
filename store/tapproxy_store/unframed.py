"""Finds the bytes of a live session that no frame has claimed yet."""

import sqlite3

from tapproxy_store.records import STREAMS, Frame, Stream
from tapproxy_store.sqlite_errors import BentRow

_LAST_FRAMES = """
    SELECT stream, max(number), end_offset, last_chunk FROM frames
    WHERE session = ? AND number > ? GROUP BY stream"""

_LAST_CHUNKS = """
    SELECT stream, max(seq), t_ns, start_offset + length(bytes) FROM chunks
    WHERE session = ? AND seq > ? GROUP BY stream"""

_CHUNK_OF_OFFSET = """
    SELECT seq, t_ns FROM chunks
    WHERE session = ? AND stream = ? AND seq >= ? AND start_offset + length(bytes) > ?
    ORDER BY seq LIMIT 1"""


class Unframed:
    """Remembers how far each stream was framed, so that asking often reads only what is new."""

    def __init__(self, connection: sqlite3.Connection, session_id: int) -> None:
        self._connection = connection
        self._session_id = session_id
        self._framed: dict[str, tuple[int, int, int]] = {}  # number, end_offset, last_chunk
        self._arrived: dict[str, tuple[int, int, int]] = {}  # seq, t_ns, end offset

    def find(self) -> list[Frame]:
        """Return one frame, number 0, for each stream that has such bytes."""
        self._update(_LAST_FRAMES, self._framed)
        self._update(_LAST_CHUNKS, self._arrived)
        return [frame for stream in STREAMS if (frame := self._open_frame(stream)) is not None]

    def _update(self, sql: str, known: dict[str, tuple[int, int, int]]) -> None:
        after = max((number for number, _, _ in known.values()), default=0)
        for stream, *values in self._connection.execute(sql, (self._session_id, after)):
            if stream not in STREAMS or not all(type(value) is int for value in values):
                raise BentRow("a row of frames or chunks holds values of the wrong type")
            known[stream] = (values[0], values[1], values[2])

    def _open_frame(self, stream: Stream) -> Frame | None:
        if stream not in self._arrived:
            return None
        last_chunk, last_ns, end = self._arrived[stream]
        _, start, after_chunk = self._framed.get(stream, (0, 0, 0))
        place = (self._session_id, stream, after_chunk, start)
        first = self._connection.execute(_CHUNK_OF_OFFSET, place).fetchone()
        if first is None:
            return None
        return Frame(
            session=self._session_id,
            number=0,
            stream=stream,
            start_offset=start,
            end_offset=end,
            first_chunk=first[0],
            last_chunk=last_chunk,
            first_ns=first[1],
            last_ns=last_ns,
            header_size=0,
            terminator="none",
            flaw="unfinished",
        )
