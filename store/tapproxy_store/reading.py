"""Reads a recording: its sessions, its bytes, and what is derived from them."""

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any, Self

from tapproxy_store.errors import NotARecording
from tapproxy_store.figures import Figures, figures_of
from tapproxy_store.pages import EVERYTHING, Pages, Selection
from tapproxy_store.payloads import Payloads
from tapproxy_store.private import create_file
from tapproxy_store.read_only import Opened
from tapproxy_store.records import STREAMS, Chunk, Event, Frame, Message, Session, Stream, Told
from tapproxy_store.rows import Row, checked_seq, checked_totals
from tapproxy_store.sqlite_errors import primary_code, reading, writing
from tapproxy_store.told_pages import ToldPages
from tapproxy_store.unframed import Unframed

_LAST_SEQ = (
    "SELECT max((SELECT ifnull(max(seq), 0) FROM chunks), (SELECT ifnull(max(seq), 0) FROM events))"
)
_LAST_NUMBER = "SELECT CAST(ifnull(max(number), 0) AS INTEGER) FROM frames WHERE session = ?"
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
_TOTALS = "SELECT stream, chunks, bytes, frames FROM totals WHERE session = ?"
_ANSWERING = """SELECT frame FROM messages
    WHERE session = ? AND answers = ? AND answers_part = ? LIMIT 1"""
_DECODED = "SELECT decoded FROM messages WHERE session = ? AND frame = ? AND part = ?"


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
        self._pages = Pages(opened.connection, path, opened.extent)
        self._told = ToldPages(opened.connection, path, opened.extent)
        self._payloads = Payloads(opened.connection, path, opened.extent)
        self._unframed: dict[int, Unframed] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self._opened.close()

    def copy_to(self, path: str) -> None:
        """Copy the recording, as it is at this moment, to a file that is not there yet.

        Raises CannotWrite, and whatever reading raises.
        """
        with writing(path):
            os.close(create_file(path))
        with reading(self.path), closing(sqlite3.connect(path)) as target:
            try:
                self._opened.connection.backup(target)
            except sqlite3.OperationalError as error:
                if primary_code(error) != sqlite3.SQLITE_FULL:
                    raise
                with writing(path):  # it is not the recording's disk that is full
                    raise

    def sessions(self) -> list[Session]:
        """Return the sessions in their order; normally there is one."""
        return self._pages.sessions()

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
        """Tell how much the session holds: counted where it is not on record, as while it lives."""
        with reading(self.path):
            ((events,),) = self._rows(_COUNT_EVENTS, session_id)
            totals = checked_totals(self._rows(_TOTALS, session_id))
        if totals:
            return Counts(
                chunks=sum(chunks for _, chunks, _, _ in totals),
                events=events,
                frames=dict.fromkeys(STREAMS, 0) | {it[0]: it[3] for it in totals},
                bytes=dict.fromkeys(STREAMS, 0) | {it[0]: it[2] for it in totals},
            )
        return self._counted(session_id, events)

    def _counted(self, session_id: int, events: int) -> Counts:
        with reading(self.path):
            ((chunks, *sizes),) = self._rows(_COUNT_CHUNKS, session_id)
            (frames,) = self._rows(_COUNT_FRAMES, session_id)
        return Counts(
            chunks=chunks,
            events=events,
            frames=dict(zip(STREAMS, frames, strict=True)),
            bytes=dict(zip(STREAMS, sizes, strict=True)),
        )

    def entries(
        self, session_id: int, selection: Selection | None = None
    ) -> Iterator[Told | Event]:
        """Return frames with their messages, each where its last byte arrived, and events.

        In the total order; of a live session, what is on record when this is called. With a
        selection only the frames that it wants, and no events but those of its times.
        """
        last = self.last_seq()
        told = self._told.in_order(session_id, last, selection or EVERYTHING)
        events = self._pages.events(session_id, last)
        if selection is not None:
            events = _within(events, selection.times)
        return _merged(told, events)

    def told(self, session_id: int) -> Iterator[Told]:
        """Return all frames with their messages, each where its last byte arrived."""
        return self._told.in_order(session_id, self.last_seq(), EVERYTHING)

    def news(self, session_id: int, seq: int, number: int) -> Iterator[Told | Event]:
        """Yield the events past that seq and the frames past that number, as they came on record.

        Which is the total order but for a frame that was over long before it could be told that it
        is one (a piece of a line at the end of the session).
        """
        last = self.last_seq()
        told = self._told.by_number(session_id, number, last)
        return _merged(told, self._pages.events(session_id, last, seq))

    def find_told(self, session_id: int, number: int) -> Told | None:
        """Return the frame of that number with its messages, None where there is none."""
        return self._told.find(session_id, number)

    def records(self, session_id: int) -> Iterator[Chunk | Event]:
        """Yield chunks and events in the total order."""
        last = self.last_seq()
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

    def pieces(self, frame: Frame) -> Iterator[Chunk]:
        """Yield a frame's exact bytes, header and terminator included, as they were read.

        Each as the part of its chunk that belongs to the frame.
        """
        return self._payloads.pieces(frame)

    def find_answer(self, question: Message) -> Message | None:
        """Return the message that answers this one, None where none does."""
        asked = (question.frame, question.part)
        with reading(self.path):
            rows = self._rows(_ANSWERING, question.session, *asked)
        told = self.find_told(question.session, rows[0][0]) if rows else None
        messages = told.messages if told is not None else ()
        return next((it for it in messages if (it.answers, it.answers_part) == asked), None)

    def decoded(self, message: Message) -> bytes | None:
        """Return the JSON of a message with its inner layers opened; None: the body is that."""
        with reading(self.path):
            rows = self._rows(_DECODED, message.session, message.frame, message.part)
        return rows[0][0] if rows and isinstance(rows[0][0], bytes) else None

    def figures(
        self,
        session_id: int,
        selection: Selection | None = None,
        numbers: Sequence[int] | None = None,
    ) -> Figures:
        """Count, measure and sum up a session, what is selected of it, or its frames of `numbers`.

        The numbers ascend.
        """
        return figures_of(self._opened.connection, self.path, session_id, selection, numbers)

    def last_number(self, session_id: int) -> int:
        """Return the number of the last frame of a session, 0 where it has none."""
        with reading(self.path):
            ((number,),) = self._rows(_LAST_NUMBER, session_id)
        return int(number)

    def last_seq(self) -> int:
        """Return the seq of the last chunk or event on record, 0 where there is none."""
        with reading(self.path):
            return checked_seq(self._rows(_LAST_SEQ)[0][0])

    def _rows(self, sql: str, *values: Any) -> list[Row]:
        return self._opened.connection.execute(sql, values).fetchall()


def _within(events: Iterator[Event], times: tuple[int, int] | None) -> Iterator[Event]:
    if times is not None:
        yield from (event for event in events if times[0] <= event.t_ns <= times[1])


def _merged(frames: Iterator[Told], events: Iterator[Event]) -> Iterator[Told | Event]:
    event = next(events, None)
    for told in frames:
        while event is not None and event.seq < told.frame.last_chunk:
            yield event
            event = next(events, None)
        yield told
    yield from _rest(event, events)


def _rest(event: Event | None, events: Iterator[Event]) -> Iterator[Event]:
    if event is not None:
        yield event
        yield from events
