"""What `tap doctor` finds: one line each, with advice where something is wrong."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    ok: bool
    what: str  # one line
    advice: str = ""  # what to do about it; may be there where all is well
