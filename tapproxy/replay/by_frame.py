"""Cuts what is written into one piece a frame, whatever the recorded reads were."""

from tapproxy.framing import make_framer


class ByFrame:
    """Fed with the writes of one stream; holds the bytes of a frame until it is whole."""

    def __init__(self, framing: str) -> None:
        self._framer = make_framer(framing)
        self._held = bytearray()
        self._start = 0  # of the held bytes, in the stream

    def pieces(self, data: bytes, *, goes_on: bool) -> list[bytes]:
        """Return what is to be written; where no more comes of the last frame, that too."""
        self._held += data
        ends = [cut.end - self._start for cut in self._framer.feed(data)]
        if not goes_on:
            ends.append(len(self._held))
        found, at = [], 0
        for end in ends:
            if end > at:
                found.append(bytes(self._held[at:end]))
                at = end
        del self._held[:at]
        self._start += at
        return found
