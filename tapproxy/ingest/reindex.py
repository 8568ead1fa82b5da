"""Derives a recording's frames anew from its chunks, by the same way as the ingester."""

from collections.abc import Iterator

from tapproxy.framing import FRAMINGS
from tapproxy.ingest.cutter import SessionCutter
from tapproxy_store.errors import DamagedRecording
from tapproxy_store.reading import Recording, open_recording
from tapproxy_store.recording import FrameRow, create_or_open
from tapproxy_store.records import Chunk, Session


def reindex(path: str, framing: str | None = None) -> int:
    """Replace all frames of a finished recording; return how many there are now.

    `framing` overrides what was asked for when the session was recorded. Raises StoreError.
    """
    number = 0
    with open_recording(path) as recording, create_or_open(path) as writer:
        for session in recording.sessions():
            chosen = framing or session.framing
            if chosen not in FRAMINGS:
                words = f"{path} says that its framing is {chosen!r}, which this tap does not know"
                raise DamagedRecording(f"{words}; name another with --framing")
            cutter = SessionCutter(session.id, chosen)
            writer.begin()
            writer.replace_frames(session.id, _frames(recording, session, cutter))
            writer.set_framing(session.id, chosen)
            writer.commit()
            number += sum(recording.counts(session.id).frames.values())
    with create_or_open(path) as writer:
        writer.finish()
    return number


def _frames(recording: Recording, session: Session, cutter: SessionCutter) -> Iterator[FrameRow]:
    for record in recording.records(session.id):
        if isinstance(record, Chunk):
            yield from cutter.feed(record)
        else:
            yield from cutter.happened(record)
    yield from cutter.close()
