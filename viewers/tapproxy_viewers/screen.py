"""All that `tap show` draws: each session's header, its timeline, and what is still open."""

from collections.abc import Iterator
from datetime import tzinfo

from tapproxy_store.reading import Recording
from tapproxy_store.records import Session
from tapproxy_viewers.drawing import Layout, Line, drawn, layout
from tapproxy_viewers.header import header
from tapproxy_viewers.timeline import open_rows, rows


def screen(
    recording: Recording,
    width: int,
    now_ns: int,
    zone: tzinfo | None = None,
    place: str | None = None,
) -> Iterator[Line]:
    """Draw every session of a recording, line by line.

    `now_ns` is the wall clock; `place` is the recording's path where it is worth telling.
    """
    for number, session in enumerate(recording.sessions()):
        if number:
            yield []
        yield from header(session, recording.counts(session.id), width, zone, place)
        yield from _timeline(recording, session, layout(width, _length(session, now_ns)))


def _length(session: Session, now_ns: int) -> int:
    if session.duration_ns is not None:
        return session.duration_ns
    return max(now_ns - session.started_ns, 0)


def _timeline(recording: Recording, session: Session, place: Layout) -> Iterator[Line]:
    entries = recording.entries(session.id)
    yield from drawn(rows(entries, recording.payload, place.text_size), place)
    still_open = recording.open_frames(session.id)
    yield from drawn(open_rows(still_open, recording.payload, place.text_size), place)
