"""Logs with JSON on each line: messages as they are, or wrapped with a direction and a time."""

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice

from tapproxy.importing.api import HEAD, Format, Record, Source
from tapproxy.importing.entries import entries, first_value, in_text
from tapproxy.importing.scribe import Scribe
from tapproxy.importing.wrapper import direction_key, payload_key, stream_of, time_of

NAME = "json-lines"


def recognise(head: Sequence[bytes]) -> bool:
    """Tell whether the first line begins as an object does, or is an array."""
    first = next((it for it in head if it.strip()), b"")
    try:
        return in_text(first).lstrip().startswith("{") or isinstance(first_value(head), list)
    except json.JSONDecodeError:
        return False


def read(lines: Iterable[bytes], source: Source) -> Iterator[Record]:
    """Yield one session with a chunk for each message; raises BadImport."""
    head = list(islice(lines := iter(lines), HEAD))
    key = None if source.direction else _direction_key(head)
    if key is None:
        _check(head, source)
        return _plain(chain(head, lines), source)
    return _wrapped(chain(head, lines), source, key)


def _plain(lines: Iterable[bytes], source: Source) -> Iterator[Record]:
    """Take each line as it is, whatever it holds: it is what went over the wire."""
    scribe = Scribe(source, NAME, exact=True)
    stream = source.direction or "out"
    for number, line in enumerate(lines):
        if number == 0:
            yield scribe.begin(None)
        yield scribe.chunk(stream, None, line)


def _wrapped(lines: Iterable[bytes], source: Source, key: str) -> Iterator[Record]:
    """Take out the messages; an entry without one becomes an event, with all that it says."""
    scribe = Scribe(source, NAME)
    begun = False
    for entry in entries(lines, source):
        at_ns = time_of(entry.values)
        if not begun:
            begun = True
            yield scribe.begin(at_ns)
        stream = stream_of(entry.values.get(key))
        payload = payload_key(entry.values)
        if stream is None or payload is None:
            yield scribe.event("log", at_ns, entry.unread())
        else:
            yield scribe.chunk(stream, at_ns, entry.message(payload))


def _direction_key(head: Sequence[bytes]) -> str | None:
    """Return what tells the direction in the first line that wraps a message, if one does."""
    for line in head:
        try:
            value = first_value([line])
        except json.JSONDecodeError:
            continue
        key = direction_key(value) if isinstance(value, dict) else None
        if key is not None:
            return key
    return None


def _check(head: Sequence[bytes], source: Source) -> None:
    """Refuse a file whose first line is not JSON, such as one with JSON over several lines."""
    number = next((at for at, line in enumerate(head) if line.strip()), 0)
    try:
        first_value(head)
    except json.JSONDecodeError as error:
        words = f"this is not JSON: {error.msg}; expected a message on each line"
        raise source.wrong(number + 1, error.colno, words) from error


JSON_LINES = Format(NAME, "JSON on each line, of one direction or of both", recognise, read)
