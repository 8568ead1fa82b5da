"""Writes the journal: every chunk before it is forwarded, and what is missing when it cannot."""

from __future__ import annotations

import errno
import os
import threading
import time

from tapproxy.wire.plain_json import encoded
from tapproxy_store import locks, private
from tapproxy_store.journal import (
    CHUNK,
    END,
    ENDED,
    ENDED_AT,
    EVENT,
    FACTS,
    HEADER,
    MAGIC,
    MARK,
    NO_STREAM,
    RECORD,
    UNRECORDED,
    UNRECORDED_AT,
    VOID,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Self

_now, _pack = time.monotonic_ns, RECORD.pack


class RecordingStopped(Exception):
    """The journal cannot be written, and the user chose not to go on without it."""


class Recorder:
    """The journal of one session, shared by its pumps.

    A record that cannot be written is counted in the file's header instead (which needs no new
    space), and the next one that can be is preceded by an event that says why.
    """

    def __init__(self, path: str, fd: int, *, must_record: bool) -> None:
        """Write to `fd`, open at its start; see `create` and `nowhere`."""
        self.path = path
        self._must_record = must_record
        self._fd = fd
        self._lock = threading.Lock()
        self._unrecorded = [0, 0, 0]
        self._trouble: OSError | None = None
        self._end = 0  # of what is on record, as an offset in the file
        self._due = b""  # facts that could not be written: nothing may stand before them

    @classmethod
    def create(cls, path: str, *, must_record: bool) -> Self:
        """Create the journal `path`, which must not exist; raises OSError."""
        fd = private.create_file(path)
        recorder = cls(path, fd, must_record=must_record)
        try:
            recorder._begin()
        except OSError:
            recorder.discard()
            raise
        return recorder

    @classmethod
    def nowhere(cls) -> Self:
        """Make a recorder that takes everything and keeps nothing."""
        return cls("", os.open(os.devnull, os.O_WRONLY), must_record=False)

    def _begin(self) -> None:
        locks.hold(self._fd)
        header = HEADER.pack(MAGIC, _now(), time.time_ns(), 0, 0, 0, 0)
        if os.write(self._fd, header) < len(header):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self._end = len(header)

    def chunk(self, stream: int, data: bytes, offset: int) -> None:
        """Put bytes on record; `offset` is that of the first one in its stream."""
        with self._lock:
            recordable = self._trouble is None or self._explained()
            if recordable and self._append(CHUNK, stream, offset, data):
                return
            self._missing(stream, len(data))

    def event(self, kind: str, detail: Mapping[str, Any]) -> None:
        """Put an event on record, at the present instant."""
        self._json(EVENT, {"kind": kind, **detail})

    def facts(self, facts: dict[str, Any]) -> None:
        """Put the session's facts on record, before anything else."""
        self._due = encoded(facts)
        with self._lock:
            self._write_facts()

    def end(self) -> None:
        """Put the orderly end on record and let the journal go."""
        now = time.time_ns()
        self._json(END, {"wall_ns": now})
        self._write_over(ENDED_AT, ENDED.pack(now))
        os.close(self._fd)

    def open_to_read(self) -> int | None:
        """Open the journal once more, for the ingester: it stays readable if it is deleted."""
        try:
            return os.open(self.path, os.O_RDONLY)
        except OSError:  # deleted already, or there is none
            return None

    def discard(self) -> None:
        """Take the journal back: nothing is on it."""
        os.unlink(self.path)
        os.close(self._fd)

    @property
    def trouble(self) -> OSError | None:
        """Why the journal cannot be written at present."""
        return self._trouble

    def _json(self, kind: int, value: dict[str, Any]) -> None:
        data = encoded(value)
        with self._lock:
            if self._trouble is None or self._explained():
                self._append(kind, NO_STREAM, 0, data)

    def _write_facts(self) -> bool:
        if self._due and not self._append(FACTS, NO_STREAM, 0, self._due):
            return False
        self._due = b""
        return True

    def _append(self, kind: int, stream: int, offset: int, data: bytes) -> bool:
        head = _pack(MARK, kind, stream, len(data), _now(), offset)
        size = len(head) + len(data)
        written = 0
        try:
            written = os.writev(self._fd, (head, data))
            while written < size:  # the disk is as good as full: the next write says why
                written += os.write(self._fd, (head + data)[written:])
        except OSError as error:
            self._trouble = error
            self._make_void(head, written)
            return False
        self._end += size
        return True

    def _make_void(self, head: bytes, written: int) -> None:
        """Have readers pass over what a failed write left behind: `head`, and less than its bytes.

        It is not cut off, but for less than a header: who reads meanwhile would meet old bytes
        where new ones are being written.
        """
        try:
            if written >= RECORD.size:
                mark, _, stream, _, t_ns, offset = RECORD.unpack(head)
                void = _pack(mark, VOID, stream, written - RECORD.size, t_ns, offset)
                os.pwrite(self._fd, void, self._end)
                self._end += written
            elif written:
                os.ftruncate(self._fd, self._end)
                os.lseek(self._fd, self._end, os.SEEK_SET)
        except OSError:  # the disk is gone altogether: what is there stays readable
            return

    def _explained(self) -> bool:
        """Try to say on the record why something is missing before this point."""
        trouble, self._trouble = self._trouble, None
        if trouble is None:
            return True
        if not self._write_facts():
            return False
        detail = {
            "kind": "recording-error",
            "errno": errno.errorcode.get(trouble.errno or 0, "EIO"),
            "message": trouble.strerror,
        }
        return self._append(EVENT, NO_STREAM, 0, encoded(detail))

    def _missing(self, stream: int, size: int) -> None:
        if self._must_record:
            raise RecordingStopped
        self._unrecorded[stream] += size
        self._write_over(UNRECORDED_AT, UNRECORDED.pack(*self._unrecorded))

    def _write_over(self, at: int, data: bytes) -> None:
        """Write in the file's header, which takes no new space."""
        try:
            os.pwrite(self._fd, data, at)
        except OSError:  # nothing works on this disk, or we record nowhere
            return
