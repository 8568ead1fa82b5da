"""Follows a journal into its recording, while its session lives and after."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from tapproxy.ingest.derivation import Derivation, Rows
from tapproxy_store.errors import CannotWrite, StoreError
from tapproxy_store.journal_reading import BLOCK, JournalReader, read_header
from tapproxy_store.locks import is_held
from tapproxy_store.names import free_names
from tapproxy_store.recording import create_or_open
from tapproxy_store.sqlite_errors import writing

BUSY_S, IDLE_S = 0.04, 0.12
"""How often to look for new records: a frame must be on show within 300 ms."""

RETRY_S = 1.0
"""How long to wait before writing again to a disk that was full or a folder that was gone."""


class RecordingGone(Exception):
    """Somebody took the recording away; the journal still has everything."""


class NameTaken(Exception):
    """The name now belongs to another session, which began after somebody took ours away."""


class Follower:
    """Brings a recording up to its journal. Any number may do so at once, each adds what is new."""

    def __init__(self, journal: int, recording: str) -> None:
        """Take the journal's descriptor and the recording's path; raises StoreError."""
        self._journal = journal
        self._path = recording
        self._reader = JournalReader(journal)
        self._derivation = Derivation(read_header(journal))
        self._writer = create_or_open(recording)
        self._inode = _inode(recording)
        self._told: tuple[str | None, str | None, tuple[str, ...]] = (None, None, ())

    def catch_up(self) -> bool:
        """Write what the journal has; tell whether that was anything."""
        anything = False
        while records := self._reader.read():
            self._write(self._derivation.take(records))
            anything = True
        return anything

    def finish(self, noticed_ns: int | None) -> None:
        """Complete the recording of a session that is over, as one file.

        `noticed_ns`: when it was seen to end (monotonic clock), None where nobody was looking.
        """
        self.catch_up()
        rows = self._derivation.finish(
            read_header(self._journal), unreadable=self._reader.unread(), noticed_ns=noticed_ns
        )
        self._write(rows, over=True)
        with self._unless_gone():
            if self._derivation.redaction is not None:
                from tapproxy.ingest.redacting import complete

                complete(self._derivation.redaction, self._derivation.session, self._writer)
            self._writer.finish()

    def close(self) -> None:
        """Let the recording go."""
        self._writer.close()

    def _write(self, rows: Rows, *, over: bool = False) -> None:
        if self._is_gone():
            raise RecordingGone
        derivation = self._derivation
        with self._unless_gone():
            self._writer.begin()
            if not self._writer.put_session(derivation.session):
                raise NameTaken
            if derivation.redaction is not None and self._writer.is_over(derivation.session.id):
                self._writer.commit()  # all is on record, and what was learnt late is not in it
                return
            self._writer.insert(rows.chunks, rows.events, rows.frames, rows.messages)
            if (
                over or self._reader.unread() < BLOCK
            ):  # one that begins anew knows less than is told
                self._tell_dialect(over=over)
            if over:
                self._writer.put_totals(derivation.totals())
                self._writer.end_session(
                    derivation.session.id, derivation.duration_ns, derivation.outcome or "unknown"
                )
            self._writer.commit()

    def _tell_dialect(self, *, over: bool) -> None:
        interpreter = self._derivation.interpreter
        learnt = (interpreter.dialect, interpreter.reason, tuple(interpreter.traits))
        if over or learnt != self._told:
            self._told = learnt
            self._writer.set_dialect(self._derivation.session.id, *learnt)

    @contextmanager
    def _unless_gone(self) -> Iterator[None]:
        """Take it as gone if anything fails and it is: SQLite has words of its own for that."""
        try:
            yield
        except StoreError as error:
            if self._is_gone():
                raise RecordingGone from error
            raise

    def _is_gone(self) -> bool:
        return self._inode is None or _inode(self._path) != self._inode


def follow(journal: int, journal_path: str, recording: str) -> None:
    """Bring the recording up to the journal until the session is over; then remove the journal.

    Tries again while the session lives whatever hinders the writing, and once after; then raises
    StoreError. A recording that was taken away is made again, under another name where its own is
    another's now.
    """
    place = recording
    while True:
        was_live = is_held(journal)  # what fails then may be mended by beginning anew
        try:
            _follow_once(journal, place)
            break
        except RecordingGone:
            if _inode(journal_path) not in (None, os.fstat(journal).st_ino):
                place = next(free_names(recording))
        except NameTaken:
            place = next(free_names(recording))
        except CannotWrite:
            if not was_live:
                raise
            time.sleep(RETRY_S)
    if _inode(journal_path) == os.fstat(journal).st_ino:
        with writing(journal_path), suppress(FileNotFoundError):  # another may have been quicker
            os.unlink(journal_path)


def catch_up(journal: int, recording: str) -> None:
    """Bring the recording of a living session up to its journal, once."""
    follower = Follower(journal, recording)
    try:
        # What is gone is made anew by the session's ingester, or by whoever opens it next.
        with suppress(RecordingGone, NameTaken):
            follower.catch_up()
    finally:
        follower.close()


def _follow_once(journal: int, recording: str) -> None:
    follower = Follower(journal, recording)
    try:
        noticed_ns = None
        while is_held(journal):
            time.sleep(BUSY_S if follower.catch_up() else IDLE_S)
            noticed_ns = time.monotonic_ns()
        follower.finish(noticed_ns)
    finally:
        follower.close()


def _inode(path: str) -> int | None:
    try:
        return os.stat(path).st_ino
    except OSError:  # it is gone
        return None
