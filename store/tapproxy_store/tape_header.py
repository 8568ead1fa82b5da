"""Reads the header of a tape, the object that begins a session."""

from typing import Any, NoReturn

from tapproxy_store.exact_json import (
    LARGEST_NS,
    SECONDS,
    BadLine,
    column_of_key,
    exact,
    is_text,
    nanoseconds,
    plain,
    shown,
)
from tapproxy_store.instants import from_iso
from tapproxy_store.records import ASKED_FOR, Session

VERSION = 1
"""What the header's `tape` says."""

EXAMPLE = 'a header, such as {"tape": 1}'


def session_of_header(line: str, previous_id: int) -> Session:
    """Return the session; everything but `tape` may be missing. Raises BadLine."""
    header = _Header(line)
    header.check_version()
    dialect = header.text("dialect")
    return Session(
        id=header.number_above("id", previous_id),
        name=header.text("name") or "",
        started_ns=header.instant("started"),
        started_mono_ns=header.time("monotonic") or 0,
        duration_ns=header.time("duration"),
        outcome=header.text("outcome"),
        framing=header.text("framing") or "auto",
        facts=header.mapping("facts"),
        dialect=dialect,
        dialect_reason=None if dialect is None else ASKED_FOR,
    )


class _Header:
    """The values of a header by their keys; each method raises BadLine."""

    def __init__(self, line: str) -> None:
        self._line = line
        self._exact: dict[str, Any] = exact(line)

    def check_version(self) -> None:
        """Refuse an object that is no header, and a header of a newer version."""
        version = self._exact.get("tape")
        if version is None:
            raise BadLine(1, f'this object has no "tape"; expected {EXAMPLE}')
        if type(version) is not int or version < 1:
            self._refuse("tape", f"the version of the format, {VERSION}")
        if version > VERSION:
            words = f"the tape has version {version}, and this tap reads version {VERSION}"
            raise BadLine(column_of_key(self._line, "tape"), f"{words}; install a newer tap")

    def text(self, key: str) -> str | None:
        """Return the text, None where there is none."""
        value = self._exact.get(key)
        if value is not None and not is_text(value):
            self._refuse(key, "a text")
        return value

    def time(self, key: str) -> int | None:
        """Return nanoseconds, None where there are none."""
        value = self._exact.get(key)
        ns = nanoseconds(value)
        if value is not None and ns is None:
            self._refuse(key, SECONDS)
        return ns

    def instant(self, key: str) -> int:
        """Return nanoseconds since 1970-01-01 UTC, 0 where there is none."""
        text = self.text(key) or "1970-01-01T00:00:00Z"
        try:
            ns = from_iso(text)
        except ValueError:
            ns = LARGEST_NS + 1
        if abs(ns) > LARGEST_NS:
            self._refuse(key, 'an instant such as "2026-11-30T20:30:05.123456789Z"')
        return ns

    def number_above(self, key: str, previous: int) -> int:
        """Return the number, the next one where there is none."""
        value = self._exact.get(key)
        if value is None:
            return previous + 1
        if type(value) is not int or not previous < value <= LARGEST_NS:
            self._refuse(key, f"a whole number above {previous}")
        return value

    def mapping(self, key: str) -> dict[str, Any]:
        """Return the object, an empty one where there is none."""
        value = plain(self._line).get(key) or {}
        if not isinstance(value, dict):
            self._refuse(key, "an object")
        return value

    def _refuse(self, key: str, expected: str) -> NoReturn:
        words = f'"{key}" must be {expected}, not {shown(self._exact[key])}'
        raise BadLine(column_of_key(self._line, key), words)
