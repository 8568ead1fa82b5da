"""Plays both sides of a recording against each other, as two processes, and keeps what crossed."""

import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from tapproxy.errors import USAGE
from tapproxy.opening import opened
from tapproxy.replay.script import Role
from tapproxy_store.records import STREAMS, Chunk, Stream
from tests.real.sessions import wait_until_finished

TAP = [sys.executable, "-m", "tapproxy"]

ROLES: tuple[Role, ...] = ("plugin", "host")

AT_ONCE = ("--pace", "0")
WITHIN_S = 60


class TwoSides(NamedTuple):
    """What came of it."""

    code: int  # of the host's replay
    said: list[str]  # all that came on stderr, the report of the host at its end
    recording: Path  # as the side that was asked to keep it recorded it

    @property
    def verdict(self) -> str:
        """The first line of the host's report; nothing where it has made none."""
        return next((it for it in self.said if it.startswith(("same: ", "differs: "))), "")


def tap(*arguments: str | Path) -> list[str]:
    """Return the command line of a `tap` command."""
    return [*TAP, *map(str, arguments)]


def play_both(recording: Path, keeping: Role | None, folder: Path) -> TwoSides:
    """Have the host of a recording start the plugin of the same one; neither waits for the clock.

    One of them keeps what crosses: where both do, two more processes pass bytes on, and may join
    what was written apart.
    """
    kept = folder / f"{keeping}.tap"
    keep = {it: ["-o", kept] if it == keeping else ["--no-record"] for it in ROLES}
    plugin = tap("replay", recording, "--as", "plugin", *AT_ONCE, *keep["plugin"])
    host = tap("replay", recording, "--as", "host", *AT_ONCE, *keep["host"], "--", *plugin)
    done = subprocess.run(
        host, capture_output=True, text=True, errors="replace", timeout=WITHIN_S, check=False
    )
    if keeping is not None and done.returncode < USAGE:
        wait_until_finished(kept)
    return TwoSides(done.returncode, done.stderr.splitlines(), kept)


def chunks_of(recording: Path) -> dict[Stream, list[bytes]]:
    """Return the bytes of each read, by stream."""
    with opened(str(recording)) as it:
        crossed = [record for record in it.records(it.session().id) if isinstance(record, Chunk)]
    return {name: [it.data for it in crossed if it.stream == name] for name in STREAMS}


def difference(one: Path, other: Path) -> str:
    """Return what `tap diff` prints; nothing where they are the same."""
    command = tap("diff", one, other)
    done = subprocess.run(command, capture_output=True, text=True, timeout=WITHIN_S, check=False)
    return done.stdout + done.stderr if done.returncode else ""
