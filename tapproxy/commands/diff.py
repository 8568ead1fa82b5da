"""`tap diff`: what differs between two recordings, values aside that differ in every run."""

import os
from collections.abc import Iterator
from contextlib import suppress

import click

from tapproxy.commands.output import Look, columns, look_options, write_bytes, write_lines
from tapproxy.opening import opened
from tapproxy_store.reading import Recording
from tapproxy_viewers.differences import Difference, Totals, lines, objects, title
from tapproxy_viewers.jsonl import dumped
from tapproxy_viewers.lines import Line
from tapproxy_viewers.naming import called

DIFFERENT = 1
"""Exit code."""

SAME = "A and B are the same recording"

EXAMPLES = """\b
Examples:
  tap diff last~1 last                 the two newest
  tap diff good.tape last --json | jq -r 'select(.how == "changed") | .path'
  tap diff before.tap after.tap > /dev/null && echo the same
"""


@click.command("diff", epilog=EXAMPLES)
@click.argument("a")
@click.argument("b", default="last")
@click.option("--stderr", is_flag=True, help="Count what differs in the plugin's stderr too.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per line, values whole.")
@look_options
def command(a: str, b: str, look: Look, *, stderr: bool, as_json: bool) -> None:
    """Say what differs between the recordings A and B (default: last); exit 1 if anything does.

    A and B are paths (of recordings or tapes), names or their beginnings, last or last~N.

    Messages are compared by what they say: not by time, not by ids, nor by what else their dialect
    knows to differ in every run. An answer is compared with the answer to the same question. Those
    that differ are told with the first place at which they do; those that were said at another
    point of the conversation have moved.
    """
    from tapproxy.diffing.comparing import compare

    totals = Totals()
    with opened(a) as one, opened(b) as other:
        differences = compare(one, other, totals, with_stderr=stderr)
        if as_json:
            write_bytes(map(dumped, objects(differences, totals)))
        elif _is_same_file(one.place or a, other.place or b):
            write_lines([[("text", SAME)]], look)
        else:
            write_lines(_page(one, other, differences, totals), look)
    if totals.differ:
        raise SystemExit(DIFFERENT)


def _is_same_file(a: str, b: str) -> bool:
    with suppress(OSError):
        return os.path.samefile(a, b)
    return False


def _page(
    a: Recording, b: Recording, differences: Iterator[Difference], totals: Totals
) -> Iterator[Line]:
    width = columns()
    yield title(called(a.path), called(b.path), width)
    yield from lines(differences, totals, width)
