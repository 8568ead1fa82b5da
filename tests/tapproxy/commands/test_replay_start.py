"""How `tap replay` starts: a host may wait for its first answer no longer than three seconds."""

import json
import subprocess
import sys

import pytest

PLAYS = {"anyio", "asyncio", "tapproxy.replay.engine", "tapproxy.replay.playing"}
TELLS = {"rich.style", "tapproxy_viewers.timeline", "tapproxy_viewers.replay_report", "difflib"}
OTHERS = {"tapproxy.ingest.tapes", "tapproxy.redaction.rules", "tapproxy.replay.hand"}
RARE = {"importlib.metadata", "tapproxy.replay.forwarding_engine", "tapproxy.replay.real_plugin"}


def imported(modules: str) -> set[str]:
    """Return the names of all modules that are there once these are imported."""
    code = f"import json, sys, {modules}; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, timeout=60)
    return set(json.loads(done.stdout))


@pytest.mark.parametrize("unneeded", [PLAYS, TELLS, OTHERS, RARE])
def test_who_chooses_what_is_played_imports_nothing_that_plays_or_tells(unneeded: set[str]) -> None:
    there = imported("tapproxy.cli, tapproxy.commands.group, tapproxy.commands.replay")
    assert "tapproxy.replay.choosing" in there
    assert there & unneeded == set()


@pytest.mark.parametrize("unneeded", [TELLS - {"tapproxy_viewers.timeline"}, OTHERS, RARE])
def test_who_plays_imports_nothing_that_tells_or_asks(unneeded: set[str]) -> None:
    there = imported("tapproxy.cli, tapproxy.commands.replay, tapproxy.replay.playing")
    assert "tapproxy.replay.engine" in there
    assert there & unneeded == set()
