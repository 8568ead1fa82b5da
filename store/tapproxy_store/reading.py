"""Reads a recording: its sessions, its bytes, and what is derived from them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Self

from tapproxy_store.errors import NotARecording
from tapproxy_store.pages import Pages
from tapproxy_store.payloads import Payloads
from tapproxy_store.read_only import Opened
from tapproxy_store.records import STREAMS, Chunk, Event, Frame, Session, Stream
from tapproxy_store.rows import SELECT_SESSIONS, Row, sessions_of
from tapproxy_store.sqlite_errors import reading
from tapproxy_store.unframed import Unframed

_SESSIONS = f"{SELECT_SESSIONS} ORDER BY id"
_LAST_SEQ = (
    "SELECT max((SELECT ifnull(max(seq), 0) FROM chunks), (SELECT ifnull(max(seq), 0) FROM events))"
)
_COUNT_EVENTS = "SELECT count(*) FROM events WHERE session = ?"
_COUNT_CHUNKS = """SELECT count(*),
    ifnull(sum(length(bytes)) FILTER (WHERE stream = 'in'), 0),
    ifnull(sum(length(bytes)) FILTER (WHERE stream = 'out'), 0),
    ifnull(sum(length(bytes)) FILTER (WHERE stream = 'err'), 0)
    FROM chunks WHERE session = ?"""
_COUNT_FRAMES = """SELECT
    count(*) FILTER (WHERE stream = 'in'),
    count(*) FILTER (WHERE stream = 'out'),
    count(*) FILTER (WHERE stream = 'err')
    FROM frames WHERE session = ?"""


@dataclass(frozen=True, slots=True)
class Counts:
    """How much a session holds."""

    chunks: int
    events: int
    frames: dict[Stream, int]  # frames of each stream, 0 where it has none
    bytes: dict[Stream, int]  # recorded bytes of each stream


def open_recording(path: str) -> "Recording":
    """Open a finished or a live recording for reading.

    Raises RecordingNotFound, CannotRead, NotARecording, NewerSchema, DamagedRecording.
    """
    return Recording(path, Opened(path))


class Recording:
    """Made by `open_recording`; reads and never writes.

    Whatever it is asked may raise CannotRead or, in the middle of an iteration too,
    DamagedRecording.
    """

    def __init__(self, path: str, opened: Opened) -> None:
        self.path = path
        self.place: str | None = path  # where a person finds it; None for what a tape was read into
        self._opened = opened
        self._pages = Pages(opened.connection, path)
        self._payloads = Payloads(opened.connection, path)
        self._unframed: dict[int, Unframed] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self._opened.close()

    def sessions(self) -> list[Session]:
        """Return the sessions in their order; normally there is one."""
        with reading(self.path):
            return sessions_of(self._rows(_SESSIONS))

    def session(self) -> Session:
        """Return the last session, normally the only one; raises NotARecording without any."""
        sessions = self.sessions()
        if not sessions:
            raise NotARecording(
                f"{self.path} has no session: its recorder has only just begun, or was stopped "
                "before it could write"
            )
        return sessions[-1]

    def counts(self, session_id: int) -> Counts:
        """Count what the session holds."""
        with reading(self.path):
            ((chunks, *sizes),) = self._rows(_COUNT_CHUNKS, session_id)
            ((events,),) = self._rows(_COUNT_EVENTS, session_id)
            (frames,) = self._rows(_COUNT_FRAMES, session_id)
        return Counts(
            chunks=chunks,
            events=events,
            frames=dict(zip(STREAMS, frames, strict=True)),
            bytes=dict(zip(STREAMS, sizes, strict=True)),
        )

    def entries(self, session_id: int) -> Iterator[Frame | Event]:
        """Yield frames, each where its last byte arrived, and events in the total order.

        Of a live session, what is on record when the iteration begins.
        """
        last = self._last_seq()
        events = self._pages.events(session_id, last)
        event = next(events, None)
        for frame in self._pages.frames(session_id, last):
            while event is not None and event.seq < frame.last_chunk:
                yield event
                event = next(events, None)
            yield frame
        yield from _rest(event, events)

    def records(self, session_id: int) -> Iterator[Chunk | Event]:
        """Yield chunks and events in the total order."""
        last = self._last_seq()
        events = self._pages.events(session_id, last)
        event = next(events, None)
        for chunk in self._pages.chunks(session_id, last):
            while event is not None and event.seq < chunk.seq:
                yield event
                event = next(events, None)
            yield chunk
        yield from _rest(event, events)

    def chunks(self, session_id: int) -> Iterator[Chunk]:
        """Yield the chunks of all three streams in the order of their arrival."""
        return self._pages.chunks(session_id)

    def events(self, session_id: int) -> Iterator[Event]:
        """Yield the events in their order."""
        return self._pages.events(session_id)

    def stream_bytes(self, session_id: int, stream: Stream) -> Iterator[bytes]:
        """Yield a stream's exact bytes, chunk by chunk."""
        return (chunk.data for chunk in self._pages.chunks(session_id, stream=stream))

    def open_frames(self, session_id: int) -> list[Frame]:
        """Return what a live session has past the last frame of each stream.

        Each as a frame of number 0, flaw `unfinished`; a session that is over has none.
        """
        if any(it.id == session_id and it.duration_ns is not None for it in self.sessions()):
            return []
        unframed = self._unframed.setdefault(
            session_id, Unframed(self._opened.connection, session_id)
        )
        with reading(self.path):
            return unframed.find()

    def payload(self, frame: Frame, limit: int | None = None) -> bytes:
        """Return a frame's body, without header and terminator; its first `limit` bytes."""
        return self._payloads.body(frame, limit)

    def frame_bytes(self, frame: Frame) -> bytes:
        """Return a frame's exact bytes, header and terminator included."""
        return self._payloads.span(frame, frame.start_offset, frame.end_offset)

    def _last_seq(self) -> int:
        with reading(self.path):
            ((last,),) = self._rows(_LAST_SEQ)
        return int(last)

    def _rows(self, sql: str, *values: Any) -> list[Row]:
        return self._opened.connection.execute(sql, values).fetchall()


def _rest(event: Event | None, events: Iterator[Event]) -> Iterator[Event]:
    if event is not None:
        yield event
        yield from events
