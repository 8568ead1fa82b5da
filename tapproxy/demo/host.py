"""The demo's host: starts the plugin through `tap run`, asks four things, and lets it go."""

import json
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

REQUESTS: tuple[tuple[str, dict[str, object]], ...] = (
    ("plugin.initialize", {"hostIPCVersion": 1, "coreVersion": "1.2.0"}),
    ("tool.execute", {"toolName": "index", "arguments": "{}"}),
    ("tool.execute", {"toolName": "search", "arguments": '{"query":"heartbeat"}'}),
    ("tool.execute", {"toolName": "sleep", "arguments": "{}"}),
)

PATIENCE_S = 10
"""How long the plugin has to end once its stdin is closed."""


class Failed(Exception):
    """The conversation did not come to its end; says what tap said."""


def converse(recording: str) -> None:
    """Hold the whole conversation on record in the file `recording`; raises Failed."""
    plugin = [sys.executable, str(Path(__file__).with_name("plugin.py"))]
    options = ["--name", "demo", "-o", recording, "--on-record-error", "stop"]
    command = [sys.executable, "-m", "tapproxy", "run", *options, "--", *plugin]
    pipe = subprocess.PIPE  # for stderr too: two lines fit, nobody has to read them
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as child:
        if child.stdin is None or child.stdout is None:  # for the type checker: both are pipes
            raise AssertionError
        with suppress(BrokenPipeError):  # tap has ended already; its last words say why
            for number, (method, params) in enumerate(REQUESTS, start=1):
                request = {"id": f"demo-{number}", "method": method, "params": params}
                child.stdin.write(json.dumps(request).encode() + b"\n")
                child.stdin.flush()
                child.stdout.readline()
        _, said = child.communicate(timeout=PATIENCE_S)
    if child.returncode != 0:
        raise Failed(_last_words(said) or f"the plugin ended with code {child.returncode}")


def _last_words(said: bytes) -> str:
    """Return what tap itself has said on stderr."""
    lines = said.decode(errors="replace").splitlines()
    return "; ".join(line.removeprefix("tap: ") for line in lines if line.startswith("tap: "))
