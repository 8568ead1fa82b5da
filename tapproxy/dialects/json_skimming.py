"""The outline of a JSON object of which only the beginning and the end are there."""

import json
import re
from typing import Any

import orjson

_DECODER = json.JSONDecoder(strict=False)
_NAME = re.compile(r'[{,]\s*"((?:[^"\\]|\\.)*)"\s*:\s*')
_STAND_INS: dict[str, Any] = {"{": {}, "[": [], '"': ""}

MOST_COMMAS = 500
"""Places in the end at which the object's last members may begin."""


def outline(beginning: bytes, end: bytes) -> dict[str, Any] | None:
    """Return the object's first members and its last ones; None where it is no object.

    The value that is cut is an empty one of its kind.
    """
    text = beginning.decode("utf-8", "replace").lstrip()
    if not text.startswith("{"):
        return None
    return {**_first_members(text), **_last_members(end)}


def _first_members(text: str) -> dict[str, Any]:
    members: dict[str, Any] = {}
    at = 0
    while found := _NAME.match(text, at):
        start = found.end()
        try:
            members[found[1]], at = _DECODER.raw_decode(text, start)
        except (json.JSONDecodeError, RecursionError):
            members[found[1]] = _STAND_INS.get(text[start : start + 1])
            break
        at += len(text[at:]) - len(text[at:].lstrip())
    return members


def _last_members(end: bytes) -> dict[str, Any]:
    """Return the members that make, with a brace before them, an object that ends the frame."""
    at = len(end)
    found: dict[str, Any] = {}
    for _ in range(MOST_COMMAS):
        at = end.rfind(b",", 0, at)
        if at < 0:
            break
        try:
            found = orjson.loads(b"{" + end[at + 1 :])
        except orjson.JSONDecodeError:
            continue
    return found
