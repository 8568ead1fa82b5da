"""Fixtures of the transparency suite: every child is started bare, and then through tap.

The bare half proves that the test is true of the system; the tapped half that tap is not there.
"""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.transparency.recorded import finish_recorded
from tests.transparency.ways import Starter, Way

if sys.platform == "win32":
    collect_ignore_glob = ["test_*.py"]


@pytest.fixture(params=["bare", "tapped"])
def way(request: pytest.FixtureRequest) -> Way:
    """Name the way in which the children are started."""
    chosen: Way = request.param
    return chosen


@pytest.fixture
def start(way: Way, tmp_path: Path) -> Iterator[Starter]:
    """Start children bare, then tapped; what was recorded must be what the host saw."""
    starter = Starter(way, tmp_path)
    yield starter
    starter.end()
    check_records(starter)


@pytest.fixture
def record(tmp_path: Path) -> Iterator[Starter]:
    """Start children through tap only: for what a bare child cannot show."""
    starter = Starter("tapped", tmp_path)
    yield starter
    starter.end()


def check_records(starter: Starter) -> None:
    """Compare each recording with the bytes that went over the host's ends."""
    for child in starter.children:
        if child.file is None:
            continue
        if not os.path.exists(child.file) and not os.path.exists(child.file + ".wire"):
            assert not any(child.received.values()), f"there is no recording {child.file}"
            continue
        recorded = finish_recorded(child.file)
        if "in" in child.watched:
            assert bytes(child.sent).startswith(recorded.stream("in"))
        for stream in ("out", "err"):
            received, known = bytes(child.received[stream]), recorded.stream(stream)
            assert known == received if stream in child.ended else known.startswith(received)
