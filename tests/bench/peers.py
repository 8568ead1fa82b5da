"""What stands between host and child: nothing, the C reference, or tap."""

from pathlib import Path

from tests.bench.workbench import Workbench

PEERS = ("bare", "reference", "tap")


def through(bench: Workbench, peer: str, folder: Path) -> list[str]:
    """Return the words to put before a child's command; what is recorded goes to `folder`."""
    if peer == "bare":
        return []
    if peer == "reference":
        return bench.program("reference", folder / "reference.wire")
    return [*bench.tap, "run", "-o", str(folder / "bench.tap"), "--"]
