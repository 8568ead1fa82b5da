"""Real hosts and plugins of other people, each before a recording of the other from another run."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tapproxy.replay.engine import Options
from tests.journeys.two_sides import ROLES, chunks_of, difference, play_both
from tests.real.peers import PEERS, Peer, missing, why_not
from tests.real.sessions import tap, tap_run, wait_until_finished
from tests.tapproxy.replay.simulated import play, recorded, taken, without_times

pytestmark = pytest.mark.real

WITHIN_S = 60


def available(peer: Peer) -> Peer:
    """Return a peer that can be run here; skip the test where it cannot be wanted."""
    if reason := why_not(peer):
        pytest.skip(reason)
    if reason := missing(peer):
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(reason)
    return peer


@pytest.fixture(scope="module", params=PEERS, ids=lambda peer: peer.name)
def peer(request: pytest.FixtureRequest) -> Peer:
    return available(request.param)


@pytest.fixture(scope="module")
def recording(peer: Peer, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Have a session of the two, and record it by `tap run`."""
    folder = tmp_path_factory.mktemp(peer.name)
    made = folder / "recorded.tap"
    summary(peer, [*tap_run(made, peer.options), *peer.server], folder)
    wait_until_finished(made)
    return made


def summary(peer: Peer, plugin: list[str], folder: Path, *, is_reversed: bool = False) -> Any:
    """Return what the client says of its session."""
    done = subprocess.run(
        [*peer.client, *plugin],
        cwd=folder,
        env=os.environ | {"REVERSED": str(int(is_reversed))},
        capture_output=True,
        timeout=WITHIN_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode(errors="replace")
    return json.loads(done.stdout)


def is_understood(peer: Peer) -> bool:
    """Tell whether its sessions are of a protocol in which another run can be known again."""
    return peer.framing != "raw"


def test_both_sides_of_its_session_played_against_each_other_are_the_session(
    peer: Peer, recording: Path, tmp_path: Path
) -> None:
    if not is_understood(peer):  # its frames are reads, which a recorder in between may join
        assert play_both(recording, None, tmp_path).verdict[:4] == "same"
        return
    for side in ROLES:
        played = play_both(recording, side, tmp_path)
        assert (played.code, played.verdict[:4]) == (0, "same"), played.said
        assert chunks_of(played.recording) == chunks_of(recording)
        assert difference(recording, played.recording) == ""


def test_on_a_clock_of_our_own_they_are_so_at_every_instant(recording: Path) -> None:
    with taken(recording) as it:
        played = play(it, it, Options())
        expected = recorded(it)
    assert played.ended_well
    assert sorted(played.crossed) == sorted(expected)
    for stream in ("in", "out", "err"):
        assert without_times(played.crossed, stream) == without_times(expected, stream)


@pytest.mark.parametrize("is_reversed", [False, True], ids=["in order", "in another order"])
def test_a_real_host_takes_the_recording_for_its_plugin(
    peer: Peer, recording: Path, tmp_path: Path, *, is_reversed: bool
) -> None:
    if not is_understood(peer) or (is_reversed and not peer.is_reversible):
        pytest.skip("another run of it is not comparable")
    report = tmp_path / "report.xml"
    command = tap("replay", str(recording), "--as", "plugin", "--junit", str(report))
    folder = recording.parent  # as when it was recorded: what is asked may name it
    bare = summary(peer, peer.server, folder)
    assert summary(peer, command, folder, is_reversed=is_reversed) == bare
    assert 'failures="0"' in report.read_text()


def test_a_real_plugin_takes_the_recording_for_its_host(peer: Peer, recording: Path) -> None:
    if not is_understood(peer):
        pytest.skip("another run of it is not comparable")
    command = tap("replay", str(recording), "--as", "host", "--", *peer.server)
    folder = recording.parent
    done = subprocess.run(command, cwd=folder, capture_output=True, timeout=WITHIN_S, check=False)
    assert done.returncode == 0, done.stderr.decode(errors="replace")
