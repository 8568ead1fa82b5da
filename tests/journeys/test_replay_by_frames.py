"""`--chunks frames`: the other side reads one frame at a time, however they were written."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.journeys.test_replay import made
from tests.journeys.two_sides import AT_ONCE, chunks_of, tap
from tests.tapproxy.replay.rig import Happened, answer, ask, tell

QUESTIONS = ask(1, "a") + ask(2, "b")

SPOKEN: tuple[Happened, ...] = (
    (0, "in", QUESTIONS),
    (10, "out", tell("one") + answer("first", 1)[:9]),
    (20, "out", answer("first", 1)[9:] + tell("two")),
    (30, "err", b"a log: \n"),
    (40, "out", b"\r[1/2] \x1b[K" + tell("three") + b'{"jsonrpc":"2.0","id":2,"res'),
    (90, "exit", {"code": 3}),
)

AS_RECORDED = [data for _, stream, data in SPOKEN if stream == "out"]

ONE_BY_ONE = [
    tell("one"),
    answer("first", 1),
    tell("two"),
    b"\r[1/2] \x1b[K" + tell("three"),
    b'{"jsonrpc":"2.0","id":2,"res',
]


@pytest.mark.parametrize(("chunks", "reads"), [("frames", ONE_BY_ONE), ("recorded", AS_RECORDED)])
def test_a_host_reads_frames_or_what_was_read_then(
    tmp_path: Path, chunks: str, reads: list[bytes]
) -> None:
    options = ("--as", "plugin", *AT_ONCE, "--chunks", chunks, "--no-record")
    with subprocess.Popen(
        tap("replay", made(tmp_path, *SPOKEN), *options),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        bufsize=0,
    ) as plugin:
        assert plugin.stdin is not None
        assert plugin.stdout is not None
        plugin.stdin.write(QUESTIONS)
        read = []
        while data := os.read(plugin.stdout.fileno(), 65536):
            read.append(data)
    assert (read, plugin.returncode) == (reads, 3)


def test_a_plugin_reads_frames_too(tmp_path: Path) -> None:
    """The replay as host is recorded, and shows what the plugin was given."""
    replay = tmp_path / "replay.tap"
    recording = made(
        tmp_path,
        (0, "in", QUESTIONS + ask(3, "c")[:20]),
        (5, "in", ask(3, "c")[20:]),
        (10, "eof", {"stream": "in", "by": "host"}),
        (20, "exit", {"code": 0}),
    )
    options = ("--as", "host", *AT_ONCE, "--chunks", "frames", "-o", replay)
    command = tap("replay", recording, *options, "--", "sh", "-c", "cat > /dev/null")
    done = subprocess.run(command, capture_output=True, timeout=30, check=False)
    assert (done.returncode, done.stderr.splitlines()[0]) == (0, b"same: 1 of 1")
    assert chunks_of(replay)["in"] == [ask(1, "a"), ask(2, "b"), ask(3, "c")]
