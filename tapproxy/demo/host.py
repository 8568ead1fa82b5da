"""The demo's host: starts the plugin through `tap run`, asks four things, gives up on the last.

It waits 3.0 s for an answer and then ends the plugin, as LingXiAgent does.
"""

import base64
import json
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from threading import Timer

from tapproxy.own_path import tap_command

REQUESTS: tuple[tuple[str, dict[str, object]], ...] = (
    ("plugin.initialize", {"hostIPCVersion": 1, "coreVersion": "1.2.0"}),
    ("tool.execute", {"toolName": "index", "arguments": "{}"}),
    ("tool.execute", {"toolName": "search", "arguments": '{"query":"heartbeat"}'}),
    ("tool.execute", {"toolName": "sleep", "arguments": "{}"}),
)

WATCHDOG_S = 3.0
PATIENCE_S = 10
"""How long tap has to end once the plugin was told to."""


class Failed(Exception):
    """The conversation did not come to its end; says what tap said."""


def converse(recording: str) -> None:
    """Hold the whole conversation on record in the file `recording`; raises Failed."""
    plugin = [sys.executable, str(Path(__file__).with_name("plugin.py"))]
    options = ["--name", "demo", "-o", recording, "--on-record-error", "stop"]
    command = tap_command("run", *options, "--", *plugin)
    pipe = subprocess.PIPE  # for stderr too: a line fits, nobody has to read it
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as child:
        answered = sum(_is_answered(child, *numbered) for numbered in enumerate(REQUESTS, start=1))
        _, said = child.communicate(timeout=PATIENCE_S)
    if answered != len(REQUESTS) - 1:
        raise Failed(_last_words(said) or f"the plugin ended with code {child.returncode}")


def _is_answered(
    child: subprocess.Popen[bytes], number: int, asked: tuple[str, dict[str, object]]
) -> bool:
    """Ask, and wait for the answer as long as the watchdog lets the plugin live."""
    if child.stdin is None or child.stdout is None:  # for the type checker: both are pipes
        raise AssertionError
    method, params = asked
    packed = base64.b64encode(json.dumps(params).encode()).decode()
    request = {"id": f"demo-{number}", "method": method, "params": packed}
    with suppress(BrokenPipeError):  # tap has ended already; its last words say why
        os.write(child.stdin.fileno(), json.dumps(request).encode() + b"\n")
    watchdog = Timer(WATCHDOG_S, child.terminate)
    watchdog.start()
    try:
        return child.stdout.readline() != b""
    finally:
        watchdog.cancel()


def _last_words(said: bytes) -> str:
    """Return what tap itself has said on stderr."""
    lines = said.decode(errors="replace").splitlines()
    return "; ".join(line.removeprefix("tap: ") for line in lines if line.startswith("tap: "))
