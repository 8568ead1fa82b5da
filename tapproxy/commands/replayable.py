"""The sessions that can be played, in the recordings, tapes and folders that a user names."""

import os
import stat
from collections.abc import Iterator, Sequence

from tapproxy.errors import USAGE, TapError
from tapproxy.opening import STDIN, opened
from tapproxy.replay.candidates import Candidate
from tapproxy_store import locate
from tapproxy_store.errors import RecordingNotFound
from tapproxy_store.journal_reading import is_live
from tapproxy_store.line_reading import lines_of
from tapproxy_store.reading import Recording
from tapproxy_store.records import Chunk, Session
from tapproxy_store.tags import is_replay
from tapproxy_store.tape import is_tape, read_tape

TAPE = ".tape"


def candidates(names: Sequence[str]) -> list[Candidate]:
    """Return the sessions that can be played: those of each name in turn, of a folder by age.

    Raises TapError where there are none, or one is still being recorded; StoreError.
    """
    found = [it for name in names for it in _named(name)]
    if not found:
        raise TapError(f"{', '.join(names)}: no session to replay", USAGE)
    playable = [it for it in found if not it.is_empty]
    if not playable:
        raise TapError(
            f"{', '.join(names)}: neither the plugin nor its host has said a byte; "
            "there is nothing to play",
            USAGE,
        )
    return playable


def _named(name: str) -> Iterator[Candidate]:
    if _is_pipe(name):
        raise TapError(f"{name} is a pipe: save it as a file, which can be read twice", USAGE)
    try:
        path = locate.find_recording(name)
    except RecordingNotFound:
        if not os.path.isdir(name):
            raise
        yield from _in_folder(name)
        return
    if is_live(path):
        raise TapError(f"{name} is still being recorded; replay it once it is over", USAGE)
    yield from _in_file(name, path)


def _in_folder(folder: str) -> list[Candidate]:
    """Return the sessions of a folder by age; replays, and what is still recorded, are not ours."""
    tapes = [it.path for it in os.scandir(folder) if it.name.endswith(TAPE) and it.is_file()]
    paths = tapes + [it for it in locate.recordings(folder) if not is_live(it)]
    found = [it for path in sorted(paths) for it in _in_file(path, path)]
    own = [it for it in found if not is_replay(it.session)]
    return sorted(own, key=lambda it: it.session.started_ns)


def _in_file(name: str, path: str) -> list[Candidate]:
    if is_tape(path):
        return _in_tape(name, path)
    with opened(path) as recording:
        return [
            Candidate(name, path, it, is_empty=not _has_ended(it) and _size(recording, it) == 0)
            for it in recording.sessions()
        ]


def _in_tape(name: str, path: str) -> list[Candidate]:
    """Read the headers, and whether anything follows: no recording need be made of it for that."""
    sessions: dict[int, Session] = {}
    begun = set()
    with open(path, "rb") as file:
        for record in read_tape(lines_of(file, name), name):
            if isinstance(record, Session):
                sessions[record.id] = record
            elif isinstance(record, Chunk) or record.kind == "exit":
                begun.add(record.session)
    return [Candidate(name, path, it, is_empty=it.id not in begun) for it in sessions.values()]


def _has_ended(session: Session) -> bool:
    """Tell whether a plugin was there, and ended by itself or by a signal."""
    return (session.outcome or "").startswith(("exit", "signal"))


def _size(recording: Recording, session: Session) -> int:
    return sum(recording.counts(session.id).bytes.values())


def _is_pipe(name: str) -> bool:
    try:
        return name == STDIN or stat.S_ISFIFO(os.stat(name).st_mode)
    except (OSError, ValueError):
        return False
