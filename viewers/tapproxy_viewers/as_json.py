"""A recording as one JSON document, piece by piece: the objects of the JSON lines, nested."""

from collections.abc import Iterator

from tapproxy_store.reading import Recording
from tapproxy_viewers.chosen import Entries
from tapproxy_viewers.jsonl import dumped, entry_lines, session_object
from tapproxy_viewers.naming import called


def json_document(recording: Recording, entries: Entries | None = None) -> Iterator[bytes]:
    """Yield `{"recording": …, "sessions": [{…, "entries": [{…}, …]}, …]}`, one entry a line."""
    name = called(recording.path)
    yield _left_open(dumped({"recording": name})) + b',"sessions":['
    separator = b"\n"
    for session in recording.sessions():
        head = dumped(session_object(session, recording.counts(session.id), name))
        yield separator + _left_open(head) + b',"entries":['
        yield from _listed(entry_lines(recording, session.id, entries))
        yield b"\n]}"
        separator = b",\n"
    yield b"\n]}\n"


def _left_open(line: bytes) -> bytes:
    """Return an object that has members, without its end: more of them can follow."""
    return line.removesuffix(b"}\n")


def _listed(lines: Iterator[bytes]) -> Iterator[bytes]:
    separator = b"\n"
    for line in lines:
        yield separator + line.removesuffix(b"\n")
        separator = b",\n"
