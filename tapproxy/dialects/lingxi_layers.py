"""Opens what LingXi packs: JSON in base64 (Swift's `Data`), and JSON in strings inside of it.

Source: Apple's JSONEncoder, whose dataEncodingStrategy is base64 unless told otherwise; LingXi's
PluginIPCProtocol.swift, where params and result are `Data`.
"""

import re
from binascii import a2b_base64
from collections.abc import Iterable
from typing import Any

import orjson

from tapproxy.dialects.api import Side
from tapproxy.dialects.jsonrpc import OTHER

SWIFT_DATA = "swift-data"
"""The shape on the wire: params and result are base64 text of another JSON document."""

DOC_JSON = "doc-json"
"""The shape on the documented page: params and result are JSON as it is."""

BYTES_SHOWN = 8
_STRANGE = re.compile(r"[^A-Za-z0-9+/=]")


class NotOpened(ValueError):  # its words go into a note: a reason, not an error
    """A layer that cannot be opened: why, and the flag for it."""

    def __init__(self, reason: str, flag: str) -> None:
        super().__init__(reason)
        self.flag = flag


class Message:
    """One message while it is read: its envelope, opened in place, and what is to be said of it."""

    __slots__ = ("envelope", "flags", "key", "notes", "opened")

    def __init__(self, envelope: dict[str, Any]) -> None:
        self.envelope = envelope
        self.key: str | None = None  # its id as JSON text, once it is known
        self.notes: list[str] = []
        self.flags: list[str] = []
        self.opened = False  # whether a layer was: the envelope differs from the body

    def remark(self, note: str, *flags: str) -> None:
        """Add what is wrong or odd, and words to filter by."""
        self.notes.append(note)
        self.flags += flags


class Shapes:
    """Opens `params` and `result`, and remembers which shape each side speaks."""

    def __init__(self) -> None:
        self._spoken: dict[Side, list[str]] = {"in": [], "out": []}
        self._assumed: dict[Side, list[str]] = {"in": [], "out": []}

    def spoken(self, side: Side) -> Iterable[str]:
        """Return the shapes that a side has spoken, in the order in which they were first seen."""
        return self._spoken[side]

    def assume(self, side: Side, shape: str) -> None:
        """Take a side that has shown no shape yet for one that speaks this."""
        self._assumed[side] = [shape]

    def understands_only(self, side: Side, shape: str) -> bool:
        """Tell whether a side, by what it has spoken, decodes this shape and no other."""
        return (self._spoken[side] or self._assumed[side]) == [shape]

    def open(self, side: Side, member: str, wanted: type | None, message: Message) -> Any:
        """Open `params` or `result` in its place; return its value, None where it is empty.

        `wanted` is the type of the value: dict, or str for a tool's text, which is documented to
        come as it is; None where any will do. What cannot be opened is returned as it is.
        """
        envelope = message.envelope
        value = envelope.get(member)
        if type(value) is str:
            return self._open_string(side, member, wanted, message)
        if member not in envelope:
            return None
        self._speak(side, DOC_JSON, message)
        if value is not None:
            self._check_inline(side, member, "inline JSON", message)
            _check_type(value, member, wanted, message)
        return value

    def _open_string(self, side: Side, member: str, wanted: type | None, message: Message) -> Any:
        text = message.envelope[member]
        may_be_plain = wanted is str and self.understands_only(side, DOC_JSON)
        try:
            inner = open_data(text)
        except NotOpened as reason:
            if not may_be_plain:
                message.remark(f"{_is(member)} {reason}", reason.flag)
                return text
            inner = None
        if may_be_plain and type(inner) is not str:
            self._speak(side, DOC_JSON, message)
            self._check_inline(side, member, "plain text", message)
            return text
        self._speak(side, SWIFT_DATA, message)
        if text:
            message.envelope[member] = inner
            message.opened = True
            self._check_data(side, member, message)
            _check_type(inner, member, wanted, message)
        return inner

    def _speak(self, side: Side, shape: str, message: Message) -> None:
        message.flags.append(shape)
        spoken = self._spoken[side]
        if shape not in spoken:
            spoken.append(shape)

    def _check_inline(self, side: Side, member: str, what: str, message: Message) -> None:
        if not self.understands_only(OTHER[side], SWIFT_DATA):
            return
        if side == "out":
            note = f"{_is(member)} {what} where this host decodes base64"
        else:
            note = f"{_is(member)} {what} where this plugin decodes base64: it drops such a line"
        message.remark(note, "shape-mismatch")

    def _check_data(self, side: Side, member: str, message: Message) -> None:
        if side == "out" and self.understands_only("in", DOC_JSON):
            note = f"{_is(member)} base64 where this host wants inline JSON"
            message.remark(note, "shape-mismatch")


def _is(member: str) -> str:
    return "params are" if member == "params" else f"{member} is"


def _check_type(value: Any, member: str, wanted: type | None, message: Message) -> None:
    if wanted is not None and type(value) is not wanted:
        noun = "string" if wanted is str else "object"
        message.remark(f"{_is(member)} no {noun}", "bad-inner")


def open_data(text: str) -> Any:
    """Return the JSON value in base64 text, None for an empty one; raises NotOpened.

    Strict, as Foundation's Data(base64Encoded:) is: standard alphabet, padding, no whitespace.
    """
    if not text:
        return None
    try:
        inner = a2b_base64(text, strict_mode=True)
    except ValueError:
        raise NotOpened(_why_not_base64(text), "bad-base64") from None
    try:
        return orjson.loads(inner)
    except ValueError:
        raise NotOpened(f"base64 of {_shown(inner)}, which is no JSON", "bad-inner") from None


def open_text(owner: dict[str, Any], member: str, message: Message) -> bool:
    """Put the object or list that a string member holds as JSON in its place, if it holds one."""
    text = owner.get(member)
    if type(text) is not str or text.lstrip()[:1] not in ("{", "["):
        return False
    try:
        owner[member] = orjson.loads(text)
    except ValueError:
        return False
    message.opened = True
    return True


def as_json(value: Any) -> bytes | None:
    """Return a value as JSON, None where it cannot be written: too deep, or half a surrogate."""
    try:
        return orjson.dumps(value)
    except TypeError:
        return None


def _why_not_base64(text: str) -> str:
    strange = _STRANGE.search(text)
    if strange is None:
        return "not base64: its padding is missing or wrong"
    return f"not base64: {strange[0]!r} at character {strange.start()}"


def _shown(data: bytes) -> str:
    rest = " …" if len(data) > BYTES_SHOWN else ""
    return data[:BYTES_SHOWN].hex(" ").upper() + rest
