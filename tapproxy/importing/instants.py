"""Reads the times of other people's logs: ISO 8601, or numbers since 1970 in any unit."""

from datetime import datetime
from decimal import Decimal, InvalidOperation

from tapproxy_store.exact_json import LARGEST_NS
from tapproxy_store.instants import SECOND, from_iso

EARLIEST_NS = 10**17
"""Nanoseconds, in 1973: a smaller number counts from when something began, not from 1970."""

_UNITS = ((10**11, 9), (10**14, 6), (10**17, 3))
"""Numbers below the first are seconds (until the year 5138), then milli-, then microseconds."""


def instant(value: object) -> int | None:
    """Return nanoseconds, as a rule since 1970 UTC; None where the value is no time.

    A time that names no zone is in the zone of this machine.
    """
    if isinstance(value, str):
        return _of_text(value.strip())
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        return None
    return _of_number(Decimal(value))


def local(moment: datetime) -> int:
    """Return nanoseconds since 1970 UTC of a moment that names no zone."""
    return int(moment.replace(microsecond=0).timestamp()) * SECOND + moment.microsecond * 1000


def _of_text(text: str) -> int | None:
    try:
        return _of_number(Decimal(text))
    except InvalidOperation:
        pass
    text = text.replace(",", ".")
    try:
        moment = datetime.fromisoformat(text)
        return from_iso(text if moment.tzinfo else f"{text}{moment.astimezone():%z}")
    except (ValueError, OverflowError, OSError):
        return None


def _of_number(number: Decimal) -> int | None:
    if not number.is_finite() or not 0 <= number <= LARGEST_NS:
        return None
    digits = next((digits for limit, digits in _UNITS if number < limit), 0)
    return int(number.scaleb(digits))
