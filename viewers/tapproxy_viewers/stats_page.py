"""Draws `tap stats`: what was asked, what was told, how it began, and when nothing was said."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import tzinfo

from tapproxy_store.records import STREAMS, Stream
from tapproxy_store.silences import Silence
from tapproxy_viewers import words
from tapproxy_viewers.cells import clipped, fitted, width_of
from tapproxy_viewers.header import INDENT, header
from tapproxy_viewers.lines import Line
from tapproxy_viewers.palette import ARROWS, SEPARATOR
from tapproxy_viewers.stats import SECOND_NS, Latency, Row, Stats
from tapproxy_viewers.visible import shown

BETWEEN = "  "
SMALLEST_NAME = 24
LARGEST_NAME = 40
LABEL_WIDTH = len("plugin silent")
SIDES: dict[Stream, str] = {"in": "host", "out": "plugin"}
PLAIN_KINDS = {"notification", "event"}
"""Kinds that are plain from the method: nobody waits for an answer to what was told."""
LEAST_SILENCE_NS = 100_000_000
"""Nanoseconds: shorter times without a word are no silence."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column of figures, right of the name."""

    head: str
    width: int
    value: Callable[[Row], str]
    sort: str  # the order in which it is the largest that come first
    dropped: int = 0  # the highest is left out first where there is no room; 0: never
    style: str = "text"


def _time(measure: Callable[[Latency], int]) -> Callable[[Row], str]:
    return lambda row: words.duration(measure(row.latency)) if row.latency else ""


def _if_any(number: int) -> str:
    return words.compact(number) if number else ""


COUNT = Column("count", 6, lambda row: words.compact(row.count), "count")
ERRORS = Column("errors", 6, lambda row: _if_any(row.errors), "errors", dropped=1, style="bad")
NO_ANSWER = Column(
    "no answer", 9, lambda row: _if_any(row.unanswered), "errors", dropped=1, style="bad"
)

ASKED: tuple[Column, ...] = (
    COUNT,
    ERRORS,
    NO_ANSWER,
    Column("p50", 7, _time(lambda it: it.p50_ns), "p50", dropped=4),
    Column("p95", 7, _time(lambda it: it.p95_ns), "p95", dropped=3),
    Column("max", 7, _time(lambda it: it.max_ns), "max"),
    Column("waited", 7, _time(lambda it: it.waited_ns), "waited", dropped=2),
    Column("asked", 7, lambda row: words.size(row.bytes), "bytes", dropped=5),
    Column("answers", 7, lambda row: words.size(row.answer_bytes), "bytes", dropped=5),
)
TOLD: tuple[Column, ...] = (
    COUNT,
    ERRORS,
    Column("bytes", 7, lambda row: words.size(row.bytes), "bytes", dropped=2),
)


def page(
    it: Stats, width: int, *, zone: tzinfo | None = None, place: str | None = None
) -> Iterator[Line]:
    """Draw what is said of one session."""
    yield from header(it.session, it.counts, width, zone=zone, place=place)
    parts = (
        _table("asked", it, ASKED, width),
        _table("told", it, TOLD, width),
        _nothing(it, width),
        _remarks(it, width),
    )
    is_first = True
    for part in parts:
        for number, line in enumerate(part):
            if number == 0 and not is_first:
                yield []
            is_first = False
            yield line


def _table(head: str, it: Stats, columns: Sequence[Column], width: int) -> Iterator[Line]:
    rows = [row for row in it.rows if row.is_question == (columns is ASKED)]
    if not rows:
        return
    before = len(INDENT) + len(ARROWS["in"]) + len(BETWEEN)
    longest = max([len(head), *(width_of(_name(row)) for row in rows)])
    columns = _columns_for(columns, width - before - min(longest, SMALLEST_NAME), it.sort)
    room = width - before - _taken(columns)
    name_width = max(min(longest, LARGEST_NAME, room), 1)
    heads = "".join(f"{BETWEEN}{column.head:>{column.width}}" for column in columns)
    yield clipped([("quiet", f"{' ' * before}{head:<{name_width}}{heads}")], width)
    for row in rows:
        yield clipped(_line(row, columns, name_width), width)


def _nothing(it: Stats, width: int) -> Iterator[Line]:
    """Say so where neither side said anything, or nothing that was asked for."""
    if it.rows:
        return
    if it.wanted is None:
        said = "nothing was said"
    else:
        what = "only stderr" if it.figures.stderr else "no frame"
        said = f"{what} matches {it.wanted}" if it.wanted else f"{what} is in that portion"
    yield fitted(INDENT + said, width, "quiet")


