"""`tap export`: a recording in another form, to stdout or a file."""

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

import click

from tapproxy.commands.asking import asked
from tapproxy.commands.output import write_bytes
from tapproxy.commands.portions import Portion, portion_options
from tapproxy.commands.redacting import redacted, rules_of, summary
from tapproxy.commands.showing import choice
from tapproxy.errors import USAGE, TapError
from tapproxy.opening import opened
from tapproxy_store.reading import Recording
from tapproxy_viewers.formats import FORMATS, get_format
from tapproxy_viewers.visible import safe_json

EXAMPLES = """\b
Examples:
  tap export last -o tests/fixtures/late-answer.tape
  tap export last --to mermaid 'not kind:heartbeat' > story.mmd
  tap export my-plugin --to perfetto -o trace.json
  tap export FILE --to csv 'latency:>100ms' -o slow.csv
  tap export last --share -o report.tape
"""

FORMAT_HELP = "; ".join(f"{entry.name}: {entry.purpose}" for entry in FORMATS)


@click.command("export", epilog=EXAMPLES)
@click.argument("what", metavar="[RECORDING] [FILTER...]", nargs=-1)
@click.option(
    "--to",
    "form",
    default=FORMATS[0].name,
    show_default=True,
    type=click.Choice([entry.name for entry in FORMATS]),
    help=f"The form. {FORMAT_HELP}.",
)
@portion_options
@click.option("-o", "--output", metavar="FILE", help="Write to FILE instead of stdout.")
@click.option("--force", is_flag=True, help="Overwrite FILE if it exists.")
@click.option(
    "--share",
    is_flag=True,
    help="Replace secrets, as `tap redact` does, by all presets; say on stderr what was replaced.",
)
@click.option(
    "--redact",
    "rules",
    metavar="RULE",
    multiple=True,
    help="With --share: by this rule instead; repeatable.",
)
@click.option("--no-redact", is_flag=True, help="With --share: replace nothing.")
def command(
    what: tuple[str, ...],
    form: str,
    portion: Portion,
    output: str | None,
    rules: tuple[str, ...],
    *,
    force: bool,
    share: bool,
    no_redact: bool,
) -> None:
    """Write RECORDING (default: last), or what a FILTER chooses of it, in another form.

    RECORDING is a path (of a recording or a tape), a name or its beginning, last or last~N. FILTER
    is as for `tap show`; a tape is always whole. FILE is readable by you alone, as recordings are:
    it holds whatever went over the wire.
    """
    wanted = asked(what)
    chosen_form = get_format(form)
    if (rules or no_redact) and not share:
        raise click.UsageError("--redact and --no-redact say what --share replaces: add --share.")
    if rules and no_redact:
        raise click.UsageError("--redact and --no-redact exclude each other: choose one.")
    with _opened(wanted.recording, rules, share=share, replaces=not no_redact) as (it, original):
        entries = choice(it, wanted, portion)
        if entries is not None and not chosen_form.takes_choice:
            raise TapError(f"a {form} is always of a whole recording: leave the filter out", USAGE)
        pieces = chosen_form.pieces(it, entries)
        if output is None or output == "-":
            write_bytes(_for_terminal(pieces) if sys.stdout.isatty() else pieces)
            return
        _refuse_unsafe(original, output, force=force)
        try:
            _write_file(pieces, output)
        except OSError as error:
            raise TapError(f"cannot write {output}: {error.strerror}; choose another -o") from error


@contextmanager
def _opened(
    name: str, rules: tuple[str, ...], *, share: bool, replaces: bool
) -> Iterator[tuple[Recording, str]]:
    """Open the recording, or a copy without secrets where it is to be shared; and give its path."""
    if share and replaces:
        chosen = rules_of(rules)
        with opened(name) as it, redacted(it, chosen) as (copy, replaced):
            for line in summary(os.path.basename(it.path), chosen, replaced):
                click.echo(line, err=True)
            yield copy, it.path
        return
    if share:
        click.echo("nothing is redacted: look before you share it", err=True)
    with opened(name) as it:
        yield it, it.path


def _for_terminal(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the same JSON, less what the terminal might obey."""
    for piece in pieces:
        yield safe_json(piece.decode("utf-8", "surrogateescape")).encode()


def _refuse_unsafe(original: str, output: str, *, force: bool) -> None:
    if not os.path.lexists(output):
        return
    if not force:
        raise TapError(f"{output} exists already; choose another -o, or add --force", USAGE)
    if os.path.exists(output) and os.path.samefile(output, original):
        raise TapError(f"{output} is the recording itself; choose another -o", USAGE)


def _write_file(pieces: Iterator[bytes], output: str) -> None:
    """Write beside the file and then take its name, so that it is never half there.

    A link is followed; a pipe or a device is written to.
    """
    output = os.path.realpath(output)
    if os.path.exists(output) and not os.path.isfile(output):
        with open(output, "wb") as special:
            special.writelines(pieces)
        return
    folder, name = os.path.split(output)
    descriptor, unfinished = tempfile.mkstemp(prefix=f".{name}.", dir=folder)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.writelines(pieces)
        os.chmod(unfinished, 0o600)  # whatever the umask
        os.replace(unfinished, output)
    except BaseException:
        os.unlink(unfinished)
        raise
