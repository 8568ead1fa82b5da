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
Paint = Callable[[Line], str]

SINCE_WIDTH = 8
LANE_WIDTH = 3
SIZE_WIDTH = 7
FLAG_WIDTH = len(" ! ")
BETWEEN = "  "

NARROW = 64
"""Below this many columns the time since the frame before is left out: the text needs the room."""

SMALLEST_TEXT = 8
"""Columns of text that are laid out whatever the width; what does not fit is then cut off."""

SECONDS_WIDTH = len("999.999 s")
BYTES_A_CHARACTER = 4


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the columns stand: settled once, so that they do not move while rows stream by."""

    width: int  # columns of the terminal
    clock: Callable[[int], str]  # nanoseconds since the start, as the first column says them
    clock_width: int  # columns
    with_since: bool
    text_at: int  # columns before the text
    text_width: int  # columns for the text
    text_size: int  # bytes of a frame that can matter to what is drawn of it


def layout(width: int, longest_ns: int) -> Layout:
    """Lay out the columns for a session that is, or may become, `longest_ns` long."""
    clock = words.seconds if longest_ns < words.HOUR else words.hours
    clock_width = max(SECONDS_WIDTH, len(clock(longest_ns)))
    with_since = width >= NARROW
    since = SINCE_WIDTH + len(BETWEEN) if with_since else 0
    lane = LANE_WIDTH + len(BETWEEN)
    text_at = clock_width + len(BETWEEN) + since + lane + SIZE_WIDTH + FLAG_WIDTH
    text_width = max(width - text_at, SMALLEST_TEXT)
    text_size = (text_width + 1) * CHARACTERS_A_CELL * BYTES_A_CHARACTER
    return Layout(width, clock, clock_width, with_since, text_at, text_width, text_size)


def drawn(rows: Iterable[Row], place: Layout) -> Iterator[Line]:
    """Draw each row as one line, no wider than the layout."""
    fits = place.width >= place.text_at + SMALLEST_TEXT
    for row in rows:
        line = _line(row, place)
        yield line if fits else clipped(line, place.width)


def _line(row: Row, place: Layout) -> Line:
    if isinstance(row, FrameRow):
        return _frame_line(row, place)
    if isinstance(row, EventRow):
        return _event_line(row, place)
    return _silence_line(row, place)


def _frame_line(row: FrameRow, place: Layout) -> Line:
    line = [("time", place.clock(row.t_ns).rjust(place.clock_width) + BETWEEN)]
    if place.with_since:
        since = "" if row.since_ns is None else "+" + words.duration(row.since_ns)
        line.append(("since", since.rjust(SINCE_WIDTH) + BETWEEN))
    lane = f"{ARROWS[row.stream]}{BETWEEN}{words.size(row.size):>{SIZE_WIDTH}} "
    line.append((row.stream, lane))
    if not row.notes:
        line.append(("text", BETWEEN))
        return line + _body(row, place.text_width)
    noted = ", ".join(row.notes) + ": "
    line.append(("note", f"{FLAG} "))
    line += fitted(noted, place.text_width, "note")
    left = place.text_width - len(noted)
    return line + _body(row, left) if left > 0 else line


def _body(row: FrameRow, width: int) -> Line:
    if not row.text and not row.more:
        return fitted("(empty)", width, "quiet")
    return fitted(row.text, width, "text", more=row.more)


def _event_line(row: EventRow, place: Layout) -> Line:
    blank = SINCE_WIDTH + len(BETWEEN) if place.with_since else 0
    return [
        ("time", place.clock(row.t_ns).rjust(place.clock_width) + BETWEEN + " " * blank),
        (row.weight, EVENT_MARKS[row.weight] + BETWEEN),
        *fitted(row.words, place.text_width + SIZE_WIDTH + FLAG_WIDTH, row.weight),
    ]


def _silence_line(row: SilenceRow, place: Layout) -> Line:
    said = f" {words.duration(row.duration_ns)} "
    before = place.clock_width + len(BETWEEN)
    if place.with_since:
        before += SINCE_WIDTH - len(said) + 1
    after = place.width - before - len(said)
    return [("quiet", DOTS * before + said + DOTS * after)]


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
