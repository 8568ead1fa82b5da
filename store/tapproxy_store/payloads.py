"""Puts a frame's bytes together from its chunks."""

import sqlite3
from collections.abc import Iterator

from tapproxy_store.bounds import Extent
from tapproxy_store.records import Chunk, Frame
from tapproxy_store.rows import SELECT_CHUNKS, TERMINATORS, Row, checked_chunks, chunks_of, weight
from tapproxy_store.sqlite_errors import BentRow, reading

AHEAD_ROWS = 256
AHEAD_BYTES = 1 << 18
"""How many chunks are read ahead, and how many bytes of them, when frames are read in order."""

MOST_IDLE = 100_000
"""Chunks of a stream, between the first and the last of a frame, that have no part in it. There are
none, unless a tape was written so; a file may have each frame read all chunks for nothing."""

_FROM = f"{SELECT_CHUNKS} WHERE seq >= ? ORDER BY seq"
_REST = f"""{SELECT_CHUNKS}
    WHERE seq > ? AND seq <= ? AND session = ? AND stream = ? ORDER BY seq"""


class Payloads:
    """Reads frames' bytes; keeps a run of chunks, for the next frame mostly begins among them."""

    def __init__(self, connection: sqlite3.Connection, path: str, extent: Extent) -> None:
        self._connection = connection
        self._path = path
        self._extent = extent
        self._idle = 0
        self._kept: dict[int, Row] = {}  # chunks by seq
        self._last_kept = 0  # seq

    def body(self, frame: Frame, limit: int | None) -> bytes:
        """Return the bytes between header and terminator, the first `limit` of them."""
        start = frame.start_offset + frame.header_size
        end = frame.end_offset - TERMINATORS[frame.terminator]
        return self.span(frame, start, end if limit is None else min(end, start + limit))

    def span(self, frame: Frame, start: int, end: int) -> bytes:
        """Return the bytes of the frame's stream from offset `start` to before `end`."""
        pieces, at = [], start
        for offset, data in self._chunks(frame):
            piece = data[max(0, at - offset) : max(0, end - offset)]
            pieces.append(piece)
            at += len(piece)
            self._check(len(piece), at - start)
            if at >= end:
                break
        return b"".join(pieces)

    def pieces(self, frame: Frame) -> Iterator[Chunk]:
        """Yield the parts of the frame's exact bytes that arrived in one read each."""
        place = (frame.first_chunk - 1, frame.last_chunk, frame.session, frame.stream)
        with reading(self._path):
            for row in self._connection.execute(_REST, place):
                (chunk,) = chunks_of([row])
                start = max(frame.start_offset - chunk.start_offset, 0)
                data = chunk.data[start : max(frame.end_offset - chunk.start_offset, 0)]
                self._check(len(data), 0)
                yield chunk._replace(start_offset=chunk.start_offset + start, data=data)

    def _check(self, piece: int, size: int) -> None:
        """Refuse frames of which pieces of this size make more than a file can have."""
        self._idle += not piece
        if self._idle > MOST_IDLE or not self._extent.has_room_for(size):
            with reading(self._path):
                raise BentRow("its frames are not in the chunks in which they say that they are")

    def _chunks(self, frame: Frame) -> Iterator[tuple[int, bytes]]:
        """Yield the offset and the bytes of each chunk that the frame has a part in."""
        first = frame.first_chunk
        if first not in self._kept:
            self._keep_from(first)
        kept = self._kept.get(first)
        if kept is not None and kept[1] == frame.session and kept[2] == frame.stream:
            yield kept[4], kept[5]
        if first < frame.last_chunk:
            place = (first, frame.last_chunk, frame.session, frame.stream)
            with reading(self._path):
                for row in self._connection.execute(_REST, place):
                    checked_chunks([row])
                    yield row[4], row[5]

    def _keep_from(self, seq: int) -> None:
        """Read chunks from this seq on: many when it follows those that are kept, else one."""
        in_order = self._last_kept < seq <= self._last_kept + AHEAD_ROWS
        rows, size = [], 0
        with reading(self._path):
            for row in self._connection.execute(_FROM, (seq,)):
                rows.append(row)
                size += weight(row[5])
                if not in_order or len(rows) == AHEAD_ROWS or size >= AHEAD_BYTES:
                    break
            checked_chunks(rows)
        self._kept = {row[0]: row for row in rows}
        self._last_kept = rows[-1][0] if rows else seq
