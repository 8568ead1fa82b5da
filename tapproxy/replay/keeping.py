"""Adds to a tape what a replay has learnt, and writes tapes that are never half there."""

import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import BinaryIO, NamedTuple

from tapproxy.errors import COULD_NOT_RUN, TapError
from tapproxy.replay.dialogue import Frames
from tapproxy.replay.forwarding import News
from tapproxy_store.line_reading import lines_of
from tapproxy_store.locks import hold
from tapproxy_store.records import Chunk, Event, Session, Stream
from tapproxy_store.tape import chunk_line, read_tape
from tapproxy_store.tape_reading import BLANK, BOM

BETWEEN_NS = 1_000_000
"""How long after what was there before the first of what is new is told to have been."""

LAST = ("eof", "exit", "signal", "broken-pipe")
"""Kinds of events that end a session, or lead to its end."""

ANSWERING = ("in", "out")


class Entry(NamedTuple):
    """What a line of a tape says."""

    line: int  # its index
    record: Chunk | Event


def grow(tape: str, session: int, news: Sequence[News]) -> None:
    """Add new exchanges to a session of a tape; what was there stays, byte for byte.

    Raises TapError where they cannot be added, StoreError where the tape cannot be read.
    """
    with _told(tape), _held(tape) as file:
        replace(tape, grown(list(lines_of(file, tape)), session, news, tape))


def append(tape: str, more: Iterable[bytes]) -> None:
    """Add the lines of further sessions to a tape, which need not be there yet."""
    if not os.path.exists(tape):
        replace(tape, more)
        return
    with _told(tape), _held(tape) as file:
        replace(tape, [*_ended(list(lines_of(file, tape))), *more])


@contextmanager
def _told(tape: str) -> Iterator[None]:
    """Say of what the system refuses which tape it is about."""
    try:
        yield
    except OSError as error:
        why = f"cannot write {tape}: {error.strerror}; what was there stays as it was"
        raise TapError(why, COULD_NOT_RUN) from error


@contextmanager
def _held(tape: str) -> Iterator[BinaryIO]:
    """Open a tape that no other replay adds to meanwhile: after us it finds what we have added."""
    while True:
        with open(tape, "rb") as file:
            with suppress(OSError):  # a file system without locks
                hold(file.fileno())
            if not os.path.samestat(os.fstat(file.fileno()), os.stat(tape)):
                continue  # it was replaced while we waited
            yield file
            return


def check_place(tape: str) -> None:
    """Raise TapError where a tape could not be written: it is too late once there is one."""
    folder = os.path.dirname(os.path.realpath(tape))
    while not os.path.exists(folder):
        folder = os.path.dirname(folder)
    if not os.access(folder, os.W_OK):
        raise TapError(f"cannot write {tape}: {folder} cannot be written to", COULD_NOT_RUN)


def replace(tape: str, lines: Iterable[bytes]) -> None:
    """Write a tape in the place of what is there; that stays if anything fails.

    Raises TapError where it cannot be written.
    """
    with _told(tape):
        _replace(os.path.realpath(tape), lines)


def _replace(place: str, lines: Iterable[bytes]) -> None:
    folder, name = os.path.split(place)
    os.makedirs(folder, exist_ok=True)
    descriptor, unfinished = tempfile.mkstemp(prefix=f".{name[:40]}.", dir=folder)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.writelines(lines)
        if os.path.exists(place):
            shutil.copymode(place, unfinished)
        os.replace(unfinished, place)
    except BaseException:
        os.unlink(unfinished)
        raise


