"""The tape, the text form of a recording: writes one, and tells one from other files.

The format has a page of its own, docs/tape.md; `tape_reading` reads it.
"""

import json
import os
import re
from base64 import b64encode
from collections.abc import Iterator
from typing import BinaryIO

from tapproxy_store.exact_json import BadLine, exact, in_seconds
from tapproxy_store.instants import to_iso
from tapproxy_store.reading import Recording
from tapproxy_store.records import Chunk, Event, Session
from tapproxy_store.tape_header import VERSION
from tapproxy_store.tape_reading import BOM, read_tape
from tapproxy_store.unseen import FORMATTING, LATE_CONTROLS, STRAY_JOINER, SURROGATES

__all__ = ["is_tape", "read_tape", "tape_lines"]

LARGEST_HEADER = 1 << 24
"""Bytes; facts take some kilobytes."""
MOST_BLANKS = 1 << 12
"""Bytes of blank lines before a header: more are a file of another kind."""
_FIRST_BYTES = (b"{", BOM.encode()[:1])

_ENCODER = json.JSONEncoder(ensure_ascii=False)

# What JSON lets stand and yet is not safe in a file of text: DEL and the C1 controls, which a
# terminal obeys; what turns the direction of writing, is not seen, or breaks lines in some editors;
# lone surrogates, which UTF-8 does not have.
_UNSAFE = re.compile(f"[{LATE_CONTROLS}{FORMATTING}{SURROGATES}]|{STRAY_JOINER}")


def tape_lines(recording: Recording) -> Iterator[bytes]:
    """Yield the recording as a tape, line by line, one session after another."""
    previous = 0
    for session in recording.sessions():
        yield _line(_header(session, previous))
        previous = session.id
        ends: dict[str, int] = {}
        for record in recording.records(session.id):
            if isinstance(record, Event):
                yield _line(_event(record))
            else:
                yield _line(_chunk(record, ends.get(record.stream, 0)))
                ends[record.stream] = record.start_offset + len(record.data)


def chunk_line(chunk: Chunk, following: int) -> bytes:
    """Return a chunk's line; `following` is where its stream goes on, which then is not said."""
    return _line(_chunk(chunk, following))


def is_tape(path: str) -> bool:
    """Tell whether the file begins as a tape does: with an object that has a `tape`."""
    try:
        if not os.path.isfile(path):
            return False
        with open(path, "rb") as file:
            line = _first_line(file)
    except OSError:
        return False
    try:
        header = exact(line.decode().removeprefix(BOM))
    except (BadLine, UnicodeDecodeError):
        return False
    return isinstance(header, dict) and "tape" in header


def _first_line(file: BinaryIO) -> bytes:
    """Return the first line that is not blank, as far as it may be a header."""
    begun = file.read(MOST_BLANKS).lstrip()
    if not begun.startswith(_FIRST_BYTES):
        return begun[:1]
    line, ended, _ = begun.partition(b"\n")
    return line if ended else begun + file.readline(LARGEST_HEADER)


def _header(session: Session, previous: int) -> str:
    fields = {"tape": str(VERSION)}
    if session.id != previous + 1:
        fields["id"] = str(session.id)
    fields["name"] = _json(session.name)
    fields["started"] = _json(to_iso(session.started_ns))
    fields["monotonic"] = in_seconds(session.started_mono_ns)
    if session.duration_ns is not None:
        fields["duration"] = in_seconds(session.duration_ns)
    if session.outcome is not None:
        fields["outcome"] = _json(session.outcome)
    fields["framing"] = _json(session.framing)
    if session.asked_dialect is not None:
        fields["dialect"] = _json(session.asked_dialect)
    fields["facts"] = _json(session.facts)
    return "{" + ", ".join(f'"{key}": {value}' for key, value in fields.items()) + "}"


def _chunk(chunk: Chunk, following: int) -> str:
    try:
        data = _json(chunk.data.decode())
    except UnicodeDecodeError:
        data = _json({"base64": b64encode(chunk.data).decode()})
    rest = "" if chunk.start_offset == following else f', {{"offset": {chunk.start_offset}}}'
    return f'[{in_seconds(chunk.t_ns)}, "{chunk.stream}", {data}{rest}]'


def _event(event: Event) -> str:
    rest = f", {_json(event.detail)}" if event.detail else ""
    return f'[{in_seconds(event.t_ns)}, "event", {_json(event.kind)}{rest}]'


def _json(value: object) -> str:
    return _ENCODER.encode(value)


def _line(text: str) -> bytes:
    if not text.isascii() or "\x7f" in text:
        text = _UNSAFE.sub(_escaped, text)
    return f"{text}\n".encode()


def _escaped(found: re.Match[str]) -> str:
    units = found[0].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))
