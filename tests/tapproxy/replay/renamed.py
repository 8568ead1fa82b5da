"""A recording of the same session with a host that counts its questions otherwise."""

from collections.abc import Iterator
from pathlib import Path

from tapproxy.ingest.tapes import import_file
from tapproxy.replay.json_patterns import Path as Place
from tapproxy.replay.rewriting import frame_rewritten
from tapproxy_store.records import Chunk, Event, Session, Stream, Told
from tapproxy_store.rows import TERMINATORS
from tests.tapproxy.replay.simulated import Taken

OFFSET = 1000

ASKED: dict[str, str] = {"dap": "seq"}
ANSWERED: dict[str, str] = {"dap": "request_seq"}
"""Where the ids of questions are, and where answers have them; `id` in most dialects."""


def renamed(_: Place, raw: bytes) -> bytes | None:
    """Return the new id: another number of more digits, or a longer text."""
    if raw.isdigit():
        return b"%d" % (int(raw) + OFFSET)
    return raw[:-1] + b'-renamed"' if raw.startswith(b'"') else None


def record_renamed(it: Taken, path: Path) -> None:
    """Record it with new ids in the host's questions and their answers, a chunk for each frame."""
    import_file(it.recording.path, str(path), lambda *_: _records(it))


def _records(it: Taken) -> Iterator[Session | Chunk | Event]:
    yield it.session
    sizes: dict[Stream, int] = {"in": 0, "out": 0, "err": 0}
    for seq, entry in enumerate(it.recording.entries(it.session.id), 1):
        if isinstance(entry, Event):
            yield Event(seq, it.session.id, entry.t_ns, entry.kind, entry.detail)
            continue
        stream, data = entry.frame.stream, _data(it, entry)
        yield Chunk(seq, it.session.id, stream, entry.frame.last_ns, sizes[stream], data)
        sizes[stream] += len(data)


def _data(it: Taken, told: Told) -> bytes:
    frame, messages = told
    data = b"".join(piece.data for piece in it.recording.pieces(frame))
    if len(messages) != 1:
        return data
    (message,) = messages
    places = ASKED if frame.stream == "in" else ANSWERED
    flags = (message.flags or "").split()
    is_answer = message.answers is not None or "duplicate-answer" in flags
    if not (message.asks if frame.stream == "in" else is_answer):
        return data
    place = places.get(it.session.dialect or "", "id")
    terminator = TERMINATORS[frame.terminator]
    return frame_rewritten(data, frame.header_size, terminator, [place], renamed)
