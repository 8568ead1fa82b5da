"""What `tap ls` says of each recording: one row of plain values each, and the same for programs."""

from dataclasses import dataclass

from tapproxy_store.reading import Counts
from tapproxy_store.records import Session
from tapproxy_viewers.jsonl import Json, session_object


@dataclass(frozen=True, slots=True)
class Readable:
    """A recording that could be read: its last session stands for it."""

    name: str  # as other commands take it
    path: str
    session: Session
    counts: Counts
    size: int | None = None  # bytes on the disk, where that was asked for


@dataclass(frozen=True, slots=True)
class Remark:
    """A recording of which only this can be said: it is damaged, or not finished yet."""

    name: str
    path: str
    status: str  # damaged, unfinished, live
    words: str
    size: int | None = None


Listed = Readable | Remark


def listed_object(listed: Listed) -> Json:
    """Return one object of `tap ls --json`: the session's keys where the recording is readable."""
    head: Json = {"type": "recording", "recording": listed.name, "path": listed.path}
    if listed.size is not None:
        head["size"] = listed.size
    if isinstance(listed, Remark):
        return head | {"status": listed.status, "note": listed.words}
    status = "live" if listed.session.outcome is None else "finished"
    session = session_object(listed.session, listed.counts, listed.name)
    return head | {"status": status} | session | {"type": head["type"]}
