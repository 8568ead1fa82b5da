"""Instants as text: ISO 8601 in UTC with all nanoseconds, to and fro."""

import re
import time
from datetime import UTC, datetime, timedelta

SECOND = 10**9
"""Nanoseconds."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_FRACTION = re.compile(r"(?<=:\d\d)\.(\d{1,9})")


def to_iso(ns: int) -> str:
    """Return the instant, nanoseconds since 1970-01-01 UTC, as `2026-11-30T20:30:05.123456789Z`."""
    seconds, rest = divmod(ns, SECOND)
    return f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(seconds))}.{rest:09d}Z"


def from_iso(text: str) -> int:
    """Return nanoseconds since 1970-01-01 UTC; raises ValueError where that is no instant."""
    fraction = _FRACTION.search(text)
    instant = datetime.fromisoformat(_FRACTION.sub("", text))
    if instant.tzinfo is None:
        raise ValueError("no time zone")
    whole = (instant - _EPOCH) // timedelta(seconds=1) * SECOND
    return whole + int(fraction[1].ljust(9, "0") if fraction else 0)