def _columns_for(columns: Iterable[Column], width: int, sort: str) -> list[Column]:
    """Leave out what there is no room for, but never by what the rows are sorted."""
    left = list(columns)
    while _taken(left) > width:
        worst = max(0 if it.sort == sort else it.dropped for it in left)
        if not worst:
            break
        left = [it for it in left if it.dropped != worst or it.sort == sort]
    return left


def _taken(columns: list[Column]) -> int:
    return sum(len(BETWEEN) + it.width for it in columns)


def _line(row: Row, columns: list[Column], name_width: int) -> Line:
    name = fitted(_name(row), name_width, "title")
    padding = " " * (name_width - sum(width_of(text) for _, text in name))
    line: Line = [(row.stream, INDENT + ARROWS[row.stream] + BETWEEN), *name, ("text", padding)]
    for column in columns:
        line.append((column.style, f"{BETWEEN}{column.value(row):>{column.width}}"))
    return line


def _name(row: Row) -> str:
    """Name what is plain from its method by that, anything else by its kind first."""
    if row.method and (row.is_question or row.kind in PLAIN_KINDS):
        return shown(row.method)
    return shown(" ".join(filter(None, (row.kind, row.method)))) or "frames"


def _remarks(it: Stats, width: int) -> Iterator[Line]:
    """Draw the lines below the tables, each behind its label."""
    for label, pieces in _said(it):
        line: Line = [("quiet", f"{INDENT}{label:<{LABEL_WIDTH}}{BETWEEN}"), ("text", pieces[0])]
        before = width_of(line[0][1])
        for piece in pieces[1:]:
            if sum(width_of(text) for _, text in line) + len(SEPARATOR) + width_of(piece) > width:
                yield clipped(line, width)
                line = [("text", " " * before + piece)]
            else:
                line.append(("text", SEPARATOR + piece))
        yield clipped(line, width)


def _said(it: Stats) -> Iterator[tuple[str, list[str]]]:
    """Yield the label of each line below the tables, and its words in pieces."""
    if it.wanted is None:
        yield from _of_the_whole(it)
    for silence in it.figures.silences.both:
        if silence.duration_ns >= LEAST_SILENCE_NS:
            yield "both silent", [_silence(silence)]
    for side, name in SIDES.items():
        own = it.figures.silences.by_side.get(side)
        if own is not None and own.duration_ns >= LEAST_SILENCE_NS:
            is_mute = own.after is None
            yield f"{name} silent", [_mute(it, side, own) if is_mute else _silence(own)]
    if it.heartbeats:
        yield "heartbeats", [f"{it.heartbeats:,}", *_distances(it)]


def _of_the_whole(it: Stats) -> Iterator[tuple[str, list[str]]]:
    """Say what makes no sense of a part of a session."""
    yield "first", list(_beginnings(it)) or ["nothing came"]
    duration_ns = it.session.duration_ns
    if duration_ns:
        frames = sum(it.counts.frames.values()) * SECOND_NS / duration_ns
        size = sum(it.counts.bytes[stream] for stream in STREAMS) * SECOND_NS // duration_ns
        yield "rate", [f"{frames:,.1f} frames/s", f"{words.size(size)}/s"]


def _beginnings(it: Stats) -> Iterator[str]:
    """Say what came when, since the plugin was started or, where that is unknown, the session."""
    startup = it.figures.startup
    since_ns = startup.spawned_ns or 0
    for side, name in SIDES.items():
        if side in startup.first_bytes_ns:
            after_ns = max(startup.first_bytes_ns[side] - since_ns, 0)
            yield f"{name}'s byte after {words.duration(after_ns)}"
    if startup.first_answer_ns is not None:
        after_ns = max(startup.first_answer_ns - since_ns, 0)
        yield f"answer after {words.duration(after_ns)} (#{startup.first_answer})"


def _silence(silence: Silence) -> str:
    lasted = words.duration(silence.duration_ns)
    return f"{lasted:>7}  from {words.seconds(silence.from_ns)} on, {_where(silence)}"


def _mute(it: Stats, side: Stream, silence: Silence) -> str:
    beats = any(row.stream == side for row in it.rows)
    said = "it said nothing but heartbeats" if beats else "it said nothing"
    return f"{words.duration(silence.duration_ns):>7}  {said}"


def _distances(it: Stats) -> Iterator[str]:
    for silence in it.figures.without_heartbeats.by_side.values():
        yield f"at most {words.duration(silence.duration_ns)} without one ({_where(silence)})"


def _where(silence: Silence) -> str:
    return f"after #{silence.after}" + (", to the end" if silence.until is None else "")
