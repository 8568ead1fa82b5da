"""Finds out which dialect a session speaks, from its argv and its first frames."""

from collections.abc import Sequence
from typing import NamedTuple

from tapproxy.dialects.api import Dialect, Heard
from tapproxy.dialects.jsonrpc import parsed

MOST_FRAMES = 16
MOST_JSON_FRAMES = 4
MOST_BYTES = 1 << 22
"""After so many frames, so many that are JSON, or so many bytes, a dialect of the last resort is
taken: all frames until then are held in memory."""

LARGEST_SAMPLE = 1 << 18
"""Bytes of a frame by which a dialect is recognised: each is parsed by each dialect."""


class Recognised(NamedTuple):
    """The dialect of a session, and why it was taken for that one."""

    dialect: Dialect
    reason: str


class Recognition:
    """Asks the dialects, in their order, each time there is one more frame."""

    def __init__(self, dialects: Sequence[Dialect], argv: Sequence[str]) -> None:
        self._special = [it for it in dialects if not it.last_resort]
        self._last_resort = [it for it in dialects if it.last_resort]
        self._argv = argv
        self._samples: list[Heard] = []
        self._large: list[Heard] = []  # one at most: for want of any sample
        self._frames = 0
        self._json_frames = 0
        self._bytes = 0

    def begin(self) -> Recognised | None:
        """Return the dialect that is known by argv alone, if any is."""
        return self._ask(self._special)

    def add(self, heard: Heard) -> Recognised | None:
        """Take one more frame; return the dialect once it is known."""
        self._frames += 1
        self._bytes += len(heard.body)
        if len(heard.body) <= LARGEST_SAMPLE:
            self._samples.append(heard)
            self._json_frames += isinstance(parsed(heard), dict | list)
        elif not self._large:
            self._large.append(heard)
        return self._ask(self._special) or (self.settle() if self._is_enough() else None)

    def pass_over(self) -> Recognised | None:
        """Take a frame that is too large to be looked at."""
        self._frames += 1
        return self.settle() if self._is_enough() else None

    def settle(self) -> Recognised | None:
        """Return any dialect, the last resort too: there will be no more frames to tell by."""
        if not self._samples:
            self._samples = self._large
        return self._ask(self._special) or self._ask(self._last_resort)

    def _is_enough(self) -> bool:
        return (
            self._frames >= MOST_FRAMES
            or self._json_frames >= MOST_JSON_FRAMES
            or self._bytes >= MOST_BYTES
        )

    def _ask(self, dialects: Sequence[Dialect]) -> Recognised | None:
        for dialect in dialects:
            try:
                reason = dialect.recognise(self._argv, self._samples)
            except Exception:  # noqa: BLE001, S112  a dialect that fails leaves it to the others
                continue
            if reason is not None:
                return Recognised(dialect, str(reason))
        return None
