"""The demo's host: starts the plugin through `tap run`, asks four things, and lets it go."""

import json
import subprocess
import sys
from pathlib import Path

REQUESTS: tuple[tuple[str, dict[str, object]], ...] = (
    ("plugin.initialize", {"hostIPCVersion": 1, "coreVersion": "1.2.0"}),
    ("tool.execute", {"toolName": "index", "arguments": "{}"}),
    ("tool.execute", {"toolName": "search", "arguments": '{"query":"heartbeat"}'}),
    ("tool.execute", {"toolName": "sleep", "arguments": "{}"}),
)

PATIENCE_S = 10
"""How long the plugin has to end once its stdin is closed."""


def converse() -> int:
    """Hold the whole conversation on record; return the exit code the host sees."""
    plugin = [sys.executable, str(Path(__file__).with_name("plugin.py"))]
    command = [sys.executable, "-m", "tapproxy", "run", "--name", "demo", "--", *plugin]
    pipe = subprocess.PIPE  # for stderr too: two lines fit, nobody has to read them
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as child:
        if child.stdin is None or child.stdout is None:  # for the type checker: both are pipes
            raise AssertionError
        for number, (method, params) in enumerate(REQUESTS, start=1):
            request = {"id": f"demo-{number}", "method": method, "params": params}
            child.stdin.write(json.dumps(request).encode() + b"\n")
            child.stdin.flush()
            child.stdout.readline()
        child.stdin.close()
        return child.wait(PATIENCE_S)
