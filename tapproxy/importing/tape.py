"""A tape, the text form of tap's own recordings (docs/tape.md)."""

import json
from collections.abc import Iterable, Iterator, Sequence

from tapproxy.importing.api import Format, Record, Source
from tapproxy.importing.entries import first_value
from tapproxy_store.records import STREAMS
from tapproxy_store.tape import read_tape

_SECOND_ELEMENTS = (*STREAMS, "event")


def recognise(head: Sequence[bytes]) -> bool:
    """Tell whether the first line is a header, or a chunk or an event whose header is missing."""
    try:
        value = first_value(head)
    except json.JSONDecodeError:
        return b'{"tape":' in b"".join(head).replace(b" ", b"")
    if isinstance(value, list):
        return len(value) > 2 and value[1] in _SECOND_ELEMENTS
    return isinstance(value, dict) and "tape" in value


def read(lines: Iterable[bytes], source: Source) -> Iterator[Record]:
    """Yield what the tape says; raises BadTape."""
    return read_tape(lines, source.name)


TAPE = Format("tape", "tap's own text form", recognise, read)
