"""Tapes of calls, as a user may have them in a folder."""

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tapproxy.ingest.tapes import import_tape
from tapproxy.replay.candidates import Candidate

HELLO = '[0.001,"out","hello\\n"]'
EXIT = '[0.002,"event","exit",{"code":1}]'


def header(*argv: Any, second: int = 0, **facts: Any) -> str:
    started = f"2026-12-01T00:00:{second:02}Z"
    return json.dumps({"tape": 1, "started": started, "facts": {"argv": argv, **facts}})


def tape(path: Path, *lines: str) -> str:
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


def told(found: Sequence[Candidate]) -> list[tuple[str, int]]:
    return [(os.path.basename(it.name), it.session.id) for it in found]


def folder_of_calls(place: Path) -> str:
    """Make a folder of calls, whose names are not in the order of their ages."""
    folder = place / "calls"
    tape(folder / "a.tape", header("xlings", "env", second=3), HELLO)
    tape(
        folder / "b.tape",
        header("xlings", "env", second=1),
        HELLO,
        header("xlings", "list", "--args", '{"all":true}', second=2),
        HELLO,
    )
    import_tape(tape(place / "c", header("xlings", "env", second=4), HELLO), f"{folder}/c.tap")
    return str(folder)
