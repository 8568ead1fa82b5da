"""One frame whole: what it means, how it came, and its content as JSON, as text or in hexadecimal."""

import json
import re
from collections.abc import Iterator

from tapproxy_store.reading import Recording
from tapproxy_store.records import Chunk, Frame, Message, Told
from tapproxy_viewers import words
from tapproxy_viewers.cells import fitted
from tapproxy_viewers.happenings import STREAM_NAMES
from tapproxy_viewers.lines import Line
from tapproxy_viewers.palette import ARROWS, LANES, SEPARATOR
from tapproxy_viewers.visible import decoded, shown

INDENT = "  "
HEX_WIDTH = 16
"""Bytes in a line."""

_MEMBER = re.compile(r'( *)("(?:[^"\\]|\\.)*")(: .*)')


def detail(recording: Recording, told: Told, *, in_hex: bool = False) -> Iterator[Line]:
    """Draw one frame whole; lines are as long as they must be."""
    frame = told.frame
    yield [
        ("title", f"#{frame.number}"),
        (frame.stream, f"  {ARROWS[frame.stream]}  {LANES[frame.stream]}"),
        ("quiet", SEPARATOR + words.seconds(frame.last_ns)),
    ]
    yield [("quiet", INDENT + _extent(frame))]
    yield from map(_piece_line, recording.pieces(frame))
    for message in told.messages:
        yield from _meaning(message)
    yield []
    if in_hex:
        yield from _hexadecimal(recording.pieces(frame))
    else:
        yield from _content(recording, told)


def _extent(frame: Frame) -> str:
    ends = f"ends with {frame.terminator}" if frame.terminator != "none" else "no line end"
    said = [
        f"{words.size(frame.size)} on the wire",
        f"bytes {frame.start_offset:,} to {frame.end_offset:,} of {STREAM_NAMES[frame.stream]}",
        f"header of {words.size(frame.header_size)}" if frame.header_size else ends,
    ]
    return SEPARATOR.join([*said, *([frame.flaw] if frame.flaw else [])])


def _piece_line(piece: Chunk) -> Line:
    said = f"read {piece.seq}: {words.size(len(piece.data))} at {piece.t_ns / 1e9:.6f} s"
    return [("quiet", INDENT + said)]


def _meaning(message: Message) -> Iterator[Line]:
    line: Line = [("text", INDENT), ("kind", message.kind)]
    if message.method is not None:
        line.append(("method", f" {message.method}"))
    if message.id is not None:
        line.append(("id", f" ({message.id})"))
    yield [*line, ("quiet", "".join(SEPARATOR + it for it in _relations(message)))]
    if message.note:
        yield [("note", INDENT + message.note)]
    if message.summary:
        yield [("text", INDENT + message.summary)]
    if message.flags:
        yield [("quiet", f"{INDENT}flags: {message.flags}")]


def _relations(message: Message) -> Iterator[str]:
    if message.answers is not None:
        yield f"answers #{message.answers}, after {words.duration(message.latency_ns or 0)}"
    if message.about is not None:
        yield f"about #{message.about}"
    if message.asks and message.answered_after_ns is None:
        yield "no answer"
    elif message.asks:
        yield f"answered after {words.duration(message.answered_after_ns or 0)}"
    if message.within_ns is not None and message.asks:
        yield f"due within {words.duration(message.within_ns)}"


def _content(recording: Recording, told: Told) -> Iterator[Line]:
    opened = [recording.decoded(message) for message in told.messages]
    texts = [it for it in opened if it is not None] or [recording.payload(told.frame)]
    for text in texts:
        yield from _json(text) or _plain(text)


def _json(text: bytes) -> list[Line]:
    """Return the lines of JSON, an empty list where the text is none."""
    try:
        value = json.loads(text)
        pretty = json.dumps(value, indent=2, ensure_ascii=False)
    except (ValueError, RecursionError):
        return []
    return [_json_line(line) for line in pretty.split("\n")]


def _json_line(line: str) -> Line:
    found = _MEMBER.fullmatch(line)
    if found is None:
        return [("text", shown(line))]
    return [("text", found[1]), ("key", shown(found[2])), ("text", shown(found[3]))]


def _plain(text: bytes) -> list[Line]:
    lines = decoded(text).split("\n")
    return [fitted(line, 2 * len(line) + HEX_WIDTH) for line in lines]


def _hexadecimal(pieces: Iterator[Chunk]) -> Iterator[Line]:
    for piece in pieces:
        yield [("quiet", f"read {piece.seq}")]
        for at in range(0, len(piece.data), HEX_WIDTH):
            yield _hex_line(piece.start_offset + at, piece.data[at : at + HEX_WIDTH])


def _hex_line(offset: int, data: bytes) -> Line:
    halves = data[: HEX_WIDTH // 2].hex(" "), data[HEX_WIDTH // 2 :].hex(" ")
    width = 3 * (HEX_WIDTH // 2) - 1
    text = "".join(chr(byte) if 0x20 <= byte < 0x7F else "·" for byte in data)
    return [
        ("quiet", f"{offset:08x}  "),
        ("text", f"{halves[0]:<{width}}  {halves[1]:<{width}}  "),
        ("quiet", text),
    ]
