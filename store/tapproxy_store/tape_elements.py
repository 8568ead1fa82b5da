"""Reads the elements of a tape's line: an array that is a chunk or an event."""

import binascii
from typing import Any, Literal, NoReturn

from tapproxy_store.exact_json import (
    LARGEST_NS,
    SECONDS,
    BadLine,
    column_of_element,
    is_text,
    nanoseconds,
    plain,
    shown,
)
from tapproxy_store.records import STREAMS, Stream


class Elements:
    """The elements by their place, from 0; each method raises BadLine."""

    def __init__(self, line: str, exact: list[Any]) -> None:
        self._line = line
        self._exact = exact

    def time(self, place: int) -> int:
        """Return the time, nanoseconds."""
        ns = nanoseconds(self._get(place))
        if ns is None:
            self._refuse(place, f"the time, {SECONDS}")
        return ns

    def stream_or_event(self, place: int) -> Stream | Literal["event"]:
        """Return what the line is about."""
        word = self._get(place)
        for stream in STREAMS:
            if word == stream:
                return stream
        if word != "event":
            self._refuse(place, '"in", "out", "err" or "event"')
        return "event"

    def kind(self, place: int) -> str:
        """Return the kind of an event."""
        kind = self._get(place)
        if not is_text(kind) or not kind:
            self._refuse(place, 'what happened, such as "exit"')
        return str(kind)

    def detail(self, place: int) -> dict[str, Any]:
        """Return the details of an event, none where the element is missing."""
        detail = plain(self._line)[place] if place < len(self._exact) else {}
        if not isinstance(detail, dict):
            self._refuse(place, 'the details, such as {"code": 0}')
        return detail

    def data(self, place: int) -> bytes:
        """Return the bytes of a chunk."""
        value = self._get(place)
        if is_text(value):
            return str(value).encode()
        if isinstance(value, str):
            self._refuse(place, "text without lone surrogates (else base64)")
        if not isinstance(value, dict) or list(value) != ["base64"]:
            self._refuse(place, 'the bytes, as "text" or as {"base64": "…"}')
        try:
            return binascii.a2b_base64(value["base64"], strict_mode=True)
        except (ValueError, TypeError) as error:
            self._refuse(place, f"base64 ({error})")

    def offset(self, place: int, size: int, following: int) -> int:
        """Return where a chunk of this size begins: as said, else at the offset that follows."""
        if place >= len(self._exact):
            return following
        value = self._get(place)
        offset = value.get("offset") if isinstance(value, dict) and len(value) == 1 else None
        if type(offset) is not int or not 0 <= offset <= LARGEST_NS - size:
            self._refuse(place, 'where in its stream the chunk begins, as {"offset": 0}')
        return offset

    def check_end(self, place: int) -> None:
        """Refuse elements that nobody has asked for."""
        if place < len(self._exact):
            self._refuse(place, "the end of the array")

    def _get(self, place: int) -> Any:
        return self._exact[place] if place < len(self._exact) else None

    def _refuse(self, place: int, expected: str) -> NoReturn:
        found = shown(self._exact[place]) if place < len(self._exact) else "the end of the array"
        words = f"expected {expected}, not {found}"
        raise BadLine(column_of_element(self._line, place), words)
