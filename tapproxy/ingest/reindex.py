"""Derives a recording's frames and messages anew from its chunks, by the ingester's own way."""

from dataclasses import replace

from tapproxy.framing import FRAMINGS
from tapproxy.ingest.deriving import Derived, Deriver
from tapproxy_store.errors import DamagedRecording
from tapproxy_store.reading import Recording, open_recording
from tapproxy_store.recording import RecordingWriter, create_or_open
from tapproxy_store.records import Chunk, Session

BATCH = 10_000
"""Frames that are written at once."""
BATCH_SIZE = 1 << 22
"""Bytes that they are cut from, one chunk more or less."""


def reindex(path: str, framing: str | None = None, dialect: str | None = None) -> int:
    """Replace all frames and messages of a finished recording; return how many frames there are.

    `framing` and `dialect` override what was asked for when the session was recorded, and stay;
    the dialect AUTO has it recognised.
    Raises StoreError.
    """
    number = 0
    with open_recording(path) as recording, create_or_open(path) as writer:
        for session in recording.sessions():
            chosen = framing or session.framing
            if chosen not in FRAMINGS:
                words = f"{path} says that its framing is {chosen!r}, which this tap does not know"
                raise DamagedRecording(f"{words}; name another with --framing")
            writer.begin()
            writer.set_framing(session.id, chosen)
            _derive(recording, writer, replace(session, framing=chosen), dialect)
            writer.commit()
            number += sum(recording.counts(session.id).frames.values())
    with create_or_open(path) as writer:
        writer.finish()
    return number


def _derive(
    recording: Recording, writer: RecordingWriter, session: Session, dialect: str | None
) -> None:
    writer.remove_derived(session.id)
    deriver = Deriver(session, dialect)
    derived, size = Derived(), 0
    for record in recording.records(session.id):
        if isinstance(record, Chunk):
            deriver.feed(record, derived)
            size += len(record.data)
        else:
            deriver.happened(record, derived)
        if len(derived.frames) >= BATCH or size >= BATCH_SIZE:
            writer.insert((), (), derived.frames, derived.messages)
            derived, size = Derived(), 0
    deriver.close(derived)
    writer.insert((), (), derived.frames, derived.messages)
    interpreter = deriver.interpreter
    writer.set_dialect(session.id, interpreter.dialect, interpreter.reason, interpreter.traits)
    writer.put_totals(deriver.totals())
