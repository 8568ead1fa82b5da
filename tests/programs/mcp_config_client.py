"""An MCP client: starts a server of a configuration as clients do, and calls its tool `now`.

    mcp_config_client.py CONFIG SERVER

The server gets few variables: PATH and HOME, and those of its entry (as in the MCP SDKs,
`getDefaultEnvironment`). Prints the answers.
"""

import json
import os
import subprocess
import sys
from typing import Any

INITIALIZE = {"protocolVersion": "2025-06-18", "capabilities": {}}
TOLD = {"clientInfo": {"name": "config-client", "version": "1"}}


def main() -> None:
    """Ask what there is, and print it."""
    with open(sys.argv[1], encoding="utf-8") as file:
        entry = json.load(file)["mcpServers"][sys.argv[2]]
    few = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    server = subprocess.Popen(
        [entry["command"], *entry.get("args", [])],
        env={**few, **entry.get("env", {})},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
    )
    assert server.stdin is not None
    print(asked(server, 1, "initialize", {**INITIALIZE, **TOLD})["serverInfo"]["name"])
    server.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
    print(asked(server, 2, "tools/list", {})["tools"][0]["name"])
    print(asked(server, 3, "tools/call", {"name": "now"})["content"][0]["text"])
    server.stdin.close()
    print(f"exit {server.wait()}")


def asked(server: "subprocess.Popen[str]", number: int, method: str, params: Any) -> Any:
    """Send a request; return its result."""
    assert server.stdin is not None
    assert server.stdout is not None
    request = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
    server.stdin.write(json.dumps(request) + "\n")
    return json.loads(server.stdout.readline())["result"]


main()
