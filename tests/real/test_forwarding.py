"""A real MCP client, and a real server behind a replay that answers what is not recorded."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.real.peers import PEERS, missing, python_of, why_not
from tests.real.sessions import tap

pytestmark = pytest.mark.real

WITHIN_S = 60

CLIENT = """
import asyncio, json, sys
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

async def difference(client, target):
    zones = {"source_timezone": "UTC", "target_timezone": target, "time": "12:00"}
    result = await client.call_tool("convert_time", zones)
    return result.structured_content["time_difference"]

async def session(zones, command, *arguments):
    server = StdioServerParameters(command=command, args=list(arguments))
    async with Client(stdio_client(server)) as client:
        return [await difference(client, zone) for zone in zones.split(",")]

print(json.dumps(asyncio.run(session(*sys.argv[1:]))))
"""


@pytest.fixture
def server() -> list[str]:
    """Return the command of mcp-server-time, which converts times."""
    peer = next(it for it in PEERS if it.name == "mcp-python")
    if reason := why_not(peer):
        pytest.skip(reason)
    if reason := missing(peer):
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(reason)
    return peer.server


def differences(zones: str, plugin: list[str], folder: Path) -> list[str]:
    """Return what a client is told of some zones by what it starts."""
    argv = [python_of("mcp"), "-c", CLIENT, zones, *plugin]
    done = subprocess.run(argv, cwd=folder, capture_output=True, timeout=WITHIN_S, check=False)
    assert done.returncode == 0, done.stderr.decode(errors="replace")
    found: list[str] = json.loads(done.stdout)
    return found


def test_one_more_call_is_answered_by_the_real_server_and_from_then_on_by_the_tape(
    server: list[str], tmp_path: Path
) -> None:
    tape, report = tmp_path / "time.tape", tmp_path / "report.xml"
    options = (str(tape), "--as", "plugin", "--pace", "0", "--junit", str(report))
    once = tap("replay", *options[:3], "--record-mode", "once", "--", *server)
    new = tap("replay", *options, "--record-mode", "new", "--")
    assert differences("Asia/Tokyo", once, tmp_path) == ["+9.0h"]
    assert differences("Asia/Tokyo,Asia/Kolkata", [*new, *server], tmp_path) == ["+9.0h", "+5.5h"]
    assert 'failures="0"' in report.read_text()
    assert '"forwarded ' in report.read_text()
    nobody = [*new, "./no-such-server"]
    assert differences("Asia/Tokyo,Asia/Kolkata", nobody, tmp_path) == ["+9.0h", "+5.5h"]
    assert 'tests="1" failures="0"' in report.read_text()
