"""Makes the tapes of fixtures/tapes that the pages play: `python -m tests.dialect_fixtures.shown`.

`malformed.tape` beside them is by hand.
"""

import sys
from pathlib import Path

from tests.dialect_fixtures.recorded import FIXTURES, record
from tests.dialect_fixtures.xlings import IMPORTS, TARGETS, call

TAPES = FIXTURES.parent / "tapes"
PROGRAMS = Path(__file__).resolve().parents[1] / "programs"


def main() -> None:
    """Record both, in about a minute: that is how long it takes until nothing happens."""
    record(
        TAPES / "lingxi-late.tape",
        [*_python("lingxi_host.py"), "--calls", "echo", "--"],
        [*_python("lingxi_plugin.py"), "--late", "3.4", "--ignore-term"],
        ["demo"],
    )
    words = call("install_packages", targets=TARGETS, seconds=46)
    host = ["env", f"PYTHONPATH={IMPORTS}", "XLINGS_MUTE=6,12", *_python("xlings_client.py")]
    record(
        TAPES / "xlings-silent.tape",
        [*host, "--reply", "confirm-install", "yes", "--"],
        [*_python("xlings_interface.py"), "interface", *words],
        ["xlings", "interface", *words],
    )


def _python(program: str) -> list[str]:
    return [sys.executable, str(PROGRAMS / program)]


if __name__ == "__main__":
    main()
