"""`tap doctor`: looks whether everything is in order, and says what to do where it is not."""

import sys
from collections.abc import Iterator
from itertools import chain
from typing import Any

import click

from tapproxy.commands.output import Look, look_options, write_lines
from tapproxy.commands.wrapping import acting
from tapproxy.wrap import doctoring
from tapproxy.wrap.errors import WrapError
from tapproxy.wrap.findings import Finding
from tapproxy.wrap.registry import Entry, Registry
from tapproxy_viewers.cells import visible
from tapproxy_viewers.lines import Line

AMISS = 1
"""Exit code: something is not in order."""

EXAMPLES = """\b
Examples:
  tap doctor
  tap doctor --fix       complete or undo what a crash has left half done
"""


@click.command("doctor", epilog=EXAMPLES)
@click.option("--fix", is_flag=True, help="Complete or undo what is half done.")
@click.option(
    "--global-root", metavar="FOLDER", help="The LingXi host's global root, if it has one."
)
@look_options
def command(look: Look, **options: Any) -> None:
    """Look whether tap and all that is wrapped are in order; exit 1 if something is not.

    It tells what is wrapped, in which mode, and whether it would start; where recordings go, and
    how much they hold; what a host finds in its folders of plugins; and it makes a test recording.
    No program is started but tap's own.
    """
    if options["fix"]:
        with acting(dry=False):  # which sees to it first
            pass
    findings = list(_findings(options["global_root"]))
    write_lines(chain.from_iterable(map(_lines, findings)), look)
    if not all(it.ok for it in findings):
        sys.exit(AMISS)


def _findings(global_root: str | None) -> Iterator[Finding]:
    registry = Registry()
    yield from doctoring.about_this_tap()
    yield doctoring.self_test()
    entries: list[Entry] = []
    try:
        entries = registry.entries()
        yield from (Finding(ok=False, what=str(it)) for it in registry.unreadable())
        yield from doctoring.about_wrapped(registry)
    except WrapError as error:
        yield Finding(ok=False, what=str(error))
    folders = doctoring.folders_of_plugins(global_root)
    yield from doctoring.about_plugins(folders, entries)
    yield from doctoring.about_recordings(doctoring.folders_of_recordings(entries))


def _lines(finding: Finding) -> Iterator[Line]:
    sign = ("good", "ok ") if finding.ok else ("bad", "✗  ")
    yield visible([sign, ("text", finding.what)])
    if finding.advice:
        yield visible([("text", "   "), ("quiet", finding.advice)])
