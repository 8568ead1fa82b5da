"""What an export is made of: all of a recording, or what somebody has chosen of it."""

from collections.abc import Callable, Iterator

from tapproxy_store.reading import Recording
from tapproxy_store.records import Event, Session, Told
from tapproxy_viewers.timeline import Source

Entries = Callable[[int], Iterator[Told | Event]]
"""Yields what is wanted of the session of that id, in the total order."""


def wanted(recording: Recording, session: int, entries: Entries | None) -> Iterator[Told | Event]:
    """Yield what was chosen of a session, or all that is complete in it."""
    return (entries or recording.entries)(session)


def source_of(recording: Recording, session: Session, text_size: int) -> Source:
    """Return what rows of the session are made with, `text_size` bytes of each body."""
    return Source(recording.payload, text_size, no_answer(session))


def no_answer(session: Session) -> str:
    """Say of a question of the session that nothing answers it."""
    return "no answer yet" if session.duration_ns is None else "no answer"
