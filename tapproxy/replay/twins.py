"""Tells of a live question that it is a recorded one with another id, without reading it."""

from tapproxy.replay.id_spans import find_id, is_plain_id
from tapproxy.replay.spoken import Spoken

LARGEST = 1 << 14
"""Bytes of a body that is looked at so."""


def twin_id(recorded: Spoken, live: bytes) -> str | None:
    """Return the id of a live body that differs from a recorded question in nothing else.

    None where it does, or where that is not plain to see. The recorded body is known to be a JSON
    object with that id. What is the same before and after one value, which is a JSON text in both,
    is read in the same way.
    """
    then = recorded.body
    if len(then) > LARGEST or recorded.id is None:
        return None
    if then == live:
        return recorded.id
    span = find_id(then)
    if span is None or then[slice(*span)] != recorded.id.encode():
        return None
    start, end = span
    now = live[start : len(live) - len(then) + end]
    if not is_plain_id(now) or live != b"".join((then[:start], now, then[end:])):
        return None
    return now.decode()
