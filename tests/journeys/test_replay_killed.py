"""A replay of a tape that is killed leaves nothing behind for longer than to the next start."""

import os
import signal
import subprocess
from pathlib import Path

import pytest

from tests.dialect_fixtures.recorded import FIXTURES
from tests.journeys.two_sides import WITHIN_S, tap

TAPE = FIXTURES / "mcp/everything.tape"

DEADLY = "kill -KILL $PPID; cat > /dev/null"
"""A plugin that kills who has started it."""


def test_what_a_killed_replay_left_is_gone_with_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tmp").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    command = tap("replay", TAPE, "--as", "host", "--no-record", "--", "sh", "-c", DEADLY)
    with subprocess.Popen(
        command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as replay:
        assert replay.wait(WITHIN_S) == -signal.SIGKILL
    (left,) = os.listdir(tmp_path / "tmp")
    assert left.startswith("tap-")
    subprocess.run(tap("show", TAPE), stdout=subprocess.DEVNULL, timeout=WITHIN_S, check=True)
    assert os.listdir(tmp_path / "tmp") == []
