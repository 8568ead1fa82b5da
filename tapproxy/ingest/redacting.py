"""Makes redacted copies of recordings, and completes those that were redacted while they came."""

from collections.abc import Iterator, Sequence
from typing import Any

from tapproxy.framing import FRAMINGS
from tapproxy.ingest.reindex import BATCH_SIZE, reindex
from tapproxy.ingest.rows import event_row
from tapproxy.redaction.in_order import InOrder
from tapproxy.redaction.rules import Rule
from tapproxy.redaction.secrets import Replaced
from tapproxy.redaction.sessions import MARK, SessionRedactor, counted, new_salt
from tapproxy.redaction.streams import BATCH
from tapproxy.redaction.texts import Texts
from tapproxy_store.errors import DamagedRecording
from tapproxy_store.reading import Recording, open_recording
from tapproxy_store.recording import RecordingWriter, create_or_open
from tapproxy_store.records import STREAMS, Chunk, Event, Session

HALF_DONE = "half_done"
"""In the mark of a session whose bytes are clean, and what is derived of them is not yet."""


def make_redacted(recording: Recording, target: str, rules: Sequence[Rule]) -> dict[str, Replaced]:
    """Make a copy without secrets, `target`, which must not exist; return what was replaced.

    The recording is read twice: a secret may stand before the place at which it is recognised.
    Nothing that was in the original is ever in the file. Raises StoreError.
    """
    texts = Texts(rules, new_salt())
    for session in recording.sessions():
        _check_framing(recording, session)
        redactor = SessionRedactor(rules, session.framing, texts, at_least=BATCH)
        redactor.session(session)
        for _ in _redacted(recording, session, redactor):
            pass
    texts.secrets.count_anew()
    with create_or_open(target) as writer:
        made = [_copied(recording, it, texts, rules, writer) for it in recording.sessions()]
        summary = texts.secrets.summary()
        writer.begin()
        for session in made:
            writer.set_facts(session.id, counted(session.facts, summary))
        writer.commit()
    reindex(target)
    return summary


def _check_framing(recording: Recording, session: Session) -> None:
    if session.framing not in FRAMINGS:
        words = f"{recording.path} says that its framing is {session.framing!r}"
        raise DamagedRecording(f"{words}; `tap index --framing auto` cuts it anew")


def complete(redaction: InOrder, session: Session, writer: RecordingWriter) -> None:
    """Complete the recording of a session that was redacted while it came.

    What was on record before a secret was recognised is gone through once more. Any number may do
    so, one after the other.
    """
    summary = redaction.redactor.summary()
    redactor = redaction.redactor.once_more(session.framing, at_least=BATCH)
    facts = counted(redactor.facts(session.facts), summary)
    if redaction.learnt_late and _replaced_once_more(redactor, session, facts, writer):
        reindex(writer.path)
        writer.vacuum()
    writer.begin()
    writer.set_facts(session.id, facts)
    writer.commit()


def _replaced_once_more(
    redactor: SessionRedactor, session: Session, facts: dict[str, Any], writer: RecordingWriter
) -> bool:
    """Replace in chunks, events and facts what is known by now.

    Return whether what is derived of them is to be made anew: of this time, or of one before that
    was killed in between.
    """
    with open_recording(writer.path) as recording:
        (stored,) = [it for it in recording.sessions() if it.id == session.id]
        changed = stored.facts | {MARK: None} != facts | {MARK: None} or _is_half_done(stored.facts)
        writer.begin()
        for record in _redacted(recording, session, redactor):
            if isinstance(record, Chunk):
                changed |= writer.set_bytes(record.seq, record.data)
            else:
                changed |= writer.set_detail(record.seq, event_row(record)[-1])
        if changed:
            half_done = facts | {MARK: facts[MARK] | {HALF_DONE: True}}
            writer.set_facts(session.id, half_done)
        writer.commit()
    return changed


def _is_half_done(facts: dict[str, Any]) -> bool:
    mark = facts.get(MARK)
    return isinstance(mark, dict) and HALF_DONE in mark


def _copied(
    recording: Recording,
    session: Session,
    texts: Texts,
    rules: Sequence[Rule],
    writer: RecordingWriter,
) -> Session:
    redactor = SessionRedactor(rules, session.framing, texts, at_least=BATCH)
    made = redactor.session(session)
    writer.begin()
    writer.put_session(made)
    size = 0
    for record in _redacted(recording, session, redactor):
        if isinstance(record, Event):
            writer.insert((), (event_row(record),))
            continue
        writer.insert((record,))
        size += len(record.data)
        if size >= BATCH_SIZE:
            writer.commit()
            writer.begin()
            size = 0
    writer.commit()
    return made


def _redacted(
    recording: Recording, session: Session, redactor: SessionRedactor
) -> Iterator[Chunk | Event]:
    """Yield what a session has, redacted: each stream, and the events, in their order."""
    for record in recording.records(session.id):
        if isinstance(record, Event):
            yield redactor.event(record)
        else:
            yield from redactor.feed(record)
    for stream in STREAMS:
        yield from redactor.flush(stream)
