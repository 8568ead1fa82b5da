"""Where the columns of a timeline stand: settled once, so that they do not move by and by."""

from collections.abc import Callable
from dataclasses import dataclass

from tapproxy_viewers import words
from tapproxy_viewers.cells import CHARACTERS_A_CELL

NARROW = 64
"""Below this many columns the time since the frame before is left out: the text needs the room."""

WIDE = 110
"""From this many columns on the size is shown."""

SECONDS_WIDTH = len("999.999 s")
BYTES_A_CHARACTER = 4
LEAST_DIGITS = 2


@dataclass(frozen=True, slots=True)
class Layout:
    """The columns of one session's timeline."""

    width: int  # columns of the terminal
    clock: Callable[[int], str]  # nanoseconds since the start, as the first column says them
    clock_width: int  # columns
    number_width: int  # columns of a frame's number, with its sign
    with_since: bool
    with_size: bool

    @property
    def text_size(self) -> int:
        """Bytes of a frame that can matter to what is drawn of it."""
        return (self.width + 1) * CHARACTERS_A_CELL * BYTES_A_CHARACTER


def layout(width: int, longest_ns: int, frames: int = 0) -> Layout:
    """Lay out a session that is, or may become, `longest_ns` long and has so many frames."""
    clock = words.seconds if longest_ns < words.HOUR else words.hours
    return Layout(
        width,
        clock,
        clock_width=max(SECONDS_WIDTH, len(clock(longest_ns))),
        number_width=1 + max(len(str(frames)), LEAST_DIGITS),
        with_since=width >= NARROW,
        with_size=width >= WIDE,
    )
