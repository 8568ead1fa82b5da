"""What every framing is: bytes in, cuts out, the same however the bytes were split."""

from typing import NamedTuple, Protocol


class Cut(NamedTuple):
    """One frame as a span of its stream (a tuple, because a busy stream makes 100,000 a second)."""

    start: int  # offset of the frame's first byte in its stream, header included
    end: int  # past the frame's last byte, terminator included
    header_size: int  # bytes of header before the body; 0 where the framing has none
    terminator: str  # LF, CRLF, CRCRLF, none
    flaw: str | None  # None: complete; unfinished, junk, gap


class Framer(Protocol):
    """Cuts one direction of one session; holds no more of the bytes than a header.

    Cuts follow each other without holes or overlaps, except for the bytes that were skipped:
    those belong to no frame.
    """

    name: str  # as `--framing` calls it; "auto" until recognised, and if nothing ever is

    def feed(self, data: bytes) -> list[Cut]:
        """Take the stream's next bytes; return the frames that are now known to be over."""
        ...

    def skip(self, size: int) -> list[Cut]:
        """Take note that `size` bytes are missing here; a frame that is open ends as `gap`."""
        ...

    def close(self) -> list[Cut]:
        """Take note that the stream is over; an open frame ends as `unfinished`.

        Nothing may be called after.
        """
        ...

    @property
    def undecided(self) -> int:
        """The lowest offset at which a later call may still end a frame; never past the bytes seen.

        Such a frame's last byte is at `undecided - 1` or after.
        """
        ...
