"""A server of a client's configuration is put behind tap: the client notices nothing."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.real.peers import PEERS, missing, why_not
from tests.tapproxy.calls import Said, said, tap
from tests.transparency.waiting import until

PROGRAMS = ROOT / "tests/programs"
WITHIN_S = 60


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the `.mcp.json` of a project, in whose folder we are."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    path = tmp_path / ".mcp.json"
    servers = {
        "clock": {
            "type": "stdio",
            "command": sys.executable,
            "args": [str(PROGRAMS / "clock_server.py"), "--zone", "UTC"],
            "env": {"CLOCK": "12:00", "STARTS": str(tmp_path / "starts")},
        }
    }
    path.write_text(json.dumps({"mcpServers": servers}, indent=2))
    return path


def client(config: Path) -> Said:
    """Have a client use the server once."""
    return said([sys.executable, str(PROGRAMS / "mcp_config_client.py"), str(config), "clock"])


def starts(config: Path) -> int:
    """Count how often the server itself was started."""
    return len(config.with_name("starts").read_text().splitlines())


def wrap(config: Path, *options: str) -> str:
    """Wrap the server; return what was said."""
    done = tap("wrap", "--config", str(config), "--server", "clock", *options)
    assert (done.code, done.err) == (0, "")
    return done.out


def recorded() -> list[str]:
    """Return the names of the sessions on record, once all are completed."""

    def finished() -> list[str] | None:
        rows = [json.loads(line) for line in tap("ls", "--json").out.splitlines()]
        names = [it["name"] for it in rows if it["status"] == "finished"]
        return names if len(names) == len(rows) else None

    return until(finished, "all recordings are completed") or []


def test_a_client_works_as_before_through_tap_from_a_recording_and_without_it(
    config: Path,
) -> None:
    before, bare = config.read_bytes(), client(config)
    assert bare.out.splitlines()[-1] == "exit 0"

    wrap(config)
    assert client(config) == bare
    assert recorded() == ["clock"]
    shown = tap("show", "clock").out
    assert all(it in shown for it in ("initialize", "tools/list", "tools/call", "now"))
    assert starts(config) == 2

    wrap(config, "--replay", "clock")
    assert client(config) == bare
    assert starts(config) == 2

    wrap(config, "--off")
    assert config.read_bytes() == before
    assert client(config) == bare
    assert starts(config) == 3

    wrap(config, "--record")
    assert client(config) == bare
    assert tap("unwrap", "--config", str(config), "--server", "clock").code == 0
    assert config.read_bytes() == before
    assert not [it for it in os.listdir(config.parent) if "before-tap" in it]


def test_a_client_that_swallows_the_two_dashes_works_as_well(config: Path) -> None:
    bare = client(config)
    wrap(config)
    value = json.loads(config.read_bytes())
    value["mcpServers"]["clock"]["args"].remove("--")
    config.write_text(json.dumps(value))
    assert client(config) == bare
    assert recorded() == ["clock"]


@pytest.mark.real
@pytest.mark.parametrize("name", ["mcp-python", "mcp-typescript"])
def test_a_real_client_works_as_before(name: str, config: Path) -> None:
    peer = next(it for it in PEERS if it.name == name)
    if reason := why_not(peer):
        pytest.skip(reason)
    if reason := missing(peer):
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(reason)
    command, *arguments = peer.server
    servers = {"clock": {"command": command, "args": arguments}}
    config.write_text(json.dumps({"mcpServers": servers}))
    bare = session(peer.client, config)
    wrap(config)
    assert session(peer.client, config) == bare
    assert recorded() == ["clock"]


def session(real: list[str], config: Path) -> Any:
    """Return what a real client says of its session with the server that is configured."""
    entry = json.loads(config.read_bytes())["mcpServers"]["clock"]
    argv = [*real, entry["command"], *entry["args"]]
    done = subprocess.run(argv, capture_output=True, timeout=WITHIN_S, check=False)
    assert done.returncode == 0, done.stderr.decode(errors="replace")
    return json.loads(done.stdout)
