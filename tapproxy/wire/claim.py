"""Where a session is recorded: a name that nobody has, claimed by creating its journal."""

import errno
import os

from tapproxy.wire.recorder import Recorder
from tapproxy_store.journal import SUFFIX
from tapproxy_store.names import free_names
from tapproxy_store.private import make_folder

LONGEST_NAME = 255 - len("~999-journal")
"""Bytes of a recording's name: file systems take 255, and SQLite needs some for its own file."""


def claim_first(places: tuple[str, ...], *, must_record: bool) -> tuple[Recorder, OSError | None]:
    """Claim the first of the places that can be written; return why the one before it cannot.

    Raises OSError, of the first place, when none can.
    """
    errors: list[OSError] = []
    for path in places:
        try:
            return _claim(path, must_record=must_record), errors[0] if errors else None
        except OSError as error:
            errors.append(error)
    raise errors[0]


def _claim(path: str, *, must_record: bool) -> Recorder:
    """Create the journal of the recording `path`, or of `path~2`, `path~3`… where that is taken.

    Raises OSError when the folder cannot be written.
    """
    path = os.path.abspath(path)
    if len(os.fsencode(os.path.basename(path))) > LONGEST_NAME:
        raise OSError(errno.ENAMETOOLONG, os.strerror(errno.ENAMETOOLONG))
    make_folder(os.path.dirname(path))
    for candidate in free_names(path):
        try:
            recorder = Recorder.create(candidate + SUFFIX, must_record=must_record)
        except FileExistsError:  # another session was quicker
            continue
        if not os.path.lexists(candidate):
            return recorder
        recorder.discard()  # its session ended between our two looks
    raise AssertionError
