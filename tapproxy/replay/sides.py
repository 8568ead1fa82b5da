"""Finds the session that is to be played, and says where only one side of it is on record."""

from tapproxy.errors import USAGE, TapError
from tapproxy.replay.candidates import find_session
from tapproxy.replay.script import Role
from tapproxy_store.reading import Recording
from tapproxy_store.records import Event, Session, Stream, Told

IMPORTED = "imported"
"""The outcome of a log in which no plugin starts or ends: what is not in it may have been all the
same. A session that tap has watched is whole, even where one side says nothing."""

ANSWERS = {"response", "error"}


def session_of_both(recording: Recording, number: int, role: Role, name: str) -> Session:
    """Return the session; raises TapError where the side that is to be live is not on record.

    What nobody waits for, as a log of events, can be played all the same. `name`: the recording's.
    """
    session = find_session(recording, number)
    if session.outcome != IMPORTED:
        return session
    frames = recording.counts(session.id).frames
    if not frames["in"] and _any(recording, session, "out", answer=True):
        raise TapError(
            f"{name} has only what the plugin said: its answers belong to questions that are not "
            "on record; record both sides with tap run",
            USAGE,
        )
    if not frames["out"] and _any(recording, session, "in", answer=False):
        lack = "compare a plugin's answers with" if role == "host" else "answer a host with"
        raise TapError(
            f"{name} has only what the host said: there is nothing to {lack}; "
            "record both sides with tap run",
            USAGE,
        )
    return session


def _any(recording: Recording, session: Session, stream: Stream, *, answer: bool) -> bool:
    """Tell whether one side answers what is not on record, or asks."""
    entries = recording.entries(session.id)
    told = (it for it in entries if not isinstance(it, Event) and it.frame.stream == stream)
    return any(_answers(it) if answer else any(one.asks for one in it.messages) for it in told)


def _answers(it: Told) -> bool:
    return any(one.kind in ANSWERS and one.id and not one.answers for one in it.messages)
