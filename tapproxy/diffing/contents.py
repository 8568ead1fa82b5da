"""What a recorded message says, as a value that can be compared: its JSON, else its bytes."""

from collections.abc import Iterator, Sequence
from typing import Any

import orjson

from tapproxy.diffing.lanes import Lanes, Place, Said, key_of
from tapproxy.diffing.volatile import without_volatile
from tapproxy_store.reading import Recording
from tapproxy_store.records import Event, Frame, Message, Told

UNKNOWN = "unknown"
"""The kind of a message that its dialect has not understood: its bytes are compared."""


def lanes(recording: Recording, session_id: int, volatile: Sequence[str]) -> Lanes:
    """Read a session's messages, and the lines of its stderr, into lanes."""
    filled = Lanes()
    for told in recording.entries(session_id):
        if not isinstance(told, Event):
            for said in _said(recording, told, volatile):
                filled.add(told.frame.stream, said)
    return filled


def _said(recording: Recording, told: Told, volatile: Sequence[str]) -> Iterator[Said]:
    frame = told.frame
    if not told.messages:
        body = recording.payload(frame)
        yield Said(Place(frame.number, 0), key_of(body), key_of(frame.stream.encode()))
        return
    for it in told.messages:
        key = key_of(it.kind.encode(), _canonical(recording, frame, it, volatile))
        label = key_of(it.kind.encode(), (it.method or "").encode())
        answers = None if it.answers is None else Place(it.answers, it.answers_part or 0)
        yield Said(Place(frame.number, it.part), key, label, asks=bool(it.asks), answers=answers)


def _canonical(
    recording: Recording, frame: Frame, message: Message, volatile: Sequence[str]
) -> bytes:
    value = content(recording, frame, message, volatile)
    if isinstance(value, bytes):
        return value
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except TypeError:  # nested deeper than can be written
        return recording.payload(frame)


def content(
    recording: Recording, frame: Frame, message: Message | None, volatile: Sequence[str]
) -> Any:
    """Return the JSON value less what is volatile; the body where it is not understood."""
    if message is None or message.kind == UNKNOWN:
        return recording.payload(frame)
    written = recording.decoded(message)
    body = recording.payload(frame) if written is None else written
    try:
        return without_volatile(orjson.loads(body), volatile)
    except ValueError:
        return body
