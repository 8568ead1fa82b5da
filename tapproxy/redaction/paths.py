"""Finds values by their path in a message, `params.token`, through JSON in strings and base64."""

import re
from collections.abc import Sequence

import orjson

from tapproxy.redaction.members import Members, Value, within
from tapproxy.redaction.names import Names
from tapproxy.redaction.secrets import SHORTEST, Secrets
from tapproxy.redaction.values import edits_of
from tapproxy.replay.json_patterns import ANY_ITEM
from tapproxy.replay.layers import applied
from tapproxy.replay.rewriting import rewritten

_DOT = re.compile(r"(?<!\\)\.")
_NO_NAME = re.compile(r"\*|\[\]|[0-9]+")
_ESCAPED = re.compile(r"\\([.*])")


class Paths:
    """Replaces the values at some paths, and has them learnt."""

    def __init__(self, paths: Sequence[str], secrets: Secrets) -> None:
        self._paths = [_OnePath(it, secrets) for it in paths]

    def redacted(self, text: bytes, bodies: Sequence[slice]) -> bytes:
        """Return the text, in which `bodies` are messages, of the same length."""
        if not self._paths or not bodies:
            return text
        new = bytearray(text)
        for body in bodies:
            for path in self._paths:
                new[body] = path.redacted(bytes(new[body]))
        return bytes(new)


class _OnePath:
    def __init__(self, path: str, secrets: Secrets) -> None:
        self._secrets = secrets
        # A batch (JSON-RPC 2.0, section 6) is a list of messages.
        self._patterns = (path, f"{ANY_ITEM}.{path}")
        self._names = Names(path, (), "all", SHORTEST)
        self._by_name = Members(_last_name(path))

    def redacted(self, body: bytes) -> bytes:
        """Return a body without the values at the path.

        In one that is no JSON nobody knows the way: there the last name must do.
        """
        new = rewritten(body, self._patterns, lambda _, raw: self._without(raw))
        if len(new) != len(body):  # a mixture of `/` and `\\/`: the values are known now, and found
            new = body
        if b'"' in body and not _is_json(body):
            new = applied(new, edits_of(new, self._by_name.find(new), self._secrets))
        return new

    def _without(self, raw: bytes) -> bytes:
        """Return a JSON value without what is secret in it."""
        if raw[:1] in (b"{", b"["):
            values, _ = within(raw, 0, self._names)
        elif raw[:1] == b'"':
            values = [Value(1, len(raw) - 1, "string", self._names)]
        elif raw[:1].isdigit() or raw[:1] == b"-":
            values = [Value(0, len(raw), "number", self._names)]
        else:
            return raw
        return applied(raw, edits_of(raw, values, self._secrets))


def _last_name(path: str) -> list[Names]:
    last = _DOT.split(path)[-1]
    if _NO_NAME.fullmatch(last):
        return []
    name = re.escape(_ESCAPED.sub(r"\1", last)).encode(errors="surrogateescape")
    return [Names(path, (name,), "all", SHORTEST)]


def _is_json(body: bytes) -> bool:
    try:
        orjson.loads(body)
    except ValueError:
        return False
    return True
