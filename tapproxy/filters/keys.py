"""The keys of the filter language: what each one looks at, and the values that it takes."""

from collections.abc import Callable
from dataclasses import dataclass

from tapproxy.filters.bodies import text_condition
from tapproxy.filters.columns import (
    SPEAKERS,
    STREAMS,
    Read,
    frame_number,
    gap,
    message_id,
    message_number,
    message_text,
    stream,
)
from tapproxy.filters.expressions import Condition
from tapproxy.filters.flag_words import flag_condition
from tapproxy.filters.json_paths import json_conditions
from tapproxy.filters.letters import Word, alternatives
from tapproxy.filters.quantities import NUMBER, SIZE, TIME


@dataclass(frozen=True, slots=True)
class Key:
    """One key. `read` makes of a term's value the conditions of which one must be met."""

    name: str
    purpose: str  # what it looks at, one clause for help pages
    example: str  # a term
    read: Callable[[Word], list[Condition]]


def _each(read: Read) -> Callable[[Word], list[Condition]]:
    return lambda word: [read(value) for value in alternatives(word, word)]


_SPEAKER = "who speaks is host or plugin; stderr is stream:err"
_STREAM = "a stream is in, out or err"
_SIZE = "f.end_offset - f.start_offset"

_ALL = (
    Key("method", "what is asked or told", "method:tools/*", _each(message_text("method"))),
    Key("kind", "the sort of message", "kind:request,error", _each(message_text("kind"))),
    Key("id", "the message's id", "id:7", _each(message_id)),
    Key("dir", "who speaks: host or plugin", "dir:plugin", _each(stream(SPEAKERS, _SPEAKER))),
    Key("stream", "where: in, out or err", "stream:err", _each(stream(STREAMS, _STREAM))),
    Key("text", "text anywhere in the frame", 'text:"not found"', _each(text_condition)),
    Key("json", "a value in the JSON", "json:params.name=echo", json_conditions),
    Key("size", "bytes on the wire", "size:>64k", _each(frame_number("size", _SIZE, SIZE))),
    Key(
        "latency",
        "of an answer, the time since its question",
        "latency:>3s",
        _each(message_number("latency_ns", TIME)),
    ),
    Key("gap", "time since the frame before, on any stream", "gap:>3s", _each(gap(TIME))),
    Key(
        "t",
        "when its last byte arrived, since the session's start",
        "t:1.5s..3s",
        _each(frame_number("last_ns", "f.last_ns", TIME)),
    ),
    Key("n", "the frame's number", "n:10..20", _each(frame_number("number", "f.number", NUMBER))),
    Key("flag", "a word that says what is special", "flag:error", _each(flag_condition)),
)

KEYS = {key.name: key for key in _ALL}
"""By name, in the order of help pages."""
