"""What stands above a timeline: the command, when, how long, how it ended, how much each way."""

from collections.abc import Iterator
from datetime import tzinfo
from shlex import quote

from tapproxy_store.reading import Counts
from tapproxy_store.records import STREAMS, Session, Stream
from tapproxy_viewers import words
from tapproxy_viewers.cells import Segment, clipped, fitted, width_of
from tapproxy_viewers.lines import Line
from tapproxy_viewers.naming import command_of, given_name, remark_on, tags_of
from tapproxy_viewers.palette import ARROWS, LANES, SEPARATOR
from tapproxy_viewers.visible import shown

INDENT = "  "
LANE_NAME_WIDTH = max(map(len, LANES.values()))
RUNNING = "still running"
IMPORTED = "imported"
"""The outcome of a session of which only a log is known."""
NOT_KNOWN_YET = "dialect not known yet"


def header(
    session: Session,
    counts: Counts,
    width: int,
    *,
    zone: tzinfo | None = None,
    place: str | None = None,
    verbose: bool = False,
) -> Iterator[Line]:
    """Draw the lines above a session's timeline, an empty one at the end.

    `zone` is where the reader is, None for the system's; `place` the recording's path where it is
    worth telling; `verbose` tells why the session was taken to speak its dialect.
    """
    yield fitted(command_of(session), width, "title")
    yield clipped(_circumstances(session, zone), width)
    if session.dialect is not None:
        reason = session.dialect_reason if verbose else None
        yield from _dialect(session.dialect, reason, session.traits, width)
    elif session.outcome is None:
        yield clipped([("quiet", INDENT + NOT_KNOWN_YET)], width)
    elif place is not None and any(counts.frames.values()):  # of a tap that knew no dialects
        yield _uncut(f"no messages yet: `tap index {quote(place)}` reads them")
    if place is not None:
        yield place_line(place)
    yield from _redaction(session, width)
    for stream in STREAMS:
        yield clipped([*_lane(stream), _total(session, stream, counts)], width)
    yield []


def _redaction(session: Session, width: int) -> Iterator[Line]:
    """Say by which rules the session was redacted, and how many secrets it has lost."""
    mark = session.facts.get("redacted")
    if not isinstance(mark, dict):
        return
    rules, counts = mark.get("rules"), mark.get("secrets")
    said = [it for it in rules if isinstance(it, str)] if isinstance(rules, list) else []
    line: Line = [("quiet", f"{INDENT}redacted: {shown(', '.join(said))}")]
    if isinstance(counts, dict):
        count = sum(it for it in counts.values() if isinstance(it, int))
        line.append(("quiet", f"{SEPARATOR}{count:,} secret{'s' * (count != 1)} replaced"))
    yield clipped(line, width)


def place_line(path: str) -> Line:
    """Say where something is: never cut, as it is there to be copied."""
    return _uncut(path)


def _uncut(said: str) -> Line:
    return [("quiet", INDENT + shown(said))]


def outcome_of(session: Session) -> Segment:
    """Return how the session ended, as (style, words)."""
    if session.outcome is None:
        return "live", RUNNING
    if session.outcome == IMPORTED:
        return "quiet", IMPORTED
    return "good" if session.outcome == "exit 0" else "bad", shown(session.outcome)


def _circumstances(session: Session, zone: tzinfo | None) -> Line:
    name = given_name(session)
    before = [shown(name)] if name else []
    before.append(words.zoned_time(session.started_ns, zone))
    if session.duration_ns is not None:
        before.append(words.duration(session.duration_ns))
    after = "".join(SEPARATOR + shown(tag) for tag in tags_of(session))
    said = INDENT + SEPARATOR.join(before) + SEPARATOR
    return [("quiet", said), outcome_of(session), ("quiet", after)]


def _dialect(name: str, reason: str | None, traits: tuple[str, ...], width: int) -> Iterator[Line]:
    """Say what the session speaks, on as many lines as it takes, one trait below the other."""
    line: Line = [("text", INDENT + shown(name))]
    before = " " * width_of(line[0][1] + SEPARATOR)
    if reason:
        line.append(("quiet", f" ({shown(reason)})"))
    taken = sum(width_of(text) for _, text in line)
    for trait in map(shown, traits):
        cells = width_of(SEPARATOR + trait)
        if taken + cells > width and taken > width_of(before):
            yield clipped(line, width)
            line, taken = [("quiet", before + trait)], width_of(before + trait)
        else:
            line.append(("quiet", SEPARATOR + trait))
            taken += cells
    yield clipped(line, width)


def _lane(stream: Stream) -> Line:
    return [
        (stream, f"{INDENT}{ARROWS[stream]}"),
        ("quiet", f"  {LANES[stream]:<{LANE_NAME_WIDTH}}"),
    ]


def _total(session: Session, stream: Stream, counts: Counts) -> Segment:
    remark = remark_on(session, stream)
    if remark and not counts.bytes[stream]:
        return "quiet", f"  {remark}"
    frames = counts.frames[stream]
    noun = "frame " if frames == 1 else "frames"
    return "text", f"  {frames:>9,} {noun}  {words.size(counts.bytes[stream]):>7}"
