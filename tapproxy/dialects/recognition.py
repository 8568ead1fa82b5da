"""Finds out which dialect a session speaks, from its argv and its first frames."""

from collections.abc import Sequence
from typing import NamedTuple

from tapproxy.dialects.api import Dialect, Heard
from tapproxy.dialects.jsonrpc import parsed

MOST_FRAMES = 16
MOST_JSON_FRAMES = 4
"""After so many frames, or so many that are JSON, a dialect of the last resort is taken."""

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
        self._frames = 0
        self._json_frames = 0

    def begin(self) -> Recognised | None:
        """Return the dialect that is known by argv alone, if any is."""
        return self._ask(self._special)

    def add(self, heard: Heard) -> Recognised | None:
        """Take one more frame; return the dialect once it is known."""
        self._frames += 1
        if len(heard.body) <= LARGEST_SAMPLE:
            self._samples.append(heard)
            self._json_frames += isinstance(parsed(heard), dict | list)
        found = self._ask(self._special)
        enough = self._frames >= MOST_FRAMES or self._json_frames >= MOST_JSON_FRAMES
        return self.settle() if found is None and enough else found

    def settle(self) -> Recognised | None:
        """Return a dialect of the last resort: there will be no more frames to tell by."""
        return self._ask(self._last_resort)

    def _ask(self, dialects: Sequence[Dialect]) -> Recognised | None:
        for dialect in dialects:
            reason = dialect.recognise(self._argv, self._samples)
            if reason is not None:
                return Recognised(dialect, reason)
        return None
