"""A recording as a sequence diagram that GitHub and others draw: the text form of Mermaid.

The syntax is that of https://mermaid.js.org/syntax/sequenceDiagram.html, which also says that a
semicolon ends a line, `#` begins an entity, and an entity may stand for any character.
"""

import os
import re
from collections.abc import Iterator, Sequence

from tapproxy_store.reading import Recording
from tapproxy_store.records import Message, Session, Stream
from tapproxy_viewers import words
from tapproxy_viewers.chosen import Entries, source_of, wanted
from tapproxy_viewers.naming import command_of
from tapproxy_viewers.narrating import folded, rows
from tapproxy_viewers.palette import ELLIPSIS, MARKS, SEPARATOR, TIMES
from tapproxy_viewers.timeline import UNKNOWN, EventRow, FoldRow, FrameRow, Row, SilenceRow
from tapproxy_viewers.visible import shown

MOST_ROWS = 400
"""Arrows, notes and gaps of a diagram that can still be looked at."""

MOST_BYTES = 45_000
"""As much of them at most: Mermaid refuses texts above 50,000 characters (its `maxTextSize`)."""

LONGEST = 60
"""Characters of a label: Mermaid moves the two sides apart by the longest."""

TEXT_SIZE = 4 * LONGEST
"""Bytes of a frame that is not understood."""

EMPTY = "(empty)"
INDENT = "    "
BOTH = "Note over host,plugin"

_ARROWS: dict[Stream, tuple[str, str]] = {"in": ("host", "plugin"), "out": ("plugin", "host")}
_SPECIAL = re.compile(r"[#;:<>&%$@\\`]")
_UNSPOKEN = {"request", "response", "error", "notification", UNKNOWN}
"""Kinds that the arrow and the mark say."""

Place = tuple[int, int]
"""Frame and part of a question."""


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


class Diagram:
    """Turns rows into lines; remembers for which questions a bar is open."""

    def __init__(self) -> None:
        self._open: set[Place] = set()

    def lines(self, row: Row) -> Iterator[str]:
        """Yield an arrow and the notes to it, or a note."""
        if isinstance(row, SilenceRow):
            yield f"{BOTH}: {words.duration(row.duration_ns)}"
        elif isinstance(row, EventRow):
            yield f"{BOTH}: {label(row.words)}"
        elif isinstance(row, FoldRow):
            yield from self._frame(row.last, f"{TIMES}{row.count:,} ")
        else:
            yield from self._frame(row, "")

    def _frame(self, row: FrameRow, times: str) -> Iterator[str]:
        said = label(times + _said(row))
        if row.stream == "err":
            yield f"Note over plugin: stderr {said}"
        else:
            yield f"{self._arrow(row)}: {said}"
        if row.notes:
            yield f"Note over {_speaker(row)}: ! {label(', '.join(row.notes))}"

    def _arrow(self, row: FrameRow) -> str:
        sender, receiver = _ARROWS[row.stream]
        message = row.message
        if message is None:
            return f"{sender}-){receiver}"
        if message.asks:
            is_answered = message.answered_after_ns is not None
            self._open |= {(message.frame, message.part)} if is_answered else set()
            return f"{sender}->>{'+' if is_answered else ''}{receiver}"
        if message.answers is None:
            return f"{sender}-){receiver}"
        question = (message.answers, message.answers_part or 0)
        is_open = question in self._open
        self._open.discard(question)
        return f"{sender}-->>{'-' if is_open else ''}{receiver}"


def _speaker(row: FrameRow) -> str:
    return "host" if row.stream == "in" else "plugin"


def _said(row: FrameRow) -> str:
    message = row.message
    if message is None or message.kind == UNKNOWN:
        return row.text + ELLIPSIS * row.more or EMPTY
    return " ".join(filter(None, [*_named(message), message.summary]))


def _named(message: Message) -> Iterator[str]:
    """Yield a mark, the kind where nothing else says it, the method, and how long it took."""
    if message.flags and "error" in message.flags.split():
        yield MARKS["failure"]
    if message.kind not in _UNSPOKEN or message.method is None:
        yield message.kind
    yield message.method or ""
    if message.latency_ns is not None:
        yield f"({words.duration(message.latency_ns)})"


def label(text: str) -> str:
    """Return text that can only be a label: on one line, its beginning, and no syntax in it."""
    cut = text if len(text) <= LONGEST else text[: LONGEST - 1] + ELLIPSIS
    return _SPECIAL.sub(lambda found: f"#{ord(found[0])};", shown(cut)).strip() or EMPTY
