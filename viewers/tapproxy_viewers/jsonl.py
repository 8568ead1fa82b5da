"""A recording as lines of JSON, one object each, for programs.

The first object of a session has `type: session`; then come `frame` and `event` in their order.
What a frame means is in it, under `messages`. Whatever the recording holds, a line is valid UTF-8
and free of control characters.
"""

import base64
import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

import orjson

from tapproxy_store.exact_json import BadLine, plain
from tapproxy_store.instants import to_iso
from tapproxy_store.reading import Counts, Recording
from tapproxy_store.records import STREAMS, Event, Frame, Message, Session, Told
from tapproxy_viewers.chosen import Entries, wanted
from tapproxy_viewers.naming import called, command_of
from tapproxy_viewers.visible import safe_json

Json = dict[str, Any]

_ON_ONE_LINE = re.compile("[\t\n\r]+")  # outside of JSON's strings, which have none


def lines(recording: Recording, entries: Entries | None = None) -> Iterator[bytes]:
    """Yield every session as a head, its frames and events, and what is still open.

    Of a choice of `entries`, nothing but the heads and those.
    """
    name = called(recording.path)
    for session in recording.sessions():
        yield dumped(session_object(session, recording.counts(session.id), name))
        yield from entry_lines(recording, session.id, entries)


def entry_lines(
    recording: Recording, session: int, entries: Entries | None = None
) -> Iterator[bytes]:
    """Yield the lines below the head of the session of that id."""
    for entry in wanted(recording, session, entries):
        if isinstance(entry, Event):
            yield dumped(event_object(entry))
        else:
            yield dumped(told_object(recording, entry))
    if entries is None:
        for frame in recording.open_frames(session):
            yield dumped(frame_object(frame, recording.payload(frame), is_open=True))


def session_object(session: Session, counts: Counts, recording: str) -> Json:
    """Return the head: the recording's name, keys of the table `sessions`, and the counts."""
    return {
        "type": "session",
        "recording": recording,
        "session": session.id,
        "name": session.name,
        "command": command_of(session),
        "started": to_iso(session.started_ns),
        "started_ns": session.started_ns,
        "duration_ns": session.duration_ns,
        "outcome": session.outcome,
        "framing": session.framing,
        "dialect": session.dialect,
        "dialect_reason": session.dialect_reason,
        "traits": session.traits,
        "frames": {stream: counts.frames[stream] for stream in STREAMS},
        "bytes": {stream: counts.bytes[stream] for stream in STREAMS},
        "events": counts.events,
        "facts": session.facts,
    }


def told_object(recording: Recording, told: Told) -> Json:
    """Return a frame with what it says."""
    messages = [message_object(it, recording.decoded(it)) for it in told.messages]
    return frame_object(told.frame, recording.payload(told.frame), messages)


def frame_object(
    frame: Frame, body: bytes, messages: Sequence[Json] = (), *, is_open: bool = False
) -> Json:
    """Return a frame: keys of the table `frames`, its size, its body as `text` or `base64`."""
    value: Json = {
        "type": "frame",
        "session": frame.session,
        "number": frame.number,
        "stream": frame.stream,
        "first_ns": frame.first_ns,
        "last_ns": frame.last_ns,
        "start_offset": frame.start_offset,
        "end_offset": frame.end_offset,
        "size": frame.size,
        "header_size": frame.header_size,
        "first_chunk": frame.first_chunk,
        "last_chunk": frame.last_chunk,
        "terminator": frame.terminator,
        "flaw": frame.flaw,
        "open": is_open,
        "messages": messages,
    }
    return value | body_object(body)


def body_object(body: bytes) -> Json:
    """Return `text` where the bytes are UTF-8, else `base64`."""
    try:
        return {"text": body.decode()}
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(body).decode("ascii")}


def message_object(message: Message, decoded: bytes | None) -> Json:
    """Return one message: keys of the table `messages`, and `decoded` where the body is another."""
    value: Json = {
        "kind": message.kind,
        "method": message.method,
        "id": message.id,
        "asks": bool(message.asks),
        "summary": message.summary,
        "answers": message.answers,
        "answers_part": message.answers_part,
        "latency_ns": message.latency_ns,
        "answered_after_ns": message.answered_after_ns,
        "about": message.about,
        "within_ns": message.within_ns,
        "run": message.run,
        "flags": (message.flags or "").split(),
        "note": message.note,
    }
    return value if decoded is None else value | {"decoded": _embedded(decoded)}


def _embedded(decoded: bytes) -> Any:
    """Return the JSON to be written as it stands, every digit of it; as text where it is none."""
    text = decoded.decode(errors="replace")
    try:
        plain(text)
    except BadLine:
        return text
    return orjson.Fragment(_ON_ONE_LINE.sub(" ", text))


def event_object(event: Event) -> Json:
    """Return an event: the keys of the table `events`."""
    return {
        "type": "event",
        "session": event.session,
        "seq": event.seq,
        "t_ns": event.t_ns,
        "kind": event.kind,
        "detail": event.detail,
    }


def dumped(value: Json) -> bytes:
    """Return one line of JSON; lone surrogates and the like are written as escapes."""
    try:
        line = orjson.dumps(value)
    except TypeError:  # a lone surrogate, a number beyond 64 bits
        return safe_json(json.dumps(value, separators=(",", ":"))).encode() + b"\n"
    if line.isascii() and b"\x7f" not in line:
        return line + b"\n"
    return safe_json(line.decode()).encode() + b"\n"
