"""A recording as a table for spreadsheets and data frames: CSV as RFC 4180 has it, in UTF-8."""

import csv
import re
from collections.abc import Iterator
from typing import Any

from tapproxy_store.exact_json import in_seconds
from tapproxy_store.reading import Recording
from tapproxy_store.records import Event, Frame, Stream
from tapproxy_viewers.chosen import Entries, source_of, wanted
from tapproxy_viewers.palette import ELLIPSIS
from tapproxy_viewers.timeline import FrameRow, event_row, frame_rows
from tapproxy_viewers.visible import shown

COLUMNS = (
    "session", "number", "t_s", "stream", "who", "kind", "method", "id", "summary", "latency_s",
    "answers", "size", "flags", "note", "text",
)  # fmt: skip

TEXT_SIZE = 1000
"""Bytes of a frame that is not understood: a cell that can still be looked at."""

_SPEAKERS: dict[Stream, str] = {"in": "host", "out": "plugin", "err": "plugin"}
_FORMULA = re.compile(r"[=+\-@＝＋－＠\t\r\n]")  # noqa: RUF001  spreadsheets take the wide ones too
_LATER_FORMULA = re.compile(r";(?=[\s\"']*[=+\-@＝＋－＠])")  # noqa: RUF001
"""Where the decimal sign is a comma, spreadsheets take semicolons for the ends of cells."""
_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?")


def csv_table(recording: Recording, entries: Entries | None = None) -> Iterator[bytes]:
    """Yield the names of the columns, then a row for each message, bare frame and event."""
    writer = csv.writer(_Line())
    yield _encoded(writer.writerow(COLUMNS))
    for session in recording.sessions():
        source = source_of(recording, session, TEXT_SIZE)
        before: Frame | None = None
        for entry in wanted(recording, session.id, entries):
            if isinstance(entry, Event):
                yield _encoded(writer.writerow(_event_cells(entry)))
                continue
            for row in frame_rows(entry, before, source):
                yield _encoded(writer.writerow(_frame_cells(session.id, row)))
            before = entry.frame


class _Line:
    """Where `csv` writes to: hands each line back, which its `writerow` then returns."""

    def write(self, line: str) -> str:
        return line


def _encoded(line: Any) -> bytes:
    return str(line).encode()


def _frame_cells(session: int, row: FrameRow) -> list[str]:
    message = row.message
    cells = {
        "session": str(session),
        "number": str(row.number),
        "t_s": in_seconds(row.t_ns),
        "stream": row.stream,
        "who": _SPEAKERS[row.stream],
        "size": str(row.size),
        "note": _harmless(", ".join(row.notes)),
        "text": _harmless(row.text + ELLIPSIS * row.more),
    }
    if message is not None:
        cells |= {
            "kind": _harmless(message.kind),
            "method": _harmless(message.method),
            "id": _harmless(message.id),
            "summary": _harmless(message.summary),
            "latency_s": "" if message.latency_ns is None else in_seconds(message.latency_ns),
            "answers": "" if message.answers is None else str(message.answers),
            "flags": _harmless(message.flags),
        }
    return [cells.get(column, "") for column in COLUMNS]


def _event_cells(event: Event) -> list[str]:
    cells = {
        "session": str(event.session),
        "t_s": in_seconds(event.t_ns),
        "kind": _harmless(event.kind),
        "summary": _harmless(event_row(event).words),
    }
    return [cells.get(column, "") for column in COLUMNS]


def _harmless(text: str | None) -> str:
    """Return the text visible, and so that a spreadsheet does not take it for a formula."""
    if not text:
        return ""
    visible = shown(text)
    is_formula = _FORMULA.match(visible) and not _NUMBER.fullmatch(visible)
    return ("'" if is_formula else "") + _LATER_FORMULA.sub(";'", visible)
