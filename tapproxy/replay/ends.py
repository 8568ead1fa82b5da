"""Reads from a recorded event how a program ended: a stranger may have written anything there."""

import signal

from tapproxy_store.records import Event

UNKNOWN_CODE = 1
"""In the place of a code that is no number."""
LOW_BYTE = 0xFF
"""What POSIX keeps of a code; those of Windows are larger."""


def signal_of(event: Event) -> signal.Signals | None:
    """Return the signal that the event names, None where there is none of that name."""
    return signal.Signals.__members__.get(str(event.detail.get("signal")))


def exit_code_of(event: Event) -> int:
    """Return the exit code of an event, 0 where it has none."""
    code = event.detail.get("code") or 0
    return code & LOW_BYTE if isinstance(code, int) else UNKNOWN_CODE
