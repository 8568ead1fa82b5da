"""Redacts one stream: chunks go in as they come, and come out once all of theirs is decided.

A secret may be spread over chunks and frames, so bytes are held until they end as a message does.
"""

from collections import deque
from collections.abc import Sequence

from tapproxy.framing import Cut, make_framer
from tapproxy.redaction.presets import LONGEST_KEY
from tapproxy.redaction.texts import Texts
from tapproxy_store.records import Chunk
from tapproxy_store.rows import TERMINATORS

LARGEST = 1 << 22
"""Bytes that are held at most: of a larger frame no dialect makes a message either."""

OVERLAP = 1 << 16
"""Bytes at the end of a larger frame's piece that are held further, where a word goes on there."""

BATCH = 1 << 16
"""Bytes that are worth a look where nobody waits for them."""

_ENDINGS = frozenset(b"\n}]")
"""How a message ends. What ends with something else may be the first half of a secret."""
_WORD = frozenset(
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=_-.%\\:@~"
) | frozenset(range(0x80, 0x100))


class StreamRedactor:
    """Takes the chunks of one stream in their order."""

    def __init__(
        self, texts: Texts, framing: str, *, has_messages: bool, at_least: int = 1
    ) -> None:
        """`at_least` bytes are looked at at once: the more, the faster, and the later.

        Without messages, as stderr is, there is nothing in which a path could be looked up.
        """
        self._texts = texts
        self._has_messages = has_messages
        self._framing = framing
        self._framer = make_framer(framing)
        self._at_least = at_least
        self._data = bytearray()  # undecided
        self._start = 0  # offset of its first byte in the stream
        self._clean = bytearray()  # decided, of chunks that are not
        self._chunks: deque[Chunk] = deque()
        self._cuts: list[Cut] = []  # frames that end in the data

    @property
    def held(self) -> int:
        """Bytes that are not decided."""
        return len(self._data)

    def feed(self, chunk: Chunk) -> list[Chunk]:
        """Return the chunks that are decided now, in their order."""
        decided: list[Chunk] = []
        end = self._start + len(self._data)
        if chunk.start_offset != end:
            decided = self._begin_anew(chunk.start_offset)
        self._chunks.append(chunk)
        self._data += chunk.data
        cuts = self._framer.feed(chunk.data)
        self._cuts += cuts
        if len(self._data) >= self._at_least:
            self._decide(self._end_of_messages(cuts))
        if len(self._data) > LARGEST:
            self._decide(self._end_of_piece())
        return decided + self._released()

    def flush(self) -> list[Chunk]:
        """Decide whatever is held: nothing follows, or nobody can wait for it."""
        self._decide(self._start + len(self._data))
        return self._released()

    def _begin_anew(self, offset: int) -> list[Chunk]:
        """Go on after missing bytes, or, in a file that somebody has made up, before others."""
        decided = self.flush()
        if offset < self._start:
            self._framer = make_framer(self._framing)
            self._framer.skip(offset)
        else:
            self._framer.skip(offset - self._start)
        self._start = offset
        self._cuts = []
        return decided

    def _decide(self, until: int) -> None:
        """Redact what is before that offset."""
        size = until - self._start
        if size <= 0:
            return
        text = bytes(self._data[:size])
        whole = [it for it in self._cuts if it.start >= self._start and it.end <= until]
        bodies = [self._body(it) for it in whole] if self._has_messages else []
        self._clean += self._texts.redacted(text, bodies)
        self._cuts = [it for it in self._cuts if it.end > until]
        del self._data[:size]
        self._start = until

    def _body(self, cut: Cut) -> slice:
        begin = cut.start + cut.header_size - self._start
        return slice(begin, cut.end - TERMINATORS[cut.terminator] - self._start)

    def _end_of_messages(self, cuts: Sequence[Cut]) -> int:
        """Return where the last of these frames ends that ends as a message does."""
        for cut in reversed(cuts):
            size = cut.end - self._start
            if size <= 0:  # it was let go before it was known to be a frame
                break
            if self._data[size - 1] in _ENDINGS and not self._is_open(size):
                return cut.end
        return self._start

    def _is_open(self, size: int) -> bool:
        """Tell whether a value or a secret of several lines goes on in the next line."""
        text = self._data[max(size - LONGEST_KEY, 0) : size]
        return text.rstrip().endswith(b":") or self._texts.is_open(text)

    def _end_of_piece(self) -> int:
        size = len(self._data)
        least = size - OVERLAP
        while size > least and self._data[size - 1] in _WORD:
            size -= 1
        return self._start + size

    def _released(self) -> list[Chunk]:
        released = []
        while self._chunks and len(self._clean) >= len(self._chunks[0].data):
            chunk = self._chunks.popleft()
            size = len(chunk.data)
            released.append(chunk._replace(data=bytes(self._clean[:size])))
            del self._clean[:size]
        return released
