"""Real hosts and plugins of other people, each before a recording of the other from another run."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.real.peers import PEERS, Peer, missing, why_not
from tests.real.sessions import tap, tap_run

pytestmark = pytest.mark.real

WITHIN_S = 60

REPLAYED = [it for it in PEERS if it.framing != "raw"]


@pytest.fixture(params=REPLAYED, ids=lambda peer: peer.name)
def peer(request: pytest.FixtureRequest) -> Peer:
    found: Peer = request.param
    if reason := why_not(found):
        pytest.skip(reason)
    if reason := missing(found):
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(reason)
    return found


@pytest.fixture
def recording(peer: Peer, tmp_path: Path) -> Path:
    made = tmp_path / "recorded.tap"
    summary(peer, [*tap_run(made, peer.options), *peer.server], tmp_path)
    return made


def summary(peer: Peer, plugin: list[str], folder: Path) -> Any:
    """Return what the client says of its session."""
    argv = [*peer.client, *plugin]
    done = subprocess.run(argv, cwd=folder, capture_output=True, timeout=WITHIN_S, check=False)
    assert done.returncode == 0, done.stderr.decode(errors="replace")
    return json.loads(done.stdout)


def test_a_real_host_takes_the_recording_for_its_plugin(
    peer: Peer, recording: Path, tmp_path: Path
) -> None:
    report = tmp_path / "report.xml"
    options = ("--as", "plugin", "--junit", str(report))
    summary(peer, tap("replay", str(recording), *options), tmp_path)
    assert 'failures="0"' in report.read_text()


def test_a_real_plugin_takes_the_recording_for_its_host(
    peer: Peer, recording: Path, tmp_path: Path
) -> None:
    command = tap("replay", str(recording), "--as", "host", "--", *peer.server)
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=WITHIN_S, check=False)
    assert done.returncode == 0, done.stderr.decode(errors="replace")
