"""Opens whatever a user names: finishes what a dead session left, imports a tape on the way."""

import os
import shutil
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from tapproxy_store import locate
from tapproxy_store.companions import WITH_BYTES
from tapproxy_store.errors import CannotWrite, NotARecording, StoreError
from tapproxy_store.journal import SUFFIX
from tapproxy_store.journal_reading import NotAJournal, is_live, open_journal
from tapproxy_store.locks import is_held
from tapproxy_store.reading import Recording, open_recording
from tapproxy_store.recording import create_or_open
from tapproxy_store.tape import is_tape
from tapproxy_store.temporary import temporary_folder

LONGEST_NAME = 200
"""Bytes; file systems take 255."""

STDIN = "-"
"""The name of what comes from stdin."""

PATIENCE_S = 0.5
"""How long to wait for a living session's ingester: it needs a start, and 0.12 s from then on."""


@contextmanager
def opened(name: str, dialect: str | None = None) -> Iterator[Recording]:
    """Open a recording by path, name, prefix, `last` or `last~N`; raises StoreError.

    A journal that nobody writes to any more is made a recording first. A tape is imported to a
    temporary file. `dialect` has the messages read by another one, in a temporary copy.
    """
    if dialect is not None:
        from tapproxy.dialects.registry import get_dialect

        get_dialect(dialect)
    if _is_stream(name):
        with temporary_folder() as folder, opened(_spooled(name, folder), dialect) as recording:
            yield recording
        return
    path = locate.find_recording(name)
    if is_tape(path):
        with _imported(path, dialect) as recording:
            yield recording
        return
    try:
        bring_up(path)
    except CannotWrite:
        if is_live(path):
            raise
        with _completed_elsewhere(path) as recording, _read_by(recording, dialect) as read:
            yield read
        return
    try:
        with open_recording(path) as recording, _read_by(recording, dialect) as read:
            yield read
    finally:
        _fold(path)


@contextmanager
def _imported(tape: str, dialect: str | None) -> Iterator[Recording]:
    from tapproxy.ingest.tapes import import_tape

    with temporary_folder() as folder:
        imported = _place_in(folder, tape)
        import_tape(tape, imported, dialect)
        with open_recording(imported) as recording:
            recording.place = None
            yield recording


@contextmanager
def _completed_elsewhere(path: str) -> Iterator[Recording]:
    """Complete a recording that must not be written to, such as one on a CD, in a copy."""
    with temporary_folder() as folder:
        copy = _place_in(folder, path)
        for ending in ("", *WITH_BYTES, SUFFIX):
            if os.path.isfile(path + ending) and not (ending and os.path.islink(path + ending)):
                shutil.copyfile(path + ending, copy + ending)
        bring_up(copy)
        with open_recording(copy) as recording:
            recording.place = path
            yield recording


@contextmanager
def _read_by(recording: Recording, dialect: str | None) -> Iterator[Recording]:
    """Have the messages read by another dialect, in a copy; the recording stays as it is."""
    if dialect is None:
        yield recording
        return
    from tapproxy.ingest.reindex import reindex

    with temporary_folder() as folder:
        copy = _place_in(folder, recording.path)
        recording.copy_to(copy)
        reindex(copy, dialect=dialect)
        with open_recording(copy) as other:
            other.place = recording.place
            yield other


def _place_in(folder: str, path: str) -> str:
    """Return where the file of that name goes: SQLite makes longer names of it."""
    return os.path.join(folder, os.fsdecode(os.fsencode(os.path.basename(path))[:LONGEST_NAME]))


def _is_stream(name: str) -> bool:
    """Tell whether the name is a pipe, as a shell's `<(…)` and `/dev/stdin` are, or `-`."""
    try:
        return name == STDIN or stat.S_ISFIFO(os.stat(name).st_mode)
    except (OSError, ValueError):
        return False


def _spooled(name: str, folder: str) -> str:
    """Copy what comes through the pipe to a file, because it must be read more than once."""
    path = os.path.join(folder, "stdin")
    source = 0 if name == STDIN else name
    with open(source, "rb", closefd=source != 0) as pipe, open(path, "wb") as file:
        shutil.copyfileobj(pipe, file)
    return path


def bring_up(path: str) -> None:
    """Bring a recording up to its journal, if it has one and nobody else is at it."""
    journal_path = path + SUFFIX
    journal = open_journal(path)
    if journal is None:  # the recording is whole
        return
    from tapproxy.ingest.follow import catch_up, follow

    try:
        if not is_held(journal):
            follow(journal, journal_path, path)
        elif not _is_followed(path, journal):
            catch_up(journal, path)
    except NotAJournal as error:  # its session is being born, or somebody else's file
        if not os.path.exists(path):
            raise NotARecording(
                f"{journal_path} has nothing on record: its session has only just begun, or was "
                "stopped before it could write; or the file is not a journal of tap"
            ) from error
    finally:
        os.close(journal)


def _fold(path: str) -> None:
    """Make one file of a recording whose ingester could not, because somebody was reading it."""
    if os.path.exists(path + "-wal") and os.path.exists(path) and not is_live(path):
        with suppress(StoreError), create_or_open(path) as writer:
            writer.finish()


def _is_followed(path: str, journal: int) -> bool:
    """Tell whether an ingester brings the recording up to where the journal is now."""
    due_ns = os.fstat(journal).st_mtime_ns
    deadline = time.monotonic() + PATIENCE_S
    while max(_written_ns(path), _written_ns(path + "-wal")) < due_ns:
        if time.monotonic() > deadline:
            return False
        time.sleep(PATIENCE_S / 20)
    return True


def _written_ns(path: str) -> int:
    """Return when the file was written to; 0 where it is not there, or empty: readers do that."""
    try:
        status = os.stat(path)
    except OSError:
        return 0
    return status.st_mtime_ns if status.st_size else 0
