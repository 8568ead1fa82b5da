"""Reads frames that should be JSON; what is none, or only in part, stays visible with a reason."""

import re
from collections.abc import Sequence
from typing import Any

import orjson

from tapproxy.dialects.api import UNKNOWN, Heard, Meaning
from tapproxy.dialects.json_recovery import Found, Recovery
from tapproxy.dialects.json_skimming import outline

ERROR = ("error",)
_SEPARATOR = re.compile("\u2028|\u2029|\u0085".encode())


class JsonReading:
    """The part that all JSON dialects share; a subclass says in `understand` what a value means."""

    def __init__(self) -> None:
        self._recovery = {"in": Recovery(), "out": Recovery()}

    def read(self, heard: Heard) -> Sequence[Meaning]:
        """Return what the frame says: normally one meaning."""
        body = heard.body
        try:
            value = orjson.loads(body)
        except ValueError:
            return self._recovered(heard)
        if not isinstance(value, (dict, list)):
            part = self._recovery[heard.side].part(body, heard.number)
            if part is not None:
                return self._of(heard, part)
        meant = self.understand(heard, value)
        meanings = meant if isinstance(meant, list) else [meant]
        if b"\xe2\x80" in body or b"\xc2\x85" in body:
            return _with_separators(body, meanings)
        return meanings

    def skim(self, heard: Heard, end: bytes) -> list[Meaning]:
        """Return what can be told of an object too large to be read: what it is, not its values."""
        value = outline(heard.body, end)
        meant = Meaning(UNKNOWN) if value is None else self.understand(heard, value)
        return [
            it._replace(summary="", flags=ERROR if "error" in it.flags else (), decoded=None)
            for it in (meant if isinstance(meant, list) else [meant])
        ]

    def understand(self, heard: Heard, value: Any) -> Meaning | list[Meaning]:
        """Return what a JSON value means; a list where it is several messages in one frame."""
        raise NotImplementedError

    def traits(self) -> Sequence[str]:
        """Return what has been learnt of the session; nothing by default."""
        return ()

    def _recovered(self, heard: Heard) -> list[Meaning]:
        meanings: list[Meaning] = []
        for found in self._recovery[heard.side].find(heard.body, heard.number):
            meanings += self._of(heard, found)
        return meanings

    def _of(self, heard: Heard, found: Found) -> list[Meaning]:
        if found.text is None:
            return [Meaning(UNKNOWN, note=found.note, flags=found.flags)]
        meant = self.understand(heard._replace(body=found.text), found.value)
        return [
            it._replace(
                note=joined_notes(found.note, it.note),
                flags=(*found.flags, *it.flags),
                decoded=it.decoded or found.text,
            )
            for it in (meant if isinstance(meant, list) else [meant])
        ]


def _with_separators(body: bytes, meanings: list[Meaning]) -> list[Meaning]:
    """Tell of characters at which some readers break a line that is none to others."""
    found = _SEPARATOR.search(body)
    if found is None:
        return meanings
    note = f"U+{ord(found[0].decode()):04X} in a string: some readers break the line there"
    return [
        it._replace(note=joined_notes(it.note, note), flags=(*it.flags, "line-separator"))
        for it in meanings
    ]


def with_units(body: bytes, meanings: Sequence[Meaning]) -> Sequence[Meaning]:
    """Flag what is not ASCII: a peer that counts Content-Length in characters stumbles over it."""
    if body.isascii():
        return meanings
    return [it._replace(flags=(*it.flags, "not-ascii")) for it in meanings]


def joined_notes(*notes: str) -> str:
    """Return notes as one, without those that are empty."""
    return "; ".join(filter(None, notes))


def no_object(value: Any) -> Meaning:
    """Return the meaning of JSON that is no object where the dialect wants one."""
    kinds = {str: "a string", list: "a list", bool: "a boolean", int: "a number", float: "a number"}
    said = kinds.get(type(value), "null")
    return Meaning(UNKNOWN, note=f"JSON, but {said} and no object", flags=("not-object",))


def not_of(name: str, reason: str) -> Meaning:
    """Return the meaning of JSON that is not of the dialect of that name."""
    return Meaning(UNKNOWN, note=f"not {name}: {reason}", flags=("not-dialect",))
