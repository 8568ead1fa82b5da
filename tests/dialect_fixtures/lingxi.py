"""Makes the tapes of fixtures/dialects/lingxi: `python -m tests.dialect_fixtures.lingxi`."""

import sys
from pathlib import Path
from typing import NamedTuple

from tests.dialect_fixtures.recorded import FIXTURES, record

PROGRAMS = Path(__file__).parents[1] / "programs"


class Session(NamedTuple):
    """The options of our host and our plugin in one session."""

    tape: str
    host: tuple[str, ...] = ()
    plugin: tuple[str, ...] = ()


SESSIONS = (
    Session("swift-v4"),
    Session("swift-v3", ("--generation", "3")),
    Session("swift-v1", ("--generation", "1"), ("--sdk", "1")),
    Session("doc-v4", ("--shape", "doc"), ("--shape", "doc")),
    Session("mismatch", (), ("--shape", "doc")),
    Session("late", ("--calls", "echo"), ("--late", "3.2", "--ignore-term")),
    Session("timeout", ("--calls", "echo"), ("--late", "5")),
)


def main() -> None:
    """Record them all; two take three seconds, for that is what they are about."""
    for session in SESSIONS:
        record(
            FIXTURES / "lingxi" / f"{session.tape}.tape",
            [sys.executable, str(PROGRAMS / "lingxi_host.py"), *session.host, "--"],
            [sys.executable, str(PROGRAMS / "lingxi_plugin.py"), *session.plugin],
            ["demo"],
        )


if __name__ == "__main__":
    main()
