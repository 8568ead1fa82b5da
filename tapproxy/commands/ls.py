"""`tap ls`: the recordings, newest first."""

import os
import time
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

import click

from tapproxy.commands.output import Look, columns, look_options, write_bytes, write_lines
from tapproxy.retention.files import size_of
from tapproxy_store import locate
from tapproxy_store.errors import StoreError
from tapproxy_store.journal_reading import open_journal
from tapproxy_store.locks import is_held
from tapproxy_store.reading import open_recording
from tapproxy_viewers import words
from tapproxy_viewers.header import place_line
from tapproxy_viewers.jsonl import dumped
from tapproxy_viewers.lines import Line
from tapproxy_viewers.listing import Listed, Readable, Remark, listed_object
from tapproxy_viewers.naming import called
from tapproxy_viewers.shelf import shelf
from tapproxy_viewers.visible import shown

EXAMPLES = """\b
Examples:
  tap ls
  tap ls --size
  tap ls --json | jq -r 'select(.status == "damaged") | .path'
"""

UNFINISHED = "unfinished, will be completed when opened"
BEGINNING = "has only just begun"


@click.command("ls", epilog=EXAMPLES)
@click.option(
    "--json", "as_json", is_flag=True, help="One JSON object per line, for each recording."
)
@click.option(
    "--size", "with_size", is_flag=True, help="What each takes on the disk, and all together."
)
@look_options
def command(look: Look, *, as_json: bool, with_size: bool) -> None:
    """List the recordings, newest first: those in $TAP_DIR, else in your user data folder."""
    listing = _sized if with_size else _listed
    folder = locate.recordings_folder()
    paths = locate.recordings(folder)
    if as_json:
        write_bytes(dumped(listed_object(it)) for it in map(listing, paths))
    elif paths:
        names = [shown(called(path)) for path in paths]
        lines = shelf(map(listing, paths), names, columns(), time.time_ns(), with_size=with_size)
        total = [_total(paths)] if with_size else []
        write_lines(chain(lines, [[], *total, place_line(folder)]), look)
    else:
        click.echo(
            f"No recordings in {shown(folder)} yet.\n"
            "Put `tap run --` before a command to record it, or try `tap demo`."
        )


def _sized(path: str) -> Listed:
    return replace(_listed(path), size=size_of(path))


def _total(paths: Sequence[str]) -> Line:
    noun = "recording" if len(paths) == 1 else "recordings"
    size = words.size(sum(map(size_of, paths)))
    return [("text", f"  {len(paths):,} {noun}, {size}")]


def _listed(path: str) -> Listed:
    state = _journal_state(path)
    if state == "unfinished":
        return Remark(called(path), path, "unfinished", UNFINISHED)
    if state == "live" and not os.path.exists(path):
        return Remark(called(path), path, "live", BEGINNING)
    try:
        with open_recording(path) as recording:
            session = recording.session()
            return Readable(called(path), path, session, recording.counts(session.id))
    except StoreError as error:
        return Remark(called(path), path, "damaged", str(error).removeprefix(path).strip())


def _journal_state(path: str) -> str | None:
    """Tell whether the recording has a journal, and somebody who still writes to it."""
    journal = open_journal(path)
    if journal is None:
        return None
    try:
        return "live" if is_held(journal) else "unfinished"
    finally:
        os.close(journal)
