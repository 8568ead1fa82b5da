"""What a recording can be exported to: each format is one function, entered in one list here."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tapproxy_store.reading import Recording
from tapproxy_store.tape import tape_lines
from tapproxy_viewers.as_csv import csv_table
from tapproxy_viewers.as_json import json_document
from tapproxy_viewers.as_mermaid import mermaid_diagram
from tapproxy_viewers.as_perfetto import perfetto_trace
from tapproxy_viewers.chosen import Entries

Pieces = Callable[[Recording, Entries | None], Iterator[bytes]]
"""The file, piece by piece, of the entries that are chosen; None: of the whole recording."""


@dataclass(frozen=True, slots=True)
class Format:
    """One entry of `tap export --to`."""

    name: str
    purpose: str  # one clause for the help
    pieces: Pieces
    takes_choice: bool = True  # whether a part of a recording can be written in it


def _tape(recording: Recording, _: Entries | None) -> Iterator[bytes]:
    return tape_lines(recording)


FORMATS: tuple[Format, ...] = (
    Format(
        "tape", "the lossless text form, made for git and for editing", _tape, takes_choice=False
    ),
    Format("json", "one document with all that is known", json_document),
    Format("csv", "a table of messages, for spreadsheets", csv_table),
    Format("mermaid", "a sequence diagram, for documents", mermaid_diagram),
    Format("perfetto", "a trace for ui.perfetto.dev, exchanges as spans", perfetto_trace),
)


def get_format(name: str) -> Format:
    """Return the format of that name; KeyError where there is none."""
    return {entry.name: entry for entry in FORMATS}[name]
