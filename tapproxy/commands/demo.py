"""`tap demo`: the whole story in three seconds, nothing else needed."""

import os
import shlex
import shutil
import sys

import click

from tapproxy.demo.host import Failed, converse
from tapproxy.errors import TapError
from tapproxy.opening import opened
from tapproxy_store import locate
from tapproxy_store.records import Event, Stream

WHAT_TO_SEE = """
What to see:
  #{glued}  A progress bar is glued to an answer: a host that wants JSON fails here.
  #{slow}  This answer is slow.
  #{open}  No answer comes: after 3.0 s the host's watchdog ends the plugin.

What to try next:
"""

WHAT_TO_TRY = (
    ("show last '#{glued}'", "one frame whole, its base64 opened"),
    ("show last --exchanges", "requests with their answers"),
    ("stats last", "counts and latencies"),
    ("show last --json", "all of it for a program"),
    ("ls", "your recordings"),
    ("run -- COMMAND", "where your host names its command"),
)


@click.command("demo", epilog="\b\nExample:\n  tap demo")
def command() -> None:
    """Try it: record a small plugin that has three faults, and show what happened."""
    from tapproxy.commands.output import Look
    from tapproxy.commands.show import show

    click.echo("A host talks to a plugin through `tap run`. This takes five seconds.\n")
    recording = os.path.join(locate.recordings_folder(), locate.recording_name("demo"))
    try:
        converse(recording)
    except Failed as error:
        raise TapError(str(error)) from error
    show(recording, Look(pager=False))
    click.echo(_advice(recording))


def _advice(recording: str) -> str:
    """Say what to see and what to type, with the numbers that the frames have this time."""
    asked, answers = _numbers(recording, "in"), _numbers(recording, "out")
    numbers = {"glued": answers[1], "slow": answers[2], "open": asked[-1]}
    tap = how_called(sys.argv[0])
    lines = [(f"  {tap} {it.format(**numbers)}", purpose) for it, purpose in WHAT_TO_TRY]
    width = max(len(line) for line, _ in lines)
    tries = [f"{line:<{width}}  {purpose}" for line, purpose in lines]
    return WHAT_TO_SEE.format(**numbers) + "\n".join(tries)


def _numbers(path: str, stream: Stream) -> list[int]:
    with opened(path) as recording:
        entries = list(recording.entries(recording.session().id))
    frames = [it.frame for it in entries if not isinstance(it, Event)]
    return [it.number for it in frames if it.stream == stream]


def how_called(started: str) -> str:
    """Return what calls this tap in a shell: `tap` only where that is on the PATH, and this one."""
    found = shutil.which("tap")
    if found is not None and os.path.exists(started) and os.path.samefile(found, started):
        return "tap"
    if os.path.basename(started) == "tap":
        return shlex.quote(started)
    return f"{shlex.quote(sys.executable)} -m tapproxy"
