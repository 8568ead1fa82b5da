"""Draws the list of recordings: as many columns as the terminal has room for."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from tapproxy_store.records import Stream
from tapproxy_viewers import words
from tapproxy_viewers.cells import clipped, fitted, width_of
from tapproxy_viewers.header import outcome_of
from tapproxy_viewers.lines import Line, plain
from tapproxy_viewers.listing import Listed, Readable, Remark
from tapproxy_viewers.naming import short_command_of
from tapproxy_viewers.palette import ARROWS

BETWEEN = "  "
NAME_HEAD = "name"
FRAMES_HEAD = f"frames {ARROWS['in']}"
"""Above the frames of the one way, and before the arrow above those of the other."""
LARGEST_NAME = 48
SMALLEST_COMMAND = 16
LEAST = 8
"""Cells: a column cut to fewer says nothing, and is left out."""
REMARK_STYLES = {"damaged": "bad", "unfinished": "notable", "live": "live"}


@dataclass(frozen=True, slots=True)
class Column:
    """One column between the name and the command."""

    head: str
    width: int
    style: str  # "outcome": the outcome's own
    value: Callable[[Readable, int], str]  # of a recording, at this instant (nanoseconds)
    to_left: bool = False
    dropped: int = 0  # the highest is left out first where there is no room; 0: never


COLUMNS: tuple[Column, ...] = (
    Column("when", 11, "quiet", lambda it, now: words.ago(now - it.session.started_ns)),
    Column("took", 7, "text", lambda it, _: _took(it), dropped=1),
    Column(FRAMES_HEAD, width_of(FRAMES_HEAD), "in", lambda it, _: _frames(it, "in"), dropped=2),
    Column(ARROWS["out"], 6, "out", lambda it, _: _frames(it, "out"), dropped=2),
    Column("bytes", 7, "text", lambda it, _: words.size(sum(it.counts.bytes.values())), dropped=3),
    Column("dialect", 7, "text", lambda it, _: it.session.dialect or "", to_left=True, dropped=4),
    Column("outcome", 15, "outcome", lambda it, _: outcome_of(it.session)[1], to_left=True),
)


SIZE = Column("size", 7, "text", lambda it, _: words.size(it.size or 0))
"""What a recording takes on the disk."""


def shelf(
    listed: Iterable[Listed],
    names: Iterable[str],
    width: int,
    now_ns: int,
    *,
    with_size: bool = False,
) -> Iterator[Line]:
    """Draw a heading and a line for each recording; `names` settles the first column's width."""
    name_width = min(max([len(NAME_HEAD), *map(width_of, names)]), LARGEST_NAME, width)
    columns = _columns_for(width - name_width, with_size=with_size)
    with_command = width - name_width - _taken(columns) >= LEAST
    yield clipped(_heading(name_width, columns, with_command=with_command), width)
    for it in listed:
        yield clipped(_line(it, name_width, columns, width, now_ns), width)


def _columns_for(width: int, *, with_size: bool) -> list[Column]:
    columns = [*[SIZE] * with_size, *COLUMNS]
    while _taken(columns) + SMALLEST_COMMAND > width and any(it.dropped for it in columns):
        worst = max(it.dropped for it in columns)
        columns = [it for it in columns if it.dropped != worst]
    while columns and _taken(columns[:-1]) + min(columns[-1].width, LEAST) > width:
        columns.pop()
    return columns


def _taken(columns: list[Column]) -> int:
    return sum(it.width + len(BETWEEN) for it in columns) + len(BETWEEN)


def _heading(name_width: int, columns: list[Column], *, with_command: bool) -> Line:
    heads = [_aligned(it.head, it) for it in columns]
    last = ["command"] if with_command else []
    return [("quiet", BETWEEN.join([NAME_HEAD.ljust(name_width), *heads, *last]))]


def _aligned(text: str, column: Column) -> str:
    fit = plain(fitted(text, column.width))
    room = " " * (column.width - width_of(fit))
    return fit + room if column.to_left else room + fit


def _line(it: Listed, name_width: int, columns: list[Column], width: int, now_ns: int) -> Line:
    line = fitted(it.name, name_width, "title")
    line.append(("text", " " * (name_width - sum(width_of(text) for _, text in line))))
    if isinstance(it, Remark):
        if it.size is not None:
            line.append((SIZE.style, f"{BETWEEN}{words.size(it.size):>{SIZE.width}}"))
        rest = width - sum(width_of(text) for _, text in line) - len(BETWEEN)
        return [*line, ("text", BETWEEN), *fitted(it.words, rest, REMARK_STYLES[it.status])]
    for column in columns:
        style = outcome_of(it.session)[0] if column.style == "outcome" else column.style
        line.append((style, BETWEEN + _aligned(column.value(it, now_ns), column)))
    rest = width - name_width - _taken(columns)
    if rest < LEAST:
        return line
    return [*line, ("text", BETWEEN), *fitted(short_command_of(it.session), rest)]


def _frames(it: Readable, stream: Stream) -> str:
    return words.compact(it.counts.frames[stream])


def _took(it: Readable) -> str:
    return "" if it.session.duration_ns is None else words.duration(it.session.duration_ns)
