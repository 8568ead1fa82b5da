"""Draws the rows of a timeline as lines: lists of (style, text), then plain text or colour."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from rich.color import ColorSystem
from rich.style import Style

from tapproxy_viewers import words
from tapproxy_viewers.cells import CHARACTERS_A_CELL, Segment, clipped, fitted
from tapproxy_viewers.palette import ARROWS, DOTS, EVENT_MARKS, FLAG, STYLES
from tapproxy_viewers.timeline import EventRow, FrameRow, Row, SilenceRow

Line = list[Segment]

SINCE_WIDTH = 8
SIZE_WIDTH = 7
FLAG_WIDTH = len("! ")
BETWEEN = "  "

NARROW = 64
"""Below this many columns the time since the frame before is left out: the text needs the room."""

SECONDS_WIDTH = len("999.999 s")
BYTES_A_CHARACTER = 4


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the columns stand: settled once, so that they do not move while rows stream by."""

    width: int  # columns of the terminal
    clock: Callable[[int], str]  # nanoseconds since the start, as the first column says them
    clock_width: int  # columns
    with_since: bool

    @property
    def text_size(self) -> int:
        """Bytes of a frame that can matter to what is drawn of it."""
        return (self.width + 1) * CHARACTERS_A_CELL * BYTES_A_CHARACTER


def layout(width: int, longest_ns: int) -> Layout:
    """Lay out the columns for a session that is, or may become, `longest_ns` long."""
    clock = words.seconds if longest_ns < words.HOUR else words.hours
    clock_width = max(SECONDS_WIDTH, len(clock(longest_ns)))
    return Layout(width, clock, clock_width, with_since=width >= NARROW)


def drawn(rows: Iterable[Row], place: Layout) -> Iterator[Line]:
    """Draw each row as one line, no wider than the layout."""
    for row in rows:
        if isinstance(row, FrameRow):
            yield _frame_line(row, place)
        elif isinstance(row, EventRow):
            yield _event_line(row, place)
        else:
            yield _silence_line(row, place)


def _frame_line(row: FrameRow, place: Layout) -> Line:
    time = place.clock(row.t_ns).rjust(place.clock_width) + BETWEEN
    since = _since(row) if place.with_since else ""
    lane = f"{ARROWS[row.stream]}{BETWEEN}{words.size(row.size):>{SIZE_WIDTH}} "
    line = [("time", time), ("since", since), (row.stream, lane)]
    room = place.width - len(time) - len(since) - len(lane) - FLAG_WIDTH
    if row.notes:
        noted = ", ".join(row.notes) + ": "
        line += [("note", f"{FLAG} "), *fitted(noted, max(room, 0), "note")]
        room -= len(noted)
    else:
        line.append(("text", BETWEEN))
    return line + _body(row, room) if room > 0 else clipped(line, place.width)


def _since(row: FrameRow) -> str:
    since = "" if row.since_ns is None else "+" + words.duration(row.since_ns)
    return since.rjust(SINCE_WIDTH) + BETWEEN


def _body(row: FrameRow, room: int) -> Line:
    if not row.text and not row.more:
        return fitted("(empty)", room, "quiet")
    return fitted(row.text, room, "text", more=row.more)


def _event_line(row: EventRow, place: Layout) -> Line:
    time = place.clock(row.t_ns).rjust(place.clock_width) + BETWEEN
    if place.with_since:
        time += " " * (SINCE_WIDTH + len(BETWEEN))
    mark = EVENT_MARKS[row.weight] + BETWEEN
    room = place.width - len(time) - len(mark)
    line = [("time", time), (row.weight, mark), *fitted(row.words, max(room, 0), row.weight)]
    return line if room > 0 else clipped(line, place.width)


def _silence_line(row: SilenceRow, place: Layout) -> Line:
    said = f" {words.duration(row.duration_ns)} "
    before = place.clock_width + len(BETWEEN)
    if place.with_since:
        before += SINCE_WIDTH - len(said) + 1
    line = [("quiet", DOTS * before + said + DOTS * (place.width - before - len(said)))]
    return clipped(line, place.width)


def plain(line: Line) -> str:
    """Return the line without colours."""
    return "".join([text for _, text in line])


def coloured(line: Line) -> str:
    """Return the line with the terminal's colours."""
    return "".join([f"{_BEGIN[style]}{text}{_END[style]}" for style, text in line])


def _escapes(style: str) -> tuple[str, str]:
    around = Style.parse(style).render("|", color_system=ColorSystem.STANDARD)
    before, _, after = around.partition("|")
    return before, after


_BEGIN = {name: _escapes(style)[0] for name, style in STYLES.items()}
_END = {name: _escapes(style)[1] for name, style in STYLES.items()}
