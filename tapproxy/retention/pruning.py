"""Prunes the recordings of one wrapped program when its next session has begun.

Only those go that were made to be kept within bounds, in the same folder and by the same name:
what a person has recorded stays, whatever it is called.
"""

import json
import os
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from tapproxy.errors import TapError
from tapproxy.retention.files import held, is_recording, opened_files, remove
from tapproxy.retention.policy import going
from tapproxy.retention.wording import read_bounds
from tapproxy_store import locate
from tapproxy_store.errors import StoreError
from tapproxy_store.journal import FACTS
from tapproxy_store.journal_reading import (
    JournalReader,
    NotAJournal,
    is_live,
    open_journal,
    read_header,
)
from tapproxy_store.reading import open_recording

KEEP = "keep"
"""The fact that says in which bounds a session's recordings are kept."""


def prune_for(journal: int, recording: str) -> list[str]:
    """Remove what the session of this journal leaves no room for; return the paths.

    Nothing that is wrong with other recordings matters here: what cannot be read stays.
    """
    facts = _facts_of(journal)
    name, keep = facts.get("name"), facts.get(KEEP)
    if not isinstance(name, str) or not isinstance(keep, str):
        return []
    with suppress(StoreError, TapError):
        return _prune(name, keep, recording)
    return []


def _prune(name: str, keep: str, recording: str) -> list[str]:
    bounds = read_bounds(keep)
    word = locate.session_word(recording)
    folder = os.path.dirname(os.path.abspath(recording))
    alike = [it for it in locate.recordings(folder) if locate.session_word(it) == word and word]
    if not going(map(held, alike), bounds, time.time()):  # the usual case: no file is opened
        return []
    own = [it for it in alike if _is_kept_so(it, name)]
    opened = opened_files() | {os.path.realpath(recording)}  # which may be over already
    gone = []
    for it in going([held(path, opened) for path in own], bounds, time.time()):
        with suppress(StoreError):
            if is_recording(it.path) and not is_live(it.path):
                remove(it.path)
                gone.append(it.path)
    return gone


def _is_kept_so(path: str, name: str) -> bool:
    """Tell whether the recording was made by a session that is kept within bounds."""
    facts: Mapping[str, Any] = {}
    journal = open_journal(path)
    if journal is not None:
        try:
            facts = _facts_of(journal)
        finally:
            os.close(journal)
    if not facts:
        with suppress(StoreError), open_recording(path) as recording:
            facts = recording.session().facts
    return isinstance(facts.get(KEEP), str) and facts.get("name") == name


def _facts_of(journal: int) -> Mapping[str, Any]:
    """Return the facts that a journal begins with; none where they are not there (yet)."""
    with suppress(NotAJournal, OSError, ValueError, RecursionError):
        read_header(journal)
        for record in JournalReader(journal).read()[:1]:
            facts = json.loads(record.data) if record.kind == FACTS else {}
            return facts if isinstance(facts, dict) else {}
    return {}
