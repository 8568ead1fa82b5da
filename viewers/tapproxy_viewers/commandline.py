"""The recorded command as one line to read, and the parts of it that other viewers want."""

import base64
import shlex

from tapproxy_store.records import Session


def command_of(session: Session) -> str:
    """Return argv as one would type it, or the session's name where none is recorded.

    Bytes that are not UTF-8 are lone surrogates, as the system's own argv has them.
    """
    argv = session.facts.get("argv")
    if not isinstance(argv, list) or not argv:
        return session.name
    return " ".join(_argument(value) for value in argv)


def _argument(value: object) -> str:
    return shlex.quote(text_of(value))


def text_of(value: object) -> str:
    """Return a fact that is text, or `{"base64": …}` because it is not UTF-8."""
    encoded = value.get("base64") if isinstance(value, dict) else None
    if encoded is None:
        return str(value)
    try:
        return base64.b64decode(encoded).decode("utf-8", "surrogateescape")
    except (TypeError, ValueError):
        return str(encoded)
