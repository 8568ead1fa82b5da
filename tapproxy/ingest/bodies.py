"""Keeps the bytes of one stream's open frame, so that it can be read once it is over."""

LARGEST_BODY = 1 << 22
"""Bytes of a frame that is read: its values may take forty times as much memory."""

EDGE = 1 << 12
"""Bytes of a larger frame's beginning, and of its end, that are kept."""

_ROOM = EDGE * 2
"""What is kept at each edge: a header or a terminator may be there, too."""


class Bodies:
    """Fed with the chunks of a stream, asked for each frame that ends in them, in their order.

    A chunk that has whole frames only is not copied, a frame in many chunks is copied twice.
    """

    def __init__(self) -> None:
        self.end = 0  # of what was fed
        self._data: bytes | bytearray = b""
        self._start = 0  # offset of its first byte in the stream
        self._open = 0  # offset at which the open frame begins
        self._head = b""  # of an open frame that has become too large

    def feed(self, offset: int, data: bytes) -> None:
        """Take the bytes that arrived at this offset; after a gap, what was before is let go."""
        if offset != self.end or not self._data:
            self._data = data
            self._start = self._open = offset
            self._head = b""
        else:
            self._append(data)
        self.end = offset + len(data)

    def take(self, start: int, end: int, until: int) -> bytes | None:
        """Return a body, None where it is too large to be read; let go of it unless it is.

        `until` is where its frame ends: what comes next is the open frame.
        """
        if end - start > LARGEST_BODY or start < self._start:
            return None
        data = self._data
        body = data[start - self._start : end - self._start]
        self.forget(until)
        return body if isinstance(body, bytes) else bytes(body)

    def edges(self, start: int, end: int) -> tuple[bytes, bytes]:
        """Return the first and the last bytes of a body that is too large to be read."""
        if self._head:
            head = self._head[start - self._open :]
        else:
            head = bytes(self._data[start - self._start : start - self._start + EDGE])
        tail = self._data[max(end - EDGE - self._start, 0) : end - self._start]
        return head[:EDGE], bytes(tail)

    def forget(self, until: int) -> None:
        """Let go of the frame that ends at this offset."""
        self._open = until
        self._head = b""
        if until == self.end:
            self._data = b""

    def _append(self, data: bytes) -> None:
        before = self._data[self._open - self._start :] if self._open > self._start else self._data
        self._start = max(self._open, self._start)
        if self._head or len(before) > LARGEST_BODY + _ROOM:
            self._head = self._head or bytes(before[:_ROOM])
            self._start += len(before) - _ROOM
            before = before[-_ROOM:]
        self._data = before if isinstance(before, bytearray) else bytearray(before)
        self._data += data
