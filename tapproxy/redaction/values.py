"""Replaces values at their places in a text: what is between quotes, or a number."""

from collections.abc import Iterable

from tapproxy.redaction.coats import escaped_again, unescaped
from tapproxy.redaction.members import Value
from tapproxy.redaction.secrets import Secrets
from tapproxy.replay.layers import Edit


def edits_of(text: bytes, values: Iterable[Value], secrets: Secrets) -> list[Edit]:
    """Return what takes the place of these values, which are learnt: as many bytes each."""
    edits: list[Edit] = []
    at = 0
    for value in sorted(values, key=lambda it: it.start):
        raw = text[value.start : value.end]
        if value.start < at or not raw:
            continue
        placeholder = _placeholder(raw, value, secrets)
        if placeholder != raw:
            edits.append(Edit(value.start, value.end, placeholder))
        at = value.end
    return edits


def _placeholder(raw: bytes, value: Value, secrets: Secrets) -> bytes:
    plain = unescaped(raw) if value.kind == "string" and b"\\" in raw else raw
    if len(plain) < value.names.least or secrets.is_made(plain):
        return raw
    if value.kind == "number":
        placeholder = secrets.learn_number(raw, value.names.rule)
    else:
        placeholder = secrets.learn(plain, value.names.rule, value.names.shortest)
    secrets.count(plain)
    return placeholder if plain is raw else escaped_again(raw, placeholder)
