"""`tap rm`: removes recordings, with their journals and whatever else is theirs."""

import os
import time
from collections.abc import Sequence

import click

from tapproxy.errors import USAGE, TapError
from tapproxy.retention.files import (
    check_recording,
    held,
    is_recording,
    opened_files,
    remove,
    size_of,
)
from tapproxy.retention.policy import Held
from tapproxy.retention.wording import read_age, read_size
from tapproxy_store import locate
from tapproxy_store.errors import AmbiguousName
from tapproxy_store.journal_reading import is_live
from tapproxy_viewers import words
from tapproxy_viewers.visible import shown

MOST_NAMED = 5
"""Recordings that an error lists."""

EXAMPLES = """\b
Examples:
  tap rm last
  tap rm 20261130-203005 bug.tap
  tap rm --older-than 30d --dry-run      what would go
  tap rm --keep-last 50
  tap rm --older-than 7d --larger-than 100MB
"""


@click.command("rm", epilog=EXAMPLES)
@click.argument("recordings", metavar="[RECORDING...]", nargs=-1)
@click.option("--older-than", metavar="AGE", help="Those that began longer ago: 30d, 12h, 2w.")
@click.option("--larger-than", metavar="SIZE", help="Those that take more: 100MB, 1GiB.")
@click.option(
    "--keep-last", metavar="N", type=click.IntRange(0), help="All but the N newest of the folder."
)
@click.option("--dry-run", is_flag=True, help="Say what would be removed, and remove nothing.")
def command(
    recordings: tuple[str, ...],
    older_than: str | None,
    larger_than: str | None,
    keep_last: int | None,
    *,
    dry_run: bool,
) -> None:
    """Remove RECORDINGs, or those of your folder that all the given rules choose; asks nothing.

    RECORDING is a path, a name or its beginning, last or last~N; a beginning, or a session's name,
    that several have is an error. One that is being recorded stays, and so does any other file:
    named, it is an error, and nothing is removed. Of a recording its journal goes, too, even where
    that was never made a recording.
    """
    by_rule = not (older_than is None and larger_than is None and keep_last is None)
    if by_rule == bool(recordings):
        raise click.UsageError("name recordings, or say which: --older-than 30d, --keep-last 50")
    chosen = _chosen(older_than, larger_than, keep_last) if by_rule else _named(recordings)
    size = 0
    for path in chosen:
        size += (its := size_of(path))
        if not dry_run:
            remove(path)
        click.echo(f"{'would remove' if dry_run else 'removed'} {shown(path)}  {words.size(its)}")
    if by_rule or len(chosen) > 1:
        noun = "recording" if len(chosen) == 1 else "recordings"
        click.echo(f"{len(chosen):,} {noun}, {words.size(size)}")


def _named(names: Sequence[str]) -> list[str]:
    """Find them all before any is removed; raises TapError, StoreError."""
    paths = list(dict.fromkeys(map(_found, names)))
    for path in paths:
        check_recording(path)
        if is_live(path):
            raise TapError(f"{path} is being recorded; nothing was removed", USAGE)
    return paths


def _found(name: str) -> str:
    path = locate.find_recording(name)
    word = os.path.basename(path)
    if os.path.dirname(name) or name.startswith("last") or word.startswith(name):
        return path
    alike = [
        os.path.basename(it).removesuffix(locate.ENDING)
        for it in locate.recordings()
        if locate.session_word(it).startswith(name)
    ]
    if len(alike) > 1:
        listed = ", ".join(alike[:MOST_NAMED]) + (", …" if len(alike) > MOST_NAMED else "")
        raise AmbiguousName(f"{name} is the name of {len(alike)} recordings, {listed}; name one")
    return path


def _chosen(older_than: str | None, larger_than: str | None, keep_last: int | None) -> list[str]:
    """Return those that all rules choose, the newest first; what is busy, or of others, stays."""
    age_s = 0.0 if older_than is None else read_age(older_than, "--older-than")
    least = -1 if larger_than is None else read_size(larger_than, "--larger-than")
    began = time.time() - age_s
    opened = opened_files()
    paths = [path for path in locate.recordings() if is_recording(path)]
    found = [held(path, opened) for path in paths[keep_last or 0 :]]
    return [it.path for it in found if _goes(it, began, least, by_age=older_than is not None)]


def _goes(it: Held, began_s: float, least: int, *, by_age: bool) -> bool:
    return not it.busy and it.size > least and (it.began_s < began_s or not by_age)