def grown(lines: Sequence[bytes], session: int, news: Sequence[News], name: str) -> list[bytes]:
    """Return the lines of a tape with new exchanges, before what ends the session.

    They follow what is before them there, with the time between them, and the reads, that they
    had. Where the host had closed its stdin before the last answers, what it says stands before
    that, and all that is new where it says something on account of an answer. Raises TapError where
    they would be the rest of a frame.
    """
    header, framing, entries = _session_of(lines, session, name)
    for stream in ANSWERING:
        if _is_cut_off(entries, framing, stream):
            raise TapError(f"{name} ends within a frame, which nothing can be added to")
    asks, answers = _end_of(entries, "in"), _end_of(entries, *ANSWERING)
    if not any(isinstance(it.record, Chunk) for it in entries[asks:answers]):
        answers = asks
    elif _goes_to_and_fro(news):
        answers = asks
        if _is_cut_off(entries[:asks], framing, "out"):
            raise TapError(
                f"{name}: its host closes stdin within an answer, where nothing is added"
            )
    written = list(_written(news, [it.record for it in entries[:answers]]))
    early = [line for stream, line in written if stream == "in" and asks != answers]
    late = [line for stream, line in written if stream != "in" or asks == answers]
    said = [header, *(it.line for it in entries)]
    begin, end = _line_at(said, asks + 1), _line_at(said, answers + 1)
    return [*_ended(lines[:begin]), *early, *_ended(lines[begin:end]), *late, *lines[end:]]


def _session_of(lines: Sequence[bytes], session: int, name: str) -> tuple[int, str, list[Entry]]:
    """Return where a session's header is, its framing, and its entries; raises TapError."""
    blank = (BLANK + BOM).encode()  # all of whose bytes are of no other text's beginning
    told = [number for number, line in enumerate(lines) if line.strip(blank)]
    begun: tuple[int, str] | None = None
    entries = []
    for number, record in zip(told, read_tape(lines, name), strict=True):
        if not isinstance(record, Session):
            if record.session == session:
                entries.append(Entry(number, record))
        elif record.id == session:
            begun = number, record.framing
    if begun is None:
        raise TapError(f"{name} has no session {session} any more")
    return *begun, entries


def _goes_to_and_fro(news: Sequence[News]) -> bool:
    """Tell whether the host says something once it has heard something."""
    streams = [it.stream for it in sorted(news, key=lambda it: it.t_ns)]
    return "out" in streams and "in" in streams[streams.index("out") :]


def _is_cut_off(entries: Sequence[Entry], framing: str, stream: str) -> bool:
    frames = Frames("in" if stream == "in" else "out", framing)
    for _, record in entries:
        if isinstance(record, Chunk) and record.stream == stream:
            frames.feed(record.data, record.t_ns)
    return bool(frames.close())


def _end_of(entries: Sequence[Entry], *streams: str) -> int:
    """Return the index of the first of the last events, after which these streams have nothing."""
    ends: dict[str, int] = {}
    place: int | None = None
    for index, (_, record) in enumerate(entries):
        if isinstance(record, Event):
            is_last = record.kind in LAST and record.detail.get("stream") != "err"
            place = index if is_last and place is None else place
            continue
        if record.stream in streams or record.start_offset != ends.get(record.stream, 0):
            place = None  # it tells where in its stream it is: nothing can come before it
        ends[record.stream] = record.start_offset + len(record.data)
    return len(entries) if place is None else place


def _line_at(said: Sequence[int], index: int) -> int:
    """Return the number of a line by its index; of what comes after the last, that after it."""
    return said[index] if index < len(said) else said[-1] + 1


def _written(
    news: Sequence[News], before: Sequence[Chunk | Event]
) -> Iterator[tuple[Stream, bytes]]:
    begin_ns = max((it.t_ns for it in before), default=0) + BETWEEN_NS
    first_ns = min(it.t_ns for it in news)
    for it in sorted(news, key=lambda it: it.t_ns):
        chunk = Chunk(0, 0, it.stream, begin_ns + it.t_ns - first_ns, 0, it.data)
        yield it.stream, chunk_line(chunk, 0)


def _ended(lines: Sequence[bytes]) -> list[bytes]:
    """Return the lines with an end to the last one, too."""
    if lines and not lines[-1].endswith(b"\n"):
        return [*lines[:-1], lines[-1] + b"\n"]
    return list(lines)
