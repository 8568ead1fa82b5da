"""Draws the rows of a timeline as lines."""

from collections.abc import Iterable, Iterator

from tapproxy_store.records import Message
from tapproxy_viewers import words
from tapproxy_viewers.cells import clipped, fitted
from tapproxy_viewers.layout import Layout
from tapproxy_viewers.lines import Line
from tapproxy_viewers.palette import (
    ARROWS,
    BAR,
    BAR_GOES_ON,
    DOTS,
    ELLIPSIS,
    EVENT_MARKS,
    MARKS,
    SEPARATOR,
    TIMES,
)
from tapproxy_viewers.timeline import HEARTBEAT, UNKNOWN, EventRow, FoldRow, FrameRow, Row

SINCE_WIDTH = 8
SIZE_WIDTH = 7
BETWEEN = "  "
ONE_READ = "one read"

SLOW_NS = words.SECOND
"""An answer that took longer is given a bar: a cell for each second."""
LONGEST_BAR = 10

LONGEST_ID = 12
"""Characters of an id that are shown."""

UNSPOKEN_KINDS = {"request", "response", "error", "notification", "event", UNKNOWN}
"""Kinds that are plain from the line: from its mark, its method, or the lack of them."""


def drawn(rows: Iterable[Row], place: Layout) -> Iterator[Line]:
    """Draw each row as one line, no wider than the layout."""
    for row in rows:
        if isinstance(row, FrameRow):
            yield clipped(_begun(row, place) + _said(row, place), place.width)
        elif isinstance(row, FoldRow):
            yield clipped(_begun(row.first, place) + _folded(row, place), place.width)
        elif isinstance(row, EventRow):
            yield _event_line(row, place)
        else:
            yield _silence_line(row.duration_ns, place)


def _begun(row: FrameRow, place: Layout) -> Line:
    """Return the columns that are the same for all frames: time, since, lane, number, size."""
    line = [("time", place.clock(row.t_ns).rjust(place.clock_width) + BETWEEN)]
    if place.with_since:
        line.append(("since", _since(row)))
    number = f"#{row.number}" if row.number else ""
    line.append((row.stream, ARROWS[row.stream] + BETWEEN))
    line.append(("number", f"{number:<{place.number_width}} "))
    if place.with_size:
        line.append(("text", f"{words.size(row.size):>{SIZE_WIDTH}} "))
    return line


def _since(row: FrameRow) -> str:
    if row.shares_read:
        return ONE_READ + BETWEEN
    since = "" if row.since_ns is None else "+" + words.duration(row.since_ns)
    return since.rjust(SINCE_WIDTH) + BETWEEN


def _said(row: FrameRow, place: Layout) -> Line:
    message = row.message
    if message is None:
        return [*_noted(row, ": "), *_text(row, place)]
    line = [*_mark(row, message), *_named(message)]
    if row.notes:
        line += [("note", ", ".join(row.notes)), ("text", SEPARATOR)]
    elif row.remarks:
        line += [("remark", f"({', '.join(row.remarks)}) ")]
    return line + (_text(row, place) if message.kind == UNKNOWN else [(_style(message), message.summary)])


def _noted(row: FrameRow, after: str) -> Line:
    if not row.notes:
        return [("text", "  ")]
    return [("note", f"{MARKS['note']} "), ("note", ", ".join(row.notes) + after)]


def _mark(row: FrameRow, message: Message) -> Line:
    if row.notes:
        return [("note", f"{MARKS['note']} ")]
    if message.flags and "error" in message.flags.split():
        return [("bad", f"{MARKS['failure']} ")]
    return [("quiet", f"{MARKS['plain' if message.answers is None else 'answer']} ")]


def _named(message: Message) -> Line:
    """Return kind, method, id and how long the answer took."""
    if message.kind == HEARTBEAT:
        return [("tick", HEARTBEAT + " ")]
    line: Line = []
    if message.kind not in UNSPOKEN_KINDS or (message.method is None and message.kind != UNKNOWN):
        line.append(("kind", message.kind + " "))
    if message.method is not None:
        line.append(("method", message.method + " "))
    if message.id is not None:
        line.append(("id", f"({short_id(message.id)}) "))
    if message.latency_ns is not None:
        line += _latency(message.latency_ns)
    return line


def short_id(text: str) -> str:
    """Return an id, a long one by its beginning and its end: UUIDs differ in either."""
    if len(text) <= LONGEST_ID:
        return text
    return text[: LONGEST_ID // 2 - 1] + ELLIPSIS + text[-(LONGEST_ID // 2 - 1) :]


def _latency(latency_ns: int) -> Line:
    said = words.duration(latency_ns)
    if latency_ns < SLOW_NS:
        return [("latency", f"{said}  ")]
    seconds = latency_ns // SLOW_NS
    bar = BAR * min(seconds, LONGEST_BAR) + BAR_GOES_ON * (seconds > LONGEST_BAR)
    return [("slow", f"{said} {bar}  ")]


def _style(message: Message) -> str:
    return "tick" if message.kind == HEARTBEAT else "text"


def _text(row: FrameRow, place: Layout) -> Line:
    if not row.text and not row.more:
        return [("quiet", "(empty)")]
    return fitted(row.text, place.width, more=row.more)


def _folded(row: FoldRow, place: Layout) -> Line:
    last = row.last
    took = words.duration(max(last.t_ns - row.first.t_ns, 0))
    times: Line = [("number", f"{TIMES}{row.count:,} to #{last.number} in {took}  ")]
    if last.message is None:
        return [("text", "  "), *times, *_text(last, place)]
    named = _named(last.message)
    return [("text", "  "), *named, *times, (_style(last.message), last.message.summary)]


def _event_line(row: EventRow, place: Layout) -> Line:
    time = place.clock(row.t_ns).rjust(place.clock_width) + BETWEEN
    if place.with_since:
        time += " " * (SINCE_WIDTH + len(BETWEEN))
    mark = EVENT_MARKS[row.weight] + BETWEEN
    room = place.width - len(time) - len(mark)
    line = [("time", time), (row.weight, mark), *fitted(row.words, max(room, 0), row.weight)]
    return line if room > 0 else clipped(line, place.width)


def _silence_line(duration_ns: int, place: Layout) -> Line:
    said = f" {words.duration(duration_ns)} "
    before = place.clock_width + len(BETWEEN)
    if place.with_since:
        before += SINCE_WIDTH - len(said) + 1
    line = [("quiet", DOTS * before + said + DOTS * (place.width - before - len(said)))]
    return clipped(line, place.width)
