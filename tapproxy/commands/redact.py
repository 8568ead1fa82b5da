"""`tap redact`: a copy of a recording without its secrets."""

import errno
import os
from collections.abc import Sequence
from contextlib import suppress
from tempfile import TemporaryDirectory

import click

from tapproxy.commands.redacting import RULES_HELP, refuse_live, rules_of, summary
from tapproxy.errors import COULD_NOT_RUN, USAGE, TapError
from tapproxy.opening import opened
from tapproxy.redaction.rules import Rule
from tapproxy.redaction.secrets import Replaced
from tapproxy_store.private import create_file, make_folder
from tapproxy_store.reading import Recording, open_recording
from tapproxy_store.tape import tape_lines

TAPE = ".tape"

EXAMPLES = """\b
Examples:
  tap redact last -o for-the-report.tap
  tap redact bug.tap tokens headers key:sessionId -o bug.tape
  tap redact bug.tap all params.account.* 're:CUST-[0-9]+' -o shared.tap
"""

HELP = f"""Write a copy of RECORDING in which secrets are replaced; the original stays as it is.

A RULE is one of

\b
  PATH       values in messages, as in params.token or params.*.id
  key:NAME   values of members of that name, anywhere: key:session*
  re:REGEX   what it finds; its first group, if it has one
{RULES_HELP}
  all        all of these presets; the default

What a rule has found is replaced wherever else it stands in the session: in other messages, within
base64 and JSON in strings, on stderr, in the command line. A placeholder has as many bytes as the
secret, and the same secret has the same one, so that the copy can be replayed. What was replaced is
told by rule, never by value.

COPY is a tape if its name ends in .tape. RECORDING is a path (of a recording or a tape), a name or
its beginning, last or last~N.
"""


@click.command("redact", help=HELP, epilog=EXAMPLES)
@click.argument("recording", metavar="RECORDING")
@click.argument("rules", metavar="[RULE...]", nargs=-1)
@click.option("-o", "--output", metavar="COPY", required=True, help="Where the copy is written.")
def command(recording: str, rules: tuple[str, ...], output: str) -> None:
    """Make the copy, and say what was replaced."""
    chosen = rules_of(rules)
    if output in ("", "-"):
        raise click.BadParameter("a copy is a file; name one", param_hint="-o")
    if os.path.lexists(output):
        raise TapError(f"{output} exists already; choose another -o", USAGE)
    with opened(recording) as it:
        refuse_live(it)
        try:
            replaced = _write(it, chosen, os.path.abspath(output))
        except OSError as error:
            said = f"cannot write {output}: {error.strerror}; choose another -o"
            raise TapError(said, COULD_NOT_RUN) from error
    for line in summary(output, chosen, replaced):
        click.echo(line)


def _write(recording: Recording, rules: Sequence[Rule], output: str) -> dict[str, Replaced]:
    """Write beside the copy's place, and then there, so that it is never half there."""
    from tapproxy.ingest.redacting import make_redacted

    folder, name = os.path.split(output)
    if os.path.lexists(folder) and not os.path.isdir(folder):
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
    make_folder(folder)
    with TemporaryDirectory(prefix=f".{name[:40]}.", dir=folder) as beside:
        path = os.path.join(beside, "copy.tap")
        replaced = make_redacted(recording, path, rules)
        if name.endswith(TAPE):
            path = _as_tape(path, os.path.join(beside, "copy.tape"))
        _move(path, output)
    return replaced


def _as_tape(recording: str, tape: str) -> str:
    with open_recording(recording) as it, open(create_file(tape), "wb") as file:
        file.writelines(tape_lines(it))
    return tape


def _move(path: str, output: str) -> None:
    """Give the file its name, unless somebody has taken that meanwhile."""
    try:
        os.link(path, output)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        os.rename(path, output)
        return
    with suppress(OSError):
        os.unlink(path)
