"""How a session is called: its command, the name that it was given, its tags."""

import os
from typing import Any

from tapproxy_store.recording import command_line
from tapproxy_store.records import Session, Stream
from tapproxy_store.tags import REPLAY_OF, REPLAYED_AS

_REMARKS = {
    "null": "/dev/null, not recorded",
    "closed": "closed from the start",
    "tty": "a terminal",
}

_ITSELF = ["-P", "-m", "tapproxy", "replay"]


def called(path: str) -> str:
    """Return the recording's name, by which commands find it: its file's, without .tap."""
    return os.path.basename(path).removesuffix(".tap")


def command_of(session: Session) -> str:
    """Return the command as one would type it, or the session's name where none is recorded."""
    return _replay(session) or command_line(session.facts.get("argv")) or session.name


def short_command_of(session: Session) -> str:
    """Return the command with its program's bare name, where folders would fill the room."""
    program, *arguments = _argv(session) or [None]
    bare = None if _replay(session) else _bare(program)
    return command_line([bare, *arguments]) if bare else command_of(session)


def _replay(session: Session) -> str | None:
    """Return how a replay in a plugin's place was asked for; else None.

    It runs itself once more, to be recorded, with options that nobody else types.
    """
    tags = session.facts.get("tags")
    if _argv(session)[1:5] != _ITSELF or not isinstance(tags, dict):
        return None
    recording, role = tags.get(REPLAY_OF), tags.get(REPLAYED_AS)
    if not (isinstance(recording, str) and isinstance(role, str)):
        return None
    return command_line(["tap", "replay", recording, "--as", role])


def given_name(session: Session) -> str | None:
    """Return the name, unless it is only the program's."""
    is_program = session.name == _bare(next(iter(_argv(session)), None))
    return None if is_program or command_of(session) == session.name else session.name


def _argv(session: Session) -> list[Any]:
    argv = session.facts.get("argv")
    return argv if isinstance(argv, list) else []


def _bare(program: Any) -> str | None:
    """Return a program's name without its folder; None where the facts have no text there."""
    return os.path.basename(program) if isinstance(program, str) else None


def tags_of(session: Session) -> list[str]:
    """Return the tags as they were given: `KEY=VALUE`."""
    tags = session.facts.get("tags")
    return [f"{key}={value}" for key, value in tags.items()] if isinstance(tags, dict) else []


def remark_on(session: Session, stream: Stream) -> str | None:
    """Say why a stream holds nothing, where its descriptor tells."""
    descriptors = session.facts.get("descriptors")
    one = descriptors.get(stream) if isinstance(descriptors, dict) else None
    if not isinstance(one, dict):
        return None
    if one.get("same_as") == "out":
        return "joined to stdout"
    return _REMARKS.get(str(one.get("kind")))
