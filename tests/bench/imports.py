"""Lists what `tap run` has imported when its child's first byte comes through."""

import subprocess
import sys
from pathlib import Path

from tests.bench.peers import through
from tests.bench.workbench import Failed, Workbench

TIMED = [sys.executable, "-X", "importtime"]

SPEAK_AND_WAIT = ["sh", "-c", "echo; cat"]
"""A child that says a line at once and then lives until its stdin ends."""


def before_first_byte(bench: Workbench) -> list[str]:
    """Return the modules in order, less those of an interpreter that does nothing."""
    own = subprocess.run([*TIMED, "-c", ""], capture_output=True, text=True, check=True).stderr
    with bench.folder() as folder:
        seen = at_first_byte(bench, folder)
    return [name for name in modules(seen) if name not in set(modules(own))]


def at_first_byte(bench: Workbench, folder: Path) -> str:
    """Run tap with timed imports; return what it has printed about them at the first byte.

    Python reports each import on stderr as it ends, so what is not yet there came later.
    """
    words = [word for word in through(bench, "tap", folder) if word != sys.executable]
    report = folder / "imports"
    with (
        report.open("w") as stderr,
        subprocess.Popen(
            [*TIMED, *words, *SPEAK_AND_WAIT],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=stderr,
            env=bench.env,
        ) as process,
    ):
        assert process.stdout
        byte = process.stdout.read(1)
        seen = report.read_text()
        process.communicate()
    if not byte:
        raise Failed(f"tap run ended without a byte: {seen[-2000:]}")
    return seen


def modules(report: str) -> list[str]:
    """Read the names out of lines like `import time:  120 |  340 |   encodings.aliases`."""
    lines = [line for line in report.splitlines() if line.startswith("import time:")]
    return [line.rsplit("|", 1)[1].strip() for line in lines[1:]]
