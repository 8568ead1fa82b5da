"""Keeps the bytes of one stream's open frame, so that it can be read once it is over."""

from tapproxy_store.recording import FrameRow
from tapproxy_store.rows import TERMINATORS

LARGEST_BODY = 1 << 24
"""Bytes of a frame that is read; more is not kept, so that memory stays flat."""


class Bodies:
    """Fed with the chunks of a stream, asked for the bodies of the frames that end in them."""

    def __init__(self) -> None:
        self._pieces: list[tuple[int, bytes]] = []  # offset in the stream, bytes
        self._size = 0
        self._from = 0  # before this offset nothing is kept any more

    def feed(self, offset: int, data: bytes) -> None:
        """Take the bytes that arrived at this offset of the stream."""
        self._pieces.append((offset, data))
        self._size += len(data)
        if self._size > LARGEST_BODY + len(data):
            self.forget(offset)

    def body(self, row: FrameRow) -> bytes | None:
        """Return a frame's bytes without header and terminator, None where they were too many."""
        _, _, _, start, end, _, _, _, _, header_size, terminator, _ = row
        start += header_size
        end -= TERMINATORS[terminator]
        if start < self._from or end - start > LARGEST_BODY:
            return None
        offset, data = self._pieces[-1]
        if offset <= start:
            return data[start - offset : end - offset]
        return b"".join([
            piece[max(start - at, 0) : max(end - at, 0)] for at, piece in self._pieces
        ])  # fmt: skip

    def forget(self, until: int) -> None:
        """Let go of what comes before the offset `until`: those frames are over."""
        offset, data = self._pieces[-1]
        if until >= offset + len(data):
            self._pieces.clear()
            self._size = 0
        else:
            self._pieces = [it for it in self._pieces if it[0] + len(it[1]) > until]
            self._size = sum(len(it[1]) for it in self._pieces)
        self._from = until
