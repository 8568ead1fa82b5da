"""Draws the rows of a timeline as lines."""

from collections.abc import Iterable, Iterator

from tapproxy_store.records import Message
from tapproxy_viewers import words
from tapproxy_viewers.cells import clipped
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
ONE_BATCH = "batch"
EMPTY = "(empty)"

SLOW_NS = words.SECOND
"""An answer that took longer is given a bar: a cell for each second."""
LONGEST_BAR = 10

LONGEST_ID = 12
"""Characters of an id that are shown whole."""
ID_END = 4
"""Characters that are shown of either end of a longer one: UUIDs differ in either."""

UNASKED_KINDS = {"event", "notification"}
"""Kinds of which no answer is due: where they have an id, it is the sender's own count."""

UNSPOKEN_KINDS = {"request", "response", "error", UNKNOWN, *UNASKED_KINDS}
"""Kinds that are plain from the line: from its mark, its method, or the lack of them."""


def drawn(rows: Iterable[Row], place: Layout) -> Iterator[Line]:
    """Draw each row as one line, no wider than the layout."""
    for row in rows:
        if isinstance(row, FrameRow):
            yield _line(_begun(row, place), _said(row), place.width, more=row.more)
        elif isinstance(row, FoldRow):
            yield _line(_begun(row.first, place), _folded(row), place.width, more=row.last.more)
        elif isinstance(row, EventRow):
            said: Line = [(row.weight, BETWEEN + row.words)]
            yield _line(_event_begun(row, place), said, place.width)
        else:
            yield _silence_line(row.duration_ns, place)


def _line(begun: Line, said: Line, width: int, *, more: bool = False) -> Line:
    """Join both; each character of what is `begun` takes one cell."""
    room = width - sum([len(text) for _, text in begun])
    if room > 0:
        return begun + clipped(said, room, more=more)
    return clipped(begun + said, width)


def _begun(row: FrameRow, place: Layout) -> Line:
    """Return the columns that are the same for all frames: time, since, lane, number, size."""
    line = [("time", place.clock(row.t_ns).rjust(place.clock_width) + BETWEEN)]
    if place.with_since:
        line.append(("since", _since(row).rjust(SINCE_WIDTH) + BETWEEN))
    number = f"#{row.number}" if row.number else ""
    line.append((row.stream, ARROWS[row.stream] + BETWEEN))
    line.append(("number", number.ljust(place.number_width) + " "))
    if place.with_size:
        size = "" if row.continues else words.size(row.size)
        line.append(("text", size.rjust(SIZE_WIDTH) + " "))
    line.append(_mark(row))
    return line


def _since(row: FrameRow) -> str:
    if row.continues:
        return ONE_BATCH
    if row.shares_read:
        return ONE_READ
    return "" if row.since_ns is None else "+" + words.duration(row.since_ns)


def _mark(row: FrameRow) -> tuple[str, str]:
    message = row.message
    if row.notes:
        return "note", MARKS["note"] + " "
    if message is None:
        return "quiet", MARKS["plain"] + " "
    if message.flags and "error" in message.flags.split():
        return "bad", MARKS["failure"] + " "
    return "quiet", MARKS["plain" if message.answers is None else "answer"] + " "


def _said(row: FrameRow) -> Line:
    """Return what the frame is, how long an answer took, what is odd, and what it says."""
    message = row.message
    line = [] if message is None else _named(message)
    if message is not None and message.latency_ns is not None:
        line.append(_latency(message.latency_ns, BETWEEN if line else ""))
    said = _text(row)
    if row.notes:
        line.append(("note", (BETWEEN if line else "") + SEPARATOR.join(row.notes)))
        return [*line, ("text", SEPARATOR), said] if said[1] else line
    if row.remarks:
        line.append(("remark", f"{BETWEEN if line else ''}({', '.join(row.remarks)})"))
        return [*line, ("text", " "), said] if said[1] else line
    if not said[1]:
        return line
    return [*line, ("text", BETWEEN), said] if line else [said]


def _text(row: FrameRow) -> tuple[str, str]:
    message = row.message
    if message is not None and message.kind != UNKNOWN:
        return "tick" if message.kind == HEARTBEAT else "text", message.summary
    return ("text", row.text) if row.text or row.more else ("quiet", EMPTY)


def _named(message: Message) -> Line:
    """Return the kind where it must be said, the method, and what tells one from another."""
    if message.kind == HEARTBEAT:
        return [("tick", HEARTBEAT)]
    line: Line = []
    if message.kind not in UNSPOKEN_KINDS or (message.method is None and message.kind != UNKNOWN):
        line.append(("kind", message.kind))
    if message.method is not None:
        line.append(("method", f" {message.method}" if line else message.method))
    concerned = message.about if message.answers is None else message.answers
    is_one_of_several = message.answers is not None and "batch" in (message.flags or "").split()
    if concerned is not None and not message.asks and not is_one_of_several:
        line.append(("id", f" #{concerned}" if line else f"#{concerned}"))
    elif message.id is not None and message.kind not in UNASKED_KINDS:
        identified = f"({short_id(message.id)})"
        line.append(("id", f" {identified}" if line else identified))
    return line


def short_id(text: str) -> str:
    """Return an id, a long one by its beginning and its end, without quotation marks."""
    if len(text) <= LONGEST_ID:
        return text
    bare = text.strip('"')
    return bare[:ID_END] + ELLIPSIS + bare[-ID_END:]


def _latency(latency_ns: int, before: str) -> tuple[str, str]:
    said = before + words.duration(latency_ns)
    if latency_ns < SLOW_NS:
        return "latency", said
    return "slow", f"{said} {waiting_bar(latency_ns)}"


def waiting_bar(latency_ns: int) -> str:
    """Return a cell for each second, up to a length that leaves room for the rest."""
    seconds = latency_ns // SLOW_NS
    return BAR * min(seconds, LONGEST_BAR) + BAR_GOES_ON * (seconds > LONGEST_BAR)


def _folded(row: FoldRow) -> Line:
    last = row.last
    took_ns = last.t_ns - row.first.t_ns
    took = f"in {words.duration(took_ns)}" if took_ns > 0 else "at once"
    line = [] if last.message is None else _named(last.message)
    before = BETWEEN if line else ""
    times = ("number", f"{before}{TIMES}{row.count:,} to #{last.number} {took}")
    said = _text(last)
    return [*line, times, ("text", BETWEEN), said] if said[1] else [*line, times]


def _event_begun(row: EventRow, place: Layout) -> Line:
    time = place.clock(row.t_ns).rjust(place.clock_width) + BETWEEN
    if place.with_since:
        time += " " * (SINCE_WIDTH + len(BETWEEN))
    return [("time", time), (row.weight, EVENT_MARKS[row.weight])]


def _silence_line(duration_ns: int, place: Layout) -> Line:
    said = f" {words.duration(duration_ns)} "
    before = place.clock_width + len(BETWEEN)
    if place.with_since:
        before += SINCE_WIDTH - len(said) + 1
    line = [("quiet", DOTS * before + said + DOTS * (place.width - before - len(said)))]
    return clipped(line, place.width)
