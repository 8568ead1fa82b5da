"""A recording as a sequence diagram that GitHub and others draw: the text form of Mermaid.

The syntax is that of https://mermaid.js.org/syntax/sequenceDiagram.html.
"""

import os
from collections.abc import Iterator, Sequence

from tapproxy_store.reading import Recording
from tapproxy_store.records import Session
from tapproxy_viewers.chosen import Entries, source_of, wanted
from tapproxy_viewers.naming import command_of
from tapproxy_viewers.narrating import folded, rows
from tapproxy_viewers.palette import SEPARATOR
from tapproxy_viewers.sequence import BOTH, LONGEST, Diagram, label
from tapproxy_viewers.timeline import Row

MOST_ROWS = 400
"""Arrows, notes and gaps of a diagram that can still be looked at."""

MOST_BYTES = 45_000
"""As much of them at most: Mermaid refuses texts above 50,000 characters (its `maxTextSize`)."""

TEXT_SIZE = 4 * LONGEST
"""Bytes of a frame that is not understood."""

INDENT = "    "


def mermaid_diagram(recording: Recording, entries: Entries | None = None) -> Iterator[bytes]:
    """Yield one diagram of all sessions, as much of it as can be drawn."""
    sessions = recording.sessions()
    yield "".join(map(_indented, _head(sessions))).removeprefix(INDENT).encode()
    left_out, room = 0, MOST_BYTES
    for number, lines in enumerate(_drawn(recording, sessions, entries)):
        piece = "".join(map(_indented, lines)).encode()
        room -= len(piece)
        if room < 0 or number >= MOST_ROWS:
            left_out += 1
        else:
            yield piece
    if left_out:
        remark = f"{left_out:,} more are left out{SEPARATOR}a filter can choose a part"
        yield _indented(f"{BOTH}: {label(remark)}").encode()


def _indented(line: str) -> str:
    return f"{INDENT}{line}\n"


def _head(sessions: Sequence[Session]) -> Iterator[str]:
    yield "sequenceDiagram"
    for session in sessions[:1]:
        yield f"participant host as {label(_host_name(session))}"
        yield f"participant plugin as {label(session.name)}"


def _host_name(session: Session) -> str:
    command = session.facts.get("host_command")
    program = command[0] if isinstance(command, list) and command else None
    return os.path.basename(program) if isinstance(program, str) else "host"


def _drawn(
    recording: Recording, sessions: Sequence[Session], entries: Entries | None
) -> Iterator[list[str]]:
    """Yield the lines of each session's title and of each row."""
    for session in sessions:
        about = [command_of(session), SEPARATOR.join(filter(None, _protocol(session)))]
        yield [f"{BOTH}: {label(it)}" for it in about if it]
        diagram = Diagram()
        for row in _rows(recording, session, entries):
            yield list(diagram.lines(row))


def _protocol(session: Session) -> Iterator[str]:
    yield session.dialect or ""
    yield from session.traits


def _rows(recording: Recording, session: Session, entries: Entries | None) -> Iterator[Row]:
    unfolded = rows(
        wanted(recording, session.id, entries),
        source_of(recording, session, TEXT_SIZE),
        ends_ns=session.duration_ns or 0,
        whole=entries is None,
    )
    return folded(unfolded)
