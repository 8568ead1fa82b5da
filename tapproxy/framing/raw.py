"""No framing: what arrived together is one frame, for wires that nothing else describes."""

from tapproxy.framing.api import Cut


class RawFramer:
    """One frame a feed, never flawed. Only here do the frames depend on how the bytes arrived."""

    name = "raw"

    def __init__(self, start: int = 0) -> None:
        self._total = start

    def feed(self, data: bytes) -> list[Cut]:
        """Return the one frame that these bytes are."""
        start = self._total
        self._total = start + len(data)
        return [Cut(start, self._total, 0, "none", None)] if data else []

    def skip(self, size: int) -> list[Cut]:
        """Go on after the missing bytes: no frame is ever open."""
        self._total += size
        return []

    def close(self) -> list[Cut]:
        """Nothing is ever open."""
        return []

    @property
    def undecided(self) -> int:
        """The end of the bytes seen."""
        return self._total
