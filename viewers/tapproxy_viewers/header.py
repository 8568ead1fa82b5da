"""What stands above a timeline: the command, when, how long, how it ended, how much each way."""

from collections.abc import Iterator
from datetime import tzinfo

from tapproxy_store.reading import Counts

from tapproxy_store.records import STREAMS, Session, Stream
from tapproxy_viewers import words
from tapproxy_viewers.cells import clipped, fitted
from tapproxy_viewers.commandline import command_of, text_of
from tapproxy_viewers.drawing import Line
from tapproxy_viewers.palette import ARROWS, LANES, SEPARATOR

INDENT = "  "
RUNNING = "still running"


def header(
    session: Session, counts: Counts, width: int, zone: tzinfo | None = None
) -> Iterator[Line]:
    """Draw the lines above a session's timeline, an empty one at the end."""
    yield fitted(command_of(session), width, "title")
    yield clipped(_circumstances(session, width, zone), width)
    for stream in STREAMS:
        yield clipped(_lane(stream, counts), width)
    yield []


def outcome_of(session: Session) -> tuple[str, str]:
    """Return how the session ended, as (style, words)."""
    if session.outcome is None:
        return "live", RUNNING
    return "good" if session.outcome == "exit 0" else "bad", session.outcome


def _circumstances(session: Session, width: int, zone: tzinfo | None) -> Line:
    took = [] if session.duration_ns is None else [words.duration(session.duration_ns)]
    parts = [session.name, words.zoned_time(session.started_ns, zone), *took]
    style, outcome = outcome_of(session)
    return [
        *fitted(INDENT + SEPARATOR.join(part for part in parts if part), width, "quiet"),
        ("quiet", SEPARATOR),
        *fitted(outcome, width, style),
        *fitted("".join(f"{SEPARATOR}{tag}" for tag in tags_of(session)), width, "quiet"),
    ]


def tags_of(session: Session) -> list[str]:
    """Return the session's tags as they were given: `KEY=VALUE`."""
    tags = session.facts.get("tags")
    if not isinstance(tags, dict):
        return []
    return [f"{key}={text_of(value)}" for key, value in tags.items()]


def _lane(stream: Stream, counts: Counts) -> Line:
    frames = words.count(counts.frames.get(stream, 0), "frame")
    total = words.size(counts.bytes.get(stream, 0))
    return [
        (stream, f"{INDENT}{ARROWS[stream]}"),
        ("quiet", f"  {LANES[stream]:<15}"),
        ("text", f"  {frames:>16}  {total:>7}"),
    ]
