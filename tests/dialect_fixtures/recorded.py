"""Records a session of real programs through tap, and keeps it as a tape without machine facts."""

import json
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from tests.real.sessions import tap, tap_run, wait_until_finished

FIXTURES = Path(__file__).parents[2] / "fixtures" / "dialects"

KEPT_FACTS = ("platform", "tap_version", "descriptors")
"""Of the facts, those that say nothing about the machine."""

SESSION_S = 60.0
"""A session takes a few seconds; far more means that something hangs."""


def record(tape: Path, client: list[str], server: list[str], argv: list[str]) -> None:
    """Run the client, which starts the server through tap; `argv` is what the tape calls it."""
    with tempfile.TemporaryDirectory() as folder:
        recording = Path(folder) / f"{tape.stem}.tap"
        command = [*client, *tap_run(recording, ()), *server]
        subprocess.run(command, cwd=folder, timeout=SESSION_S, check=True)
        wait_until_finished(recording)
        exported = [*tap("export"), str(recording), "--to", "tape"]
        text = subprocess.run(exported, capture_output=True, check=True).stdout.decode()
    header, rest = text.split("\n", 1)
    tape.parent.mkdir(parents=True, exist_ok=True)
    tape.write_text(_without_machine(json.loads(header), tape.stem, argv) + "\n" + rest)


def _without_machine(header: dict[str, Any], name: str, argv: list[str]) -> str:
    facts = {"argv": argv} | {key: header["facts"][key] for key in KEPT_FACTS}
    for descriptor in facts["descriptors"].values():
        descriptor.pop("path", None)
    return json.dumps(header | {"name": name, "facts": facts}, ensure_ascii=False)
