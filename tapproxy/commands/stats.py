"""`tap stats`: what a session holds, at a glance: counts, latencies, silences."""

from array import array
from collections.abc import Iterator

import click

from tapproxy.commands.asking import asked
from tapproxy.commands.output import Look, columns, look_options, write_bytes, write_lines
from tapproxy.commands.portions import Portion, portion_options, selection_of
from tapproxy.commands.showing import entries_of
from tapproxy.filters import Filter
from tapproxy.opening import opened
from tapproxy_store.figures import Figures
from tapproxy_store.pages import Selection
from tapproxy_store.reading import Recording
from tapproxy_store.records import Event, Session
from tapproxy_viewers.jsonl import dumped
from tapproxy_viewers.lines import Line
from tapproxy_viewers.naming import called
from tapproxy_viewers.stats import SORTS, Stats, objects, stats
from tapproxy_viewers.stats_page import page

EXAMPLES = """\b
Examples:
  tap stats                    of the last recording
  tap stats my-plugin --sort max 'method:tools/*'
  tap stats --json | jq -r 'select(.type == "question") | [.method, .p95_ns] | @tsv'
"""


@click.command("stats", epilog=EXAMPLES)
@click.argument("what", metavar="[RECORDING] [FILTER...]", nargs=-1)
@click.option(
    "--sort",
    type=click.Choice(list(SORTS)),
    default="waited",
    show_default=True,
    help="What is to be largest in the first row; waited is the time of all answers together.",
)
@portion_options
@click.option("--json", "as_json", is_flag=True, help="One JSON object per line.")
@look_options
def command(
    what: tuple[str, ...], sort: str, portion: Portion, look: Look, *, as_json: bool
) -> None:
    """Sum up RECORDING (default: last): how often, how slow and how large, and the silences.

    RECORDING is a path (of a recording or a tape), a name or its beginning, last or last~N. FILTER
    chooses frames, as for `tap show`; the header is of all of them. An answer's time is from its
    question's last byte to its own; p50 and p95 are of the nearest rank. Bytes are on the wire,
    with headers and line ends.
    """
    it = asked(what)
    with opened(it.recording) as recording:
        all_stats = _stats(recording, it.wanted, portion, sort)
        if as_json:
            name = called(recording.path)
            write_bytes(dumped(one) for each in all_stats for one in objects(each, name))
        else:
            write_lines(_pages(all_stats, recording.place), look)


def _stats(recording: Recording, wanted: Filter, portion: Portion, sort: str) -> Iterator[Stats]:
    asked_for = None if portion.is_everything and not wanted.text else wanted.text
    for session in recording.sessions():
        figures = _figures(recording, session, wanted, portion)
        yield stats(session, recording.counts(session.id), figures, sort, asked_for)


def _figures(recording: Recording, session: Session, wanted: Filter, portion: Portion) -> Figures:
    """Select by a condition in SQL; where that does not do, by the numbers of the frames."""
    if portion.is_everything and not wanted.text:
        return recording.figures(session.id)
    if wanted.is_complete and portion.last is None:
        within = selection_of(portion, recording, session.id)
        where, values = wanted.sql()
        both = " AND ".join(f"({it})" for it in (within.where, where) if it)
        return recording.figures(session.id, Selection(both, (*within.values, *values)))
    entries = entries_of(recording, session, wanted, portion)
    numbers = sorted(it.frame.number for it in entries if not isinstance(it, Event))
    return recording.figures(session.id, numbers=array("q", numbers))


def _pages(all_stats: Iterator[Stats], place: str | None) -> Iterator[Line]:
    for number, it in enumerate(all_stats):
        yield from [[]] * (number > 0)
        yield from page(it, columns(), place=place)
