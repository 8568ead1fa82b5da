"""Reads a journal while it is being written: whole records only, and nothing past damage."""

import os
import stat
from typing import NamedTuple

from tapproxy_store.journal import (
    CHUNK,
    END,
    EVENT,
    FACTS,
    HEADER,
    MAGIC,
    MARK,
    NO_STREAM,
    RECORD,
    STREAM_NAMES,
    SUFFIX,
    VOID,
)
from tapproxy_store.locks import is_held

_LARGEST = {(CHUNK, stream): 1 << 20 for stream in range(len(STREAM_NAMES))}
_LARGEST |= {(kind, NO_STREAM): 1 << 24 for kind in (FACTS, EVENT, END, VOID)}
_LARGEST |= {(VOID, stream): 1 << 20 for stream in range(len(STREAM_NAMES))}
"""Bytes of each kind of record: a longer one is damage, not a reason to take memory."""

_new = tuple.__new__  # half the cost of Record(...), and there is one for every read

_OPENING = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0)
"""A pipe is not waited for, and a link, which no recorder makes, is not followed."""

BLOCK = 1 << 20
"""How much of the journal is taken at once, bytes."""


class NotAJournal(Exception):
    """The file does not begin as a journal does."""


class JournalHeader(NamedTuple):
    """What the first 64 bytes say."""

    mono_ns: int
    wall_ns: int
    unrecorded: tuple[int, int, int]  # bytes of in, out, err that were forwarded unrecorded
    ended_ns: int  # wall clock at the orderly end; 0 while there was none


class Record(NamedTuple):
    """One record; `data` is a stream's bytes or JSON, by kind."""

    kind: int
    stream: int  # index in STREAM_NAMES, or NO_STREAM
    t_ns: int  # monotonic clock
    offset: int  # of the first byte in its stream
    data: bytes


def open_journal(recording: str) -> int | None:
    """Open the journal beside a recording; None where there is none (or something else)."""
    try:
        fd = os.open(recording + SUFFIX, _OPENING)
    except OSError:
        return None
    if stat.S_ISREG(os.fstat(fd).st_mode):
        return fd
    os.close(fd)
    return None


def is_live(recording: str) -> bool:
    """Tell whether a recording is still being made: the writer of the journal beside it lives."""
    journal = open_journal(recording)
    if journal is None:
        return False
    try:
        return is_held(journal)
    finally:
        os.close(journal)


def read_header(fd: int) -> JournalHeader:
    """Read the file header afresh (the counters change while the session runs)."""
    block = os.pread(fd, HEADER.size, 0)
    if len(block) < HEADER.size or not block.startswith(MAGIC):
        raise NotAJournal
    _, mono_ns, wall_ns, lost_in, lost_out, lost_err, ended_ns = HEADER.unpack(block)
    return JournalHeader(mono_ns, wall_ns, (lost_in, lost_out, lost_err), ended_ns)


class JournalReader:
    """Reads records one after another; what is no whole record (yet) is looked at again each time.

    While the session lives that is a record being written; afterwards it is damage.
    """

    def __init__(self, fd: int) -> None:
        self.fd = fd
        self.position = HEADER.size

    def read(self) -> list[Record]:
        """Return the records that have become whole since the last call, about BLOCK bytes."""
        while True:
            block = os.pread(self.fd, BLOCK, self.position)
            records, used = self._parse(block)
            if not used and len(block) == BLOCK:
                needed = RECORD.size + RECORD.unpack_from(block)[3]
                if needed <= RECORD.size + max(_LARGEST.values()):
                    records, used = self._parse(os.pread(self.fd, needed, self.position))
            self.position += used
            if records or not used:
                return records

    def unread(self) -> int:
        """Return how many bytes of the file `read` has not passed."""
        return os.fstat(self.fd).st_size - self.position

    def _parse(self, block: bytes) -> tuple[list[Record], int]:
        records: list[Record] = []
        at, end, size = 0, len(block), RECORD.size
        while at + size <= end:
            mark, kind, stream, length, t_ns, offset = RECORD.unpack_from(block, at)
            is_record = mark == MARK and length <= _LARGEST.get((kind, stream), -1)
            if not is_record or (t_ns | (offset + length)) >> 63:
                break
            stop = at + size + length
            if stop > end:
                break
            if kind != VOID:
                records.append(_new(Record, (kind, stream, t_ns, offset, block[at + size : stop])))
            at = stop
        return records, at
