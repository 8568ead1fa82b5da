"""What a finished recording holds, read by sqlite3 alone: the suite trusts none of our readers."""

import json
import os
import sqlite3
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import Any

from tapproxy.opening import opened
from tests.transparency.waiting import until

PATIENCE_S = 10.0
"""How long a recording may take to be finished by its own ingester."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """The streams and events of one recording."""

    chunks: list[tuple[str, int, bytes]]  # stream, offset of the first byte, bytes
    events: list[tuple[str, dict[str, Any]]]  # kind, detail
    outcome: str
    facts: dict[str, Any]

    def stream(self, name: str) -> bytes:
        """Return a stream's bytes; each chunk must begin where the one before it ended."""
        joined = bytearray()
        for stream, start, data in self.chunks:
            if stream == name:
                assert start == len(joined), f"{name}: a chunk at {start} after {len(joined)} bytes"
                joined += data
        return bytes(joined)

    def sizes(self, name: str) -> list[int]:
        """Return the sizes of a stream's chunks."""
        return [len(data) for stream, _, data in self.chunks if stream == name]

    def details(self, kind: str) -> list[dict[str, Any]]:
        """Return the details of all events of one kind."""
        return [detail for its, detail in self.events if its == kind]


def find_recorded(file: str) -> Recorded:
    """Read a recording once its journal is gone."""
    until(lambda: is_finished(file), f"{file} to be finished", PATIENCE_S)
    return read_recorded(file)


def wait_for_event(file: str, kind: str) -> None:
    """Wait until an event of this kind is on record, while the session lives."""

    def seen() -> bool:
        with suppress(sqlite3.Error), closing(_connect(file)) as db:
            found = db.execute("select count(*) from events where kind = ?", (kind,))
            return bool(found.fetchone()[0])
        return False

    until(seen, f"the event {kind} to be on record")


def has_session(file: str) -> bool:
    """Whether the session itself is on record: the file is there before."""
    with suppress(sqlite3.Error), closing(_connect(file)) as db:
        return bool(db.execute("select count(*) from sessions").fetchone()[0])
    return False


def is_finished(file: str) -> bool:
    """Whether the recording is there and its journal no longer."""
    return os.path.exists(file) and not os.path.exists(file + ".wire")


def finish_recorded(file: str) -> Recorded:
    """Open a recording as any command of ours does, which finishes an orphan; then read it."""

    def finished() -> bool:
        with opened(file):
            return is_finished(file)

    until(finished, f"{file} to be finished", PATIENCE_S)
    return read_recorded(file)


def read_recorded(file: str) -> Recorded:
    """Read what is in the file now."""
    with closing(_connect(file)) as db:
        chunks = db.execute(
            "select stream, start_offset, bytes from chunks order by seq"
        ).fetchall()
        events = db.execute("select kind, detail from events order by seq").fetchall()
        outcome, facts = db.execute("select outcome, facts from sessions").fetchone()
    return Recorded(
        chunks, [(kind, json.loads(detail)) for kind, detail in events], outcome, json.loads(facts)
    )


def _connect(file: str) -> sqlite3.Connection:
    return sqlite3.connect(f"file:{file}?mode=ro", uri=True)
