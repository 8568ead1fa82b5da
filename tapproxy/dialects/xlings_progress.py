"""How far a phase is: xlings says it in two scales, and in one session it should be one of them.

Source: interface-ndjson-v1, sections 6.1 (0 to 100, -1 for unknown) and 6.1.1 (i/n, 0.0 to 1.0).
"""

from typing import Any, Literal, NamedTuple

from tapproxy.dialects.api import Meaning
from tapproxy.dialects.brief import brief
from tapproxy.dialects.xlings_data import DOWNLOAD
from tapproxy.dialects.xlings_events import SILENCE_NS, text_of

Scale = Literal["0-1", "0-100"]

UNKNOWN_PERCENT = -1


class Percent(NamedTuple):
    """A percent in words, and what is odd about it."""

    words: str
    note: str = ""
    flags: tuple[str, ...] = ()


class PercentScale:
    """Remembers in which scale a session speaks."""

    def __init__(self) -> None:
        self._scale: Scale | None = None

    def read(self, value: Any) -> Percent:
        """Say the value of `percent`."""
        if type(value) not in (int, float):
            return Percent(brief(value), "percent is no number", ("percent-range",))
        if value == UNKNOWN_PERCENT:
            return Percent("? %")
        if not 0 <= value <= 100:  # or NaN
            return Percent(f"{value} %", "percent is not within its range", ("percent-range",))
        scale = self._scale_of(value)
        percent = value * 100 if scale == "0-1" else value
        mixed = self._scale not in (None, scale)
        if self._scale is None and value not in (0, 1):
            self._scale = scale
        words = f"{percent:.0f} %"
        if not mixed:
            return Percent(words)
        return Percent(words, f"percent of {scale} here, of {self._scale} before", ("mixed-scale",))

    def _scale_of(self, value: float) -> Scale:
        """Return the scale of a value: 0 and 1 are in both, there the session's decides.

        Until that is known, a whole number is taken for the scale of whole numbers.
        """
        if value in (0, 1):
            return self._scale or ("0-1" if isinstance(value, float) else "0-100")
        return "0-1" if value < 1 else "0-100"


def progress(value: dict[str, Any], scale: PercentScale) -> Meaning:
    """Return the meaning of a progress event; its phase stands as the method."""
    percent, note, flags = scale.read(value.get("percent"))
    phase = text_of(value.get("phase")) or None
    words = f"{percent} {text_of(value.get('message'))}".rstrip()
    run = DOWNLOAD if phase is not None and phase.startswith(DOWNLOAD) else phase
    return Meaning("progress", phase, words, within_ns=SILENCE_NS, run=run, flags=flags, note=note)
