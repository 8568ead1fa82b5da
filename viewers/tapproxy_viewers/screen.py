"""All that `tap show` draws: each session's header, its timeline, and what is still open."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import tzinfo

from tapproxy_store.reading import Recording
from tapproxy_store.records import Event, Session, Told
from tapproxy_viewers.chosen import source_of
from tapproxy_viewers.drawing import drawn
from tapproxy_viewers.header import header
from tapproxy_viewers.layout import Layout, layout
from tapproxy_viewers.lines import Line
from tapproxy_viewers.narrating import folded, open_rows, rows


@dataclass(frozen=True, slots=True)
class View:
    """How a timeline is to be looked at."""

    width: int  # columns
    now_ns: int  # the wall clock
    zone: tzinfo | None = None  # where the reader is, None for the system's
    place: str | None = None  # the recording's path where it is worth telling
    verbose: bool = False  # with the reason for the dialect
    folded: bool = True  # consecutive frames of a run as one line


def screen(recording: Recording, view: View) -> Iterator[Line]:
    """Draw every session of a recording, line by line."""
    for number, session in enumerate(recording.sessions()):
        if number:
            yield []
        counts = recording.counts(session.id)
        yield from header(
            session, counts, view.width, zone=view.zone, place=view.place, verbose=view.verbose
        )
        place = layout(view.width, length(session, view.now_ns), sum(counts.frames.values()))
        yield from timeline(recording, session, recording.entries(session.id), view, place)
        source = source_of(recording, session, place.text_size)
        yield from drawn(open_rows(recording.open_frames(session.id), source), place)


def timeline(
    recording: Recording,
    session: Session,
    entries: Iterable[Told | Event],
    view: View,
    place: Layout,
    *,
    whole: bool = True,
) -> Iterator[Line]:
    """Draw entries of one session; `whole` where they are all that there are."""
    source = source_of(recording, session, place.text_size)
    told = rows(entries, source, ends_ns=length(session, view.now_ns), whole=whole)
    yield from drawn(folded(told) if view.folded else told, place)


def length(session: Session, now_ns: int) -> int:
    """Return how long the session took, or has taken so far, nanoseconds."""
    if session.duration_ns is not None:
        return session.duration_ns
    return max(now_ns - session.started_ns, 0)
