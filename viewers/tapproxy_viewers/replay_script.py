"""What a replay is going to do, line by line, to be read before anything runs."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Literal

from tapproxy_store.records import Stream
from tapproxy_viewers import words
from tapproxy_viewers.cells import clipped, width_of
from tapproxy_viewers.drawing import EMPTY
from tapproxy_viewers.layout import NARROW, Layout
from tapproxy_viewers.lines import Line
from tapproxy_viewers.palette import ARROWS, ELLIPSIS, EVENT_MARKS, MARKS
from tapproxy_viewers.visible import shown

Doing = Literal["send", "do", "wait", "came"]
"""send: the played side writes; do: it does what is not bytes; wait: it is the other side's; came:
the other side has done it, live."""

Mark = Literal["plain", "answer", "failure", "note"]
"""A key of palette.MARKS."""

MARK_STYLES: Final[dict[Mark, str]] = {
    "plain": "quiet", "answer": "quiet", "failure": "bad", "note": "note",
}  # fmt: skip

BETWEEN = "  "
SIZE_WIDTH = 7
DOING_WIDTH = len("send")
MARK_WIDTH = 2
START = "start"
MOST_AFTER = 2
"""Things that a step waits for that are shown; what was last is first."""


@dataclass(frozen=True, slots=True)
class Part:
    """One frame, or what of it is in one write; or an event."""

    name: str  # kind, method and id of its messages; what is done
    text: str = ""  # what they say; the bytes' beginning, where nothing is known of them
    frame: int | None = None  # its number in the recording
    size: int | None = None  # bytes on the wire
    remark: str = ""  # which part of the frame it is
    note: str = ""  # what is wrong or odd about it
    mark: Mark = "plain"


@dataclass(frozen=True, slots=True)
class After:
    """What a step waits for, and how long after it the step is taken."""

    what: str  # `#5`, a frame; `step 12`, which may be what the other side does
    delay_ns: int


@dataclass(frozen=True, slots=True)
class Planned:
    """One step of the script, or one thing that is expected of the other side."""

    number: int  # place in the script, from 1
    t_ns: int  # when it was, since the session's start
    doing: Doing
    stream: Stream | None  # None: not bytes
    parts: tuple[Part, ...]  # one at least
    after: tuple[After, ...] = ()  # what was last first; empty: the start


def script_lines(planned: Iterable[Planned], place: Layout) -> Iterator[Line]:
    """Draw each as a line, further frames of one write on lines below, and count them."""
    yield heads(place)
    ours = theirs = 0
    for it in planned:
        is_ours = it.doing != "wait"
        ours, theirs = ours + is_ours, theirs + (not is_ours)
        yield from item_lines(it, place)
    yield []
    yield clipped([("text", f"{_counted(ours, 'step')}, {theirs:,} to wait for")], place.width)


def item_lines(it: Planned, place: Layout) -> Iterator[Line]:
    """Draw one item of a script."""
    for at, part in enumerate(it.parts):
        yield clipped(_line(it, part, place, is_first=not at), place.width)


def live_line(doing: Doing, stream: Stream | None, part: Part, place: Layout) -> Line:
    """Draw what is not in the script, in its columns: what the other side does, or is answered."""
    it = Planned(0, 0, doing, stream, (part,))
    line = [*_lane(it, part, place, doing), *_said(part, is_ours=True)]
    return clipped([("text", " " * _before_lane(place)), *line], place.width)


def heads(place: Layout) -> Line:
    """Name the columns."""
    return clipped(_heads(place), place.width)


def _counted(count: int, noun: str) -> str:
    return f"1 {noun}" if count == 1 else f"{count:,} {noun}s"


def _heads(place: Layout) -> Line:
    size = f"{'size':>{SIZE_WIDTH}}{BETWEEN}" if place.width >= NARROW else ""
    before = f"{'step':>{_step_width(place)}}{BETWEEN}{'time':>{place.clock_width}}{BETWEEN}"
    lane = " " * (DOING_WIDTH + len(ARROWS["in"]) + 2 * len(BETWEEN) + place.number_width + 1)
    room = max(place.width - len(before + lane + size + "what") - MARK_WIDTH, 0)
    return [("quiet", f"{before}{lane}{size}{' ' * MARK_WIDTH}what{'after':>{room}}")]


def _step_width(place: Layout) -> int:
    return max(place.number_width, len("step"))


def _line(it: Planned, part: Part, place: Layout, *, is_first: bool) -> Line:
    line = _begun(it, part, place, is_first=is_first)
    room = max(place.width - sum(len(text) for _, text in line), 0)
    is_ours = it.doing != "wait"
    said = _said(part, is_ours=is_ours)
    if not is_first or not is_ours:
        return [*line, *clipped(said, room)]
    after = _after(it, place, room // 2)
    room -= sum(width_of(text) for _, text in after)
    said = clipped(said, max(room - len(BETWEEN), 0))
    padding = " " * (room - sum(width_of(text) for _, text in said))
    return [*line, *said, ("text", padding), *after]


def _begun(it: Planned, part: Part, place: Layout, *, is_first: bool) -> Line:
    """Return the columns that stand before what is said: each character takes one cell."""
    number, time = (str(it.number), place.clock(it.t_ns)) if is_first else ("", "")
    return [
        ("number", f"{number:>{_step_width(place)}}{BETWEEN}"),
        ("time", f"{time:>{place.clock_width}}{BETWEEN}"),
        *_lane(it, part, place, it.doing if is_first else ""),
    ]


def _before_lane(place: Layout) -> int:
    return _step_width(place) + place.clock_width + 2 * len(BETWEEN)


def _lane(it: Planned, part: Part, place: Layout, doing: str) -> Line:
    is_ours = it.doing != "wait"
    mark = EVENT_MARKS["event"] if it.stream is None else ARROWS[it.stream]
    frame = "" if part.frame is None else f"#{part.frame}"
    line: Line = [
        ("title" if is_ours else "quiet", f"{doing:<{DOING_WIDTH}}{BETWEEN}"),
        ((it.stream or "event") if is_ours else "quiet", mark + BETWEEN),
        ("number", f"{frame:<{place.number_width}} "),
    ]
    if place.width >= NARROW:
        size = "" if part.size is None else words.size(part.size)
        line.append(("text" if is_ours else "quiet", f"{size:>{SIZE_WIDTH}}{BETWEEN}"))
    return line


def _said(part: Part, *, is_ours: bool) -> Line:
    remark = f"({part.remark})" if part.remark else ""
    said: Line = [
        ("remark" if is_ours else "quiet", remark),
        ("method" if is_ours else "quiet", part.name),
        ("note" if is_ours else "quiet", part.note),
        ("text" if is_ours else "quiet", part.text),
    ]
    line: Line = [(MARK_STYLES[part.mark] if is_ours else "quiet", f"{MARKS[part.mark]} ")]
    for style, text in said:
        if text:
            line += [(style, text), ("text", BETWEEN)]
    return line[:-1] if len(line) > 1 else [*line, ("quiet", EMPTY)]


def _after(it: Planned, place: Layout, room: int) -> Line:
    """Return what a step waits for: as many of them as there is room for, but one at least."""
    if not it.after:
        return clipped([("quiet", f"{START} +{words.duration(it.t_ns)}")], room)
    said = [f"{one.what} +{words.duration(one.delay_ns)}" for one in it.after[:MOST_AFTER]]
    more = "" if len(it.after) == len(said) else f" {ELLIPSIS}"
    whole = ", ".join(said) + more
    if place.width >= NARROW and width_of(shown(whole)) <= room:
        return [("quiet", whole)]
    more = "" if len(it.after) == 1 else f" {ELLIPSIS}"
    return clipped([("quiet", said[0] + more)], room)
