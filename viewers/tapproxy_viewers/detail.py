"""One frame whole: what it means, how it came, and its content as JSON, text or hexadecimal."""

from collections import deque
from collections.abc import Iterator

from tapproxy_store.reading import Recording
from tapproxy_store.records import Chunk, Frame, Message, Told
from tapproxy_viewers import words
from tapproxy_viewers.cells import visible
from tapproxy_viewers.chosen import no_answer
from tapproxy_viewers.happenings import STREAM_NAMES
from tapproxy_viewers.json_lines import is_json, json_lines
from tapproxy_viewers.lines import Line
from tapproxy_viewers.palette import ARROWS, ELLIPSIS, LANES, MARKS, SEPARATOR
from tapproxy_viewers.timeline import flaw_notes, time_notes
from tapproxy_viewers.visible import decoded, is_utf8

INDENT = "  "

LISTED_READS = 8
"""Reads of a frame that are listed, or one more; of more, the first ones and the last."""

HEX_WIDTH = 16
"""Bytes in a line."""
HALF_WIDTH = HEX_WIDTH // 2
HALF_CELLS = 3 * HALF_WIDTH - 1


def detail(recording: Recording, told: Told, *, in_hex: bool = False) -> Iterator[Line]:
    """Draw one frame whole; lines are as long as they must be."""
    frame = told.frame
    yield [
        ("title", f"#{frame.number}"),
        (frame.stream, f"  {ARROWS[frame.stream]}  {LANES[frame.stream]}"),
        ("quiet", SEPARATOR + words.seconds(frame.last_ns)),
    ]
    yield [("quiet", INDENT + _extent(frame))]
    if in_hex:
        yield from _meanings(recording, told)
        yield from _hexadecimal(recording.pieces(frame))
    else:
        yield from _reads(recording.pieces(frame))
        yield from _content(recording, told)


def _extent(frame: Frame) -> str:
    ends = "no line end" if frame.terminator == "none" else f"ends with {frame.terminator}"
    header = f"header of {words.size(frame.header_size)}"
    said = [
        f"{words.size(frame.size)} on the wire",
        f"from byte {frame.start_offset:,} of {STREAM_NAMES[frame.stream]}",
        header if frame.header_size else ends,
    ]
    return SEPARATOR.join(said)


def _reads(pieces: Iterator[Chunk]) -> Iterator[Line]:
    """Say by which reads the frame came: where a boundary lies, and when each part was there."""
    last: deque[Line] = deque(maxlen=2)
    count = 0
    for piece in pieces:
        count += 1
        if count < LISTED_READS:
            yield _read(piece)
        else:
            last.append(_read(piece))
    left_out = count - LISTED_READS
    if left_out > 1:
        last.popleft()
        yield [("quiet", f"{INDENT}{ELLIPSIS} {left_out:,} more reads")]
    yield from last


def _read(piece: Chunk) -> Line:
    size = words.size(len(piece.data))
    return [
        ("quiet", f"{INDENT}{size} read at {piece.t_ns / words.SECOND:.6f} s (chunk {piece.seq})")
    ]


def _content(recording: Recording, told: Told) -> Iterator[Line]:
    """Say what each message means, with its content where that is not the frame's body."""
    body = recording.payload(told.frame)
    yield from _notes(told, body)
    is_shown = False
    for message in told.messages:
        if message.part:
            yield []
        yield from _meaning(recording, told.frame, message)
        opened = recording.decoded(message)
        if opened is not None:
            is_shown = True
            yield [("quiet", f"{INDENT}decoded:")]
            yield []
            yield from _text(opened)
    if not is_shown:
        yield []
        yield from _text(body)


def _meanings(recording: Recording, told: Told) -> Iterator[Line]:
    yield from _notes(told, recording.payload(told.frame))
    for message in told.messages:
        yield from _meaning(recording, told.frame, message)


def _notes(told: Told, body: bytes) -> Iterator[Line]:
    """Say what is wrong with the frame itself; whether it is UTF-8, its messages know better."""
    bad = not told.messages and not is_utf8(body)
    yield from map(_note, flaw_notes(told.frame, is_utf8=not bad, is_open=False))
    if not told.messages:
        yield from map(_note, time_notes(told.frame))


def _note(said: str) -> Line:
    return visible([("note", f"{INDENT}{MARKS['note']} {said}")])


def _meaning(recording: Recording, frame: Frame, message: Message) -> Iterator[Line]:
    line: Line = [("text", INDENT), ("kind", message.kind)]
    if message.method is not None:
        line.append(("method", f" {message.method}"))
    if message.id is not None:
        line.append(("id", f" ({message.id})"))
    related = [("quiet", SEPARATOR + it) for it in _relations(recording, message)]
    yield visible([*line, *related])
    if message.note:
        yield _note(message.note)
    if not message.part:
        yield from map(_note, time_notes(frame))
    if message.summary:
        yield visible([("text", INDENT + message.summary)])
    if message.flags:
        yield visible([("quiet", f"{INDENT}flags: {message.flags}")])


def _relations(recording: Recording, message: Message) -> Iterator[str]:
    if message.answers is not None:
        yield f"answers #{message.answers}, after {words.duration(message.latency_ns or 0)}"
    if message.about is not None:
        yield f"about #{message.about}"
    if message.asks:
        yield _answered(recording, message)
        if message.within_ns is not None:
            yield f"due within {words.duration(message.within_ns)}"


def _answered(recording: Recording, question: Message) -> str:
    answer = recording.find_answer(question)
    if answer is None:
        sessions = recording.sessions()
        return next(no_answer(it) for it in sessions if it.id == question.session)
    return f"answered by #{answer.frame}, after {words.duration(answer.latency_ns or 0)}"


def _text(content: bytes) -> Iterator[Line]:
    text = decoded(content)
    if is_json(text):
        yield from json_lines(text)
    else:
        yield from (visible([("text", line)]) for line in text.split("\n"))


def _hexadecimal(pieces: Iterator[Chunk]) -> Iterator[Line]:
    for piece in pieces:
        yield []
        yield _read(piece)
        for at in range(0, len(piece.data), HEX_WIDTH):
            yield _hex_line(piece.start_offset + at, piece.data[at : at + HEX_WIDTH])


def _hex_line(offset: int, data: bytes) -> Line:
    halves = data[:HALF_WIDTH].hex(" "), data[HALF_WIDTH:].hex(" ")
    text = "".join([chr(byte) if 0x20 <= byte < 0x7F else "·" for byte in data])
    return [
        ("quiet", f"{offset:08x}  "),
        ("text", f"{halves[0]:<{HALF_CELLS}}  {halves[1]:<{HALF_CELLS}}  "),
        ("quiet", text),
    ]
