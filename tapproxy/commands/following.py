"""Follows a session that lives: entries as they come, until it is over."""

import os
import time
from collections.abc import Iterator

from tapproxy.errors import TapError
from tapproxy.opening import bring_up
from tapproxy_store.reading import Recording
from tapproxy_store.records import Event, Session, Told

POLL_S = 0.05
"""How often to look: what crosses the wire is to be seen within 300 ms, and an ingester that has
nothing to do looks every 120 ms."""

BRING_UP_S = 2.0
"""How often to see whether the session has an ingester at all, and to be it where it has none."""


LAG_NS = 500_000_000
"""What is not on show after this has not crossed: by then it would be in the recording."""


def news(
    recording: Recording, session: Session, seq: int, number: int
) -> Iterator[Told | Event | int]:
    """Yield entries past an event's seq and a frame's number until the session is over.

    Between them, an instant since the session's start, nanoseconds: nothing else was until then.
    Raises TapError where the recording's file is taken away: no end would ever be seen in it.
    """
    looked = time.monotonic()
    its_file = _file(recording.path)
    is_over = False
    while True:
        if _file(recording.path) != its_file:
            raise TapError(
                f"{recording.path} was removed or replaced while it was shown; if its session "
                "still lives, the same command shows it from the beginning"
            )
        for entry in recording.news(session.id, seq, number):
            if isinstance(entry, Event):
                seq = max(seq, entry.seq)
            else:
                number = max(number, entry.frame.number)
            yield entry
        if is_over:
            return
        is_over = _is_over(recording, session)
        if is_over:
            continue  # what came with the end
        yield time.monotonic_ns() - session.started_mono_ns - LAG_NS
        time.sleep(POLL_S)
        if time.monotonic() - looked > BRING_UP_S:
            bring_up(recording.path)
            looked = time.monotonic()


def _file(path: str) -> tuple[int, int] | None:
    """Return what tells a file from another one of the same name; None where there is none."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _is_over(recording: Recording, session: Session) -> bool:
    return any(it.id == session.id and it.duration_ns is not None for it in recording.sessions())
