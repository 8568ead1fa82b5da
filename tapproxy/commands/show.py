"""`tap show`: the timeline of a recording, one frame whole, or its content for programs."""

import sys
import time
from collections.abc import Iterator
from typing import NamedTuple

import click

from tapproxy.commands.asking import Asked, asked
from tapproxy.commands.output import Look, columns, look_options, write_bytes, write_lines
from tapproxy.commands.portions import Portion, portion_options
from tapproxy.commands.showing import choice, exchange_lines, frame_lines, timeline_lines
from tapproxy.commands.tail import tail
from tapproxy.errors import USAGE, TapError
from tapproxy.opening import opened
from tapproxy_store.reading import Recording
from tapproxy_store.records import STREAMS, Stream
from tapproxy_viewers import jsonl
from tapproxy_viewers.lines import Line
from tapproxy_viewers.screen import View

EXAMPLES = """\b
Examples:
  tap show                         the last recording
  tap show last~2 --no-pager       the one before the one before
  tap show my-plugin --exchanges   requests and answers of the newest of a name
  tap show last method:tools/call  the calls and their answers
  tap show last 'latency:>1s or flag:error'
  tap show last '#12'              one frame whole; --hex for its bytes
  tap show last --around 12        what stands around it
  tap show FILE --json | jq -r 'select(.stream == "out") | .text'
  tap show FILE --raw out > stdout.bin
"""

HEX = "--hex shows one frame: name it, as in '#12'."
RAW = "--raw writes a whole stream: leave the filter, -n, --around and the like out."
ONE_FRAME = "#N is one frame, whole: leave -n, --around, --since and --until out."
FOLLOW = "--follow draws a timeline: leave --json, --raw and the like out."


class Form(NamedTuple):
    """In what form the recording is wanted, by the options; none of them: as a timeline."""

    raw: Stream | None
    as_json: bool
    exchanges: bool
    in_hex: bool
    follow: bool


@click.command("show", epilog=EXAMPLES)
@click.argument("what", metavar="[RECORDING] [FILTER...]", nargs=-1)
@click.option("--exchanges", is_flag=True, help="Requests with their answers, one line each.")
@portion_options
@click.option("-f", "--follow", is_flag=True, help="Go on while the session lives.")
@click.option("--unfold", is_flag=True, help="Every frame of a run, such as progress, on its own.")
@click.option("--hex", "in_hex", is_flag=True, help="With #N: the exact bytes of the frame.")
@click.option("--dialect", metavar="NAME", help="Read the messages by this dialect, this time.")
@click.option(
    "-v", "--verbose", is_flag=True, help="Say why the session was taken for this dialect."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object per line, frames whole.")
@click.option("--raw", type=click.Choice(STREAMS), help="One stream's exact bytes, nothing else.")
@look_options
def command(
    what: tuple[str, ...],
    portion: Portion,
    raw: Stream | None,
    dialect: str | None,
    look: Look,
    *,
    exchanges: bool,
    follow: bool,
    unfold: bool,
    in_hex: bool,
    verbose: bool,
    as_json: bool,
) -> None:
    """Show the timeline of RECORDING: messages, events and gaps, one line each.

    RECORDING is a path (of a recording or a tape), a name or its beginning, last (the default) or
    last~N. FILTER chooses frames: terms such as method:tools/*, flag:error, latency:>3s, joined by
    or, not and parentheses; keys are method kind id dir stream text json size latency gap t n flag.
    #N alone is one frame, whole. Lines are cut to the terminal's width, or to COLUMNS; --json has
    the frames whole.

    With --json each line has a `type`: session (recording, name, command, dialect, started …),
    then in their order frame (number, stream, times, size, messages, and the body as text or, where
    it is not UTF-8, as base64) and event (seq, t_ns, kind, detail). Times are nanoseconds since the
    session's start.
    """
    it, form = asked(what), Form(raw, as_json, exchanges, in_hex, follow)
    _refuse(*_contradictions(it, portion, form))
    if follow:
        tail(it, look, portion)
        return
    with opened(it.recording, dialect) as recording:
        if raw is not None:
            write_bytes(_raw(recording, raw))
        elif as_json:
            write_bytes(jsonl.lines(recording, choice(recording, it, portion)))
        else:
            view = View(
                columns(),
                time.time_ns(),
                place=recording.place,
                verbose=verbose,
                folded=not unfold,
            )
            write_lines(_lines(recording, it, portion, form, view), look)


def show(recording: str, look: Look) -> None:
    """Draw the timeline of the recording of that name where the user looks."""
    it = Asked(recording, asked(()).wanted)
    with opened(recording) as opened_one:
        view = View(columns(), time.time_ns(), place=opened_one.place)
        write_lines(timeline_lines(opened_one, it.wanted, Portion(), view), look)


def _lines(
    recording: Recording, it: Asked, portion: Portion, form: Form, view: View
) -> Iterator[Line]:
    if it.frame is not None:
        return frame_lines(recording, it, in_hex=form.in_hex)
    if form.exchanges:
        return exchange_lines(recording, it.wanted, portion, view)
    return timeline_lines(recording, it.wanted, portion, view)


def _contradictions(it: Asked, portion: Portion, form: Form) -> Iterator[tuple[bool, str]]:
    """Yield what may not be asked for at once: whether it is, and the words for it."""
    raw, one, follow = form.raw is not None, it.frame is not None, form.follow
    as_json, exchanges, in_hex = form.as_json, form.exchanges, form.in_hex
    yield in_hex and not one, HEX
    yield in_hex and as_json, "--hex and --json exclude each other: choose one."
    yield raw and as_json, "--raw and --json exclude each other: choose one."
    yield raw and _chooses(it, portion, exchanges=exchanges), RAW
    yield as_json and exchanges, "--json has frames, not exchanges: choose one."
    yield one and exchanges, "--exchanges and #N exclude each other: choose one."
    yield one and not portion.is_everything, ONE_FRAME
    yield follow and (raw or as_json or exchanges or one), FOLLOW


def _refuse(*wrong: tuple[bool, str]) -> None:
    """Say what is wrong with the command line, first things first."""
    for is_so, words in wrong:
        if is_so:
            raise click.UsageError(words)


def _chooses(it: Asked, portion: Portion, *, exchanges: bool) -> bool:
    is_part = it.frame is not None or it.wanted.text != "" or not portion.is_everything
    return is_part or exchanges


def _raw(recording: Recording, stream: Stream) -> Iterator[bytes]:
    if sys.stdout.isatty():
        raise TapError(
            f"--raw {stream} writes bytes that a terminal may obey; send them to a file"
            f" or a pipe: `tap show … --raw {stream} > FILE`",
            USAGE,
        )
    for session in recording.sessions():
        yield from recording.stream_bytes(session.id, stream)
