"""`tap tail`: the timeline of a session while it lives, from another terminal."""

import time
from collections.abc import Iterator

import click

from tapproxy.commands.asking import Asked, asked
from tapproxy.commands.choosing import Gap, matching
from tapproxy.commands.following import news
from tapproxy.commands.output import Look, columns, look_options, write_live
from tapproxy.commands.portions import Count, Portion
from tapproxy.commands.showing import entries_of
from tapproxy.filters import Filter
from tapproxy.opening import opened
from tapproxy_store.journal_reading import is_live
from tapproxy_store.reading import Recording
from tapproxy_store.records import Event, Session, Told
from tapproxy_viewers import words
from tapproxy_viewers.chosen import no_answer
from tapproxy_viewers.deadlines import Deadlines
from tapproxy_viewers.drawing import drawn
from tapproxy_viewers.header import header
from tapproxy_viewers.layout import layout
from tapproxy_viewers.lines import Line
from tapproxy_viewers.narrating import Narrator
from tapproxy_viewers.screen import length
from tapproxy_viewers.timeline import Source

FRAMES_BEFORE = 10
"""Frames that are shown of what was before."""

UNSEEN = "tap: no end is on record, and nobody is seen who records it; waiting (Ctrl-C ends)"

EXAMPLES = """\b
Examples:
  tap tail                         the newest session
  tap tail my-plugin flag:error    only what went wrong
  tap tail -n 0 'not kind:heartbeat'
"""


@click.command("tail", epilog=EXAMPLES)
@click.argument("what", metavar="[RECORDING] [FILTER...]", nargs=-1)
@click.option(
    "-n",
    "--last",
    metavar="N",
    type=Count(),
    default=FRAMES_BEFORE,
    show_default=True,
    help="Frames to begin with.",
)
@click.option(
    "-f", "--follow", is_flag=True, hidden=True, expose_value=False, help="As it does anyway."
)
@look_options
def command(what: tuple[str, ...], last: int, look: Look) -> None:
    """Follow RECORDING (default: last) while it is recorded, until its session ends.

    The session does not notice: what is shown comes from the recording, a blink after it crossed.
    FILTER chooses frames, as for `tap show`. Ctrl-C leaves the session alone.
    """
    tail(asked(what), look, Portion(last=last))


def tail(it: Asked, look: Look, portion: Portion) -> None:
    """Draw a portion of what was, then what comes."""
    with opened(it.recording) as recording:
        session = recording.session()
        if session.duration_ns is None and not is_live(recording.path):
            click.echo(UNSEEN, err=True)  # its journal may have been removed: it may live
        write_live(_lines(recording, session, it.wanted, portion), look)


def _lines(
    recording: Recording, session: Session, wanted: Filter, portion: Portion
) -> Iterator[Line]:
    width, counts = columns(), recording.counts(session.id)
    yield from header(session, counts, width, place=recording.place)
    place = layout(width, length(session, time.time_ns()), sum(counts.frames.values()))
    is_over = session.duration_ns is not None
    missing = no_answer(session) if is_over else None  # while it lives, an answer may come
    source = Source(recording.payload, place.text_size, missing)
    whole = not wanted.text
    narrator = Narrator(source, Deadlines(silence=whole, answers=whole))
    for entry in _entries(recording, session, wanted, portion):
        rows = narrator.end(entry) if isinstance(entry, int) else narrator.take(entry)
        yield from drawn(rows, place)
    if session.duration_ns is not None:
        ago = words.ago(time.time_ns() - session.started_ns - session.duration_ns)
        yield [("quiet", f"the session ended {ago}; nothing is being recorded")]


def _entries(
    recording: Recording, session: Session, wanted: Filter, portion: Portion
) -> Iterator[Told | Event | int]:
    """Yield what the portion has of what is there, then what comes, and instants meanwhile."""
    seq, number = recording.last_seq(), recording.last_number(session.id)
    for entry in entries_of(recording, session, wanted, portion):
        if isinstance(entry, Event):
            if entry.seq <= seq:
                yield entry
        elif entry.frame.number <= number:
            yield entry
    gap = Gap()
    for coming in news(recording, session, seq, number):
        if isinstance(coming, int):
            yield coming
        elif not wanted.text or not isinstance(coming, Event):
            yield from matching(recording, [(coming, gap.before(coming))], wanted)
