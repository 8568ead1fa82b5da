"""Compares for a stand-in that its host has killed, and that could therefore report nothing."""

from tapproxy.diffing.comparing import compare
from tapproxy.opening import opened
from tapproxy_store.errors import StoreError
from tapproxy_store.reading import Recording
from tapproxy_store.records import Session
from tapproxy_viewers.differences import Totals, lines
from tapproxy_viewers.lines import plain

KILLED = "recorder killed"
"""The outcome of a session whose recorder got SIGKILL."""

WIDTH = 100


def difference_of_killed(recording: str, replay: str) -> str | None:
    """Say how the replay's own recording differs from the original; None where it does not.

    A host that kills its plugin every time is no difference; nor is the command line, as ours is
    not the plugin's.
    """
    try:
        with opened(recording) as one, opened(replay) as other:
            ending = _other_ending(one, other)
            text = _said_otherwise(one, other) if ending is None else ending
    except StoreError as error:
        text = str(error)
    told = f"the stand-in for {recording} ended without a report"
    return text and f"{told}: {text}\nsee it: tap diff {recording} {replay}"


def _other_ending(one: Recording, other: Recording) -> str | None:
    was, now = (", ".join(map(_outcome, it.sessions())) for it in (one, other))
    return None if was == now == KILLED else f"{was} as recorded, {now} now"


def _outcome(session: Session) -> str:
    return session.outcome or "no end"


def _said_otherwise(one: Recording, other: Recording) -> str | None:
    totals = Totals()
    messages = (it for it in compare(one, other, totals) if it.subject == "message")
    drawn = [plain(it) for it in lines(messages, totals, WIDTH)]
    return "\n".join(["it differs", *drawn]) if totals.differ else None
