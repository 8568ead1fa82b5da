"""Runs a peer's session, bare or through tap, and reads what was recorded of it."""

import json
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from tests.real.peers import Peer

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
STREAMS = ("in", "out", "err")
SESSION_S = 60.0
"""A session takes about two seconds; far more means that something hangs."""
FINISHED_S = 20.0
"""The recording is finished a moment after the session; far more means that it never is."""


class FrameRow(NamedTuple):
    """One row of `frames`."""

    stream: str
    start: int
    end: int
    header_size: int
    terminator: str
    flaw: str | None


@dataclass(frozen=True, slots=True)
class Recorded:
    """What a recording has of its session."""

    streams: dict[str, bytes]
    frames: list[FrameRow]
    outcome: str


@dataclass(frozen=True, slots=True)
class Teed:
    """What a tee saw."""

    streams: dict[str, bytes]
    kinds: dict[str, str]


@dataclass(frozen=True, slots=True)
class Sessions:
    """The same session three times: bare, through tap, and through tap with a tee on both sides."""

    peer: Peer
    bare: Any
    wrapped: Any
    wrapped_recording: Recorded
    teed: Any
    teed_recording: Recorded
    path: Path  # of the recording between the tees
    host_side: Teed
    plugin_side: Teed


def run_sessions(peer: Peer, folder: Path) -> Sessions:
    """Have all three sessions, one after another."""
    recordings = [folder / "wrapped.tap", folder / "teed.tap"]
    through_tap, between_tees = (tap_run(recording, peer.options) for recording in recordings)
    tees = [tee(folder / "host"), tee(folder / "plugin")]
    return Sessions(
        peer=peer,
        bare=run_client(peer, [], folder / "bare"),
        wrapped=run_client(peer, through_tap, folder / "wrapped"),
        wrapped_recording=read_recording(recordings[0]),
        teed=run_client(peer, [*tees[0], *between_tees, *tees[1]], folder / "teed"),
        teed_recording=read_recording(recordings[1]),
        path=recordings[1],
        host_side=read_tee(folder / "host"),
        plugin_side=read_tee(folder / "plugin"),
    )


def tap(*arguments: str) -> list[str]:
    """Return the command line of a `tap` command, for however bare an environment."""
    roots = ":".join(str(ROOT / root) for root in (".", "store", "viewers"))
    return ["env", f"PYTHONPATH={roots}", sys.executable, "-m", "tapproxy", *arguments]


def tap_run(recording: Path, options: tuple[str, ...]) -> list[str]:
    """Return what stands before a command to record it."""
    return tap("run", "-o", str(recording), *options, "--")


def tee(folder: Path) -> list[str]:
    """Return what stands before a command to keep what goes in and out of it."""
    return [sys.executable, str(HERE / "tee.py"), str(folder)]


def run_client(peer: Peer, before_server: list[str], folder: Path) -> Any:
    """Run the client in a folder of its own; return its summary."""
    folder.mkdir()
    argv = [*peer.client, *before_server, *peer.server]
    done = subprocess.run(argv, cwd=folder, capture_output=True, timeout=SESSION_S, check=False)
    assert done.returncode == 0, done.stderr.decode(errors="replace")
    return json.loads(done.stdout)


def read_tee(folder: Path) -> Teed:
    """Read what a tee kept."""
    streams = {stream: (folder / stream).read_bytes() for stream in STREAMS}
    return Teed(streams, json.loads((folder / "kinds").read_text()))


def read_recording(path: Path) -> Recorded:
    """Wait until a recording is finished, and read it."""
    wait_until_finished(path)
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
        chunks = "select bytes from chunks where stream = ? order by seq"
        streams = {
            stream: b"".join(row[0] for row in database.execute(chunks, [stream]))
            for stream in STREAMS
        }
        columns = "stream, start_offset, end_offset, header_size, terminator, flaw"
        rows = database.execute(f"select {columns} from frames order by number")
        frames = [FrameRow(*row) for row in rows]
        ((outcome,),) = database.execute("select outcome from sessions")
    return Recorded(streams, frames, outcome)


def wait_until_finished(path: Path) -> None:
    """Wait until the journal is gone, which is when the recording is whole."""
    journal = path.with_name(path.name + ".wire")
    deadline = time.monotonic() + FINISHED_S
    while journal.exists() or not path.exists():
        assert time.monotonic() < deadline, f"{journal} is still there, or {path} is not"
        time.sleep(0.02)
