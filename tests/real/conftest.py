"""Has each peer's sessions once, for all the tests that look at them."""

import os

import pytest

from tests.real.peers import PEERS, missing, why_not
from tests.real.sessions import Sessions, run_sessions


@pytest.fixture(scope="session", params=PEERS, ids=lambda peer: peer.name)
def sessions(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Sessions:
    """Have the peer's session bare, through tap, and through tap between two tees."""
    peer = request.param
    if reason := why_not(peer):
        pytest.skip(reason)
    if reason := missing(peer):
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(reason)
    return run_sessions(peer, tmp_path_factory.mktemp(peer.name))
