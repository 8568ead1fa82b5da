"""Rows of a timeline as lines of a Mermaid sequence diagram, between `host` and `plugin`.

A semicolon ends such a line, `#` begins an entity, and an entity may stand for any character:
https://mermaid.js.org/syntax/sequenceDiagram.html, "Comments" and "Entity codes".
"""

import re
from collections.abc import Iterator

from tapproxy_store.records import Message, Stream
from tapproxy_viewers import words
from tapproxy_viewers.palette import ELLIPSIS, MARKS, TIMES
from tapproxy_viewers.timeline import UNKNOWN, EventRow, FoldRow, FrameRow, Row, SilenceRow
from tapproxy_viewers.visible import shown

LONGEST = 60
"""Characters of a label: Mermaid moves the two sides apart by the longest."""

EMPTY = "(empty)"
BOTH = "Note over host,plugin"

_ARROWS: dict[Stream, tuple[str, str]] = {"in": ("host", "plugin"), "out": ("plugin", "host")}
_SPECIAL = re.compile(r"[#;:<>&%$@\\`\ufb02\xb6]")
"""The last two begin and end what Mermaid itself writes for an entity, and reads again."""
_UNSPOKEN = {"request", "response", "error", "notification", UNKNOWN}
"""Kinds that the arrow and the mark say."""

Place = tuple[int, int]
"""Frame and part of a question."""


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
