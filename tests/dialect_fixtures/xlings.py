"""Makes the tapes in fixtures/dialects/xlings: our host and our stand-in for xlings, through tap.

All of them, in about a minute and a half, or those named: python -m tests.dialect_fixtures.xlings
"""

import json
import os
import sys
from pathlib import Path
from typing import Any, NamedTuple

from tests.dialect_fixtures.recorded import FIXTURES, record

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = ROOT / "tests" / "programs"
IMPORTS = os.pathsep.join(str(ROOT / it) for it in (".", "store", "viewers"))


class Made(NamedTuple):
    """How one tape is made."""

    words: tuple[str, ...]  # after `xlings interface`
    client: tuple[str, ...] = ()
    environment: tuple[str, ...] = ()


def call(capability: str, **arguments: Any) -> tuple[str, ...]:
    """Return the words that call a capability."""
    return capability, "--args", json.dumps(arguments, ensure_ascii=False, separators=(",", ":"))


TARGETS = ["node@22.4.0", "gcc@14.2.0"]

TAPES = {
    "version": Made(("--version",)),
    "list": Made(("--list",)),
    "install": Made(
        call("install_packages", targets=TARGETS, seconds=16, hook=True),
        client=("--reply", "confirm-install", "yes"),
    ),
    "cancel": Made(
        call("install_packages", targets=TARGETS, yes=True, seconds=5),
        client=("--after", "7", '{"action":"cancel"}'),
    ),
    "exec": Made(call("subos_exec", command=["echo", "café ☕", "你好"])),
    "heartbeat-gap": Made(call("update_packages", seconds=46), environment=("XLINGS_MUTE=6,12",)),
    "old-1.0": Made(
        call("install_packages", targets=TARGETS, yes=True), environment=("XLINGS_PROTOCOL=1.0",)
    ),
}


def main() -> None:
    """Make the tapes that are named, or all."""
    for name in sys.argv[1:] or TAPES:
        words, client, environment = TAPES[name]
        host = ["env", f"PYTHONPATH={IMPORTS}", *environment, *_python("xlings_client.py")]
        plugin = [*_python("xlings_interface.py"), "interface", *words]
        tape = FIXTURES / "xlings" / f"{name}.tape"
        record(tape, [*host, *client, "--"], plugin, ["xlings", "interface", *words])


def _python(program: str) -> list[str]:
    return [sys.executable, str(PROGRAMS / program)]


if __name__ == "__main__":
    main()
