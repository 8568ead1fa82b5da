"""What tap draws of each tape in fixtures/dialects, kept beside it as text.

`python -m tests.dialect_fixtures.golden` (with PYTHONPATH=.:store:viewers) draws all of it anew.
"""

import sys
from collections.abc import Iterable
from datetime import UTC
from pathlib import Path

from tapproxy.commands.portions import Portion
from tapproxy.commands.showing import exchange_lines, timeline_lines
from tapproxy.filters import parse
from tapproxy.opening import opened
from tapproxy_viewers.lines import Line, plain
from tapproxy_viewers.screen import View
from tests.dialect_fixtures.recorded import FIXTURES

WIDTH = 100
"""Columns."""


def tapes() -> list[Path]:
    """Return the tapes of all dialects in a fixed order."""
    return sorted(FIXTURES.glob("*/*.tape"))


def golden_of(tape: Path) -> Path:
    """Return the file that holds what is drawn of a tape."""
    return tape.with_suffix(".txt")


def drawn(tape: Path) -> str:
    """Return what `tap show -v` and `tap show --exchanges` draw of a tape, one after the other."""
    view = View(WIDTH, now_ns=0, zone=UTC, verbose=True)
    everything = parse("")
    with opened(str(tape)) as recording:
        timeline = _text(timeline_lines(recording, everything, Portion(), view))
        exchanges = _text(exchange_lines(recording, everything, Portion(), view))
    name = tape.relative_to(FIXTURES)
    return f"$ tap show -v {name}\n{timeline}\n$ tap show -v {name} --exchanges\n{exchanges}"


def _text(lines: Iterable[Line]) -> str:
    return "".join(f"{plain(line)}".rstrip() + "\n" for line in lines)


def main() -> None:
    """Draw all of it anew."""
    for tape in tapes():
        golden_of(tape).write_text(drawn(tape))
        sys.stdout.write(f"{golden_of(tape)}\n")


if __name__ == "__main__":
    main()
