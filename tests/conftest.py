"""What all tests share: children of the tests find the packages, and recordings go nowhere real."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.real.install import peers_folder

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(autouse=True, scope="session")
def _sources_for_children() -> Iterator[None]:
    """Let child processes import the packages from where the tests import them."""
    roots = [str(ROOT), str(ROOT / "store"), str(ROOT / "viewers")]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join(roots))
        yield


@pytest.fixture(autouse=True, scope="session")
def _a_home_of_their_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Give all tests a home that is nobody's.

    Of our environment real clients hand on to what they start little more than HOME, and fixtures
    of a whole module come before any environment of one test.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TAP_PEERS", str(peers_folder()))  # they are in the real one
        patch.setenv("HOME", str(tmp_path_factory.mktemp("home")))
        for name in ("TAP_DIR", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
            patch.delenv(name, raising=False)
        yield


@pytest.fixture(autouse=True)
def _recordings_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the recordings of a test in the test's folder."""
    monkeypatch.setenv("TAP_DIR", str(tmp_path / "recordings"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
