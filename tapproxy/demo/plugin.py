"""The demo's plugin: speaks LingXi Plugin IPC as on the wire, and three things are wrong with it.

It prints a progress bar where only JSON belongs, answers one call late, and the last one never.
Params and results are JSON in base64, as Swift's `Data` travels.
"""

import base64
import json
import sys
import time

SLOW_S = 1.2
FOR_EVER_S = 3600

INTRODUCTION = {
    "ipcVersion": 1,
    "manifest": {
        "id": "demo",
        "name": "Demo 演示",
        "version": "0.1.0",
        "description": "three faults",
        "capabilities": [],
    },
    "tools": [
        {"name": name, "description": name, "inputSchema": "{}"}
        for name in ("index", "search", "sleep")
    ],
    "commands": [],
}


def main() -> None:
    """Answer every line of stdin, until it ends."""
    sys.stderr.write("[demo] [INFO] ready\n")
    sys.stderr.flush()
    for line in sys.stdin:
        request = json.loads(line)
        params = json.loads(base64.b64decode(request["params"]))
        _misbehave(params.get("toolName"))
        result = INTRODUCTION if request["method"] == "plugin.initialize" else "done"
        packed = base64.b64encode(json.dumps(result).encode()).decode()
        sys.stdout.write(json.dumps({"id": request["id"], "result": packed}) + "\n")
        sys.stdout.flush()


def _misbehave(tool: str | None) -> None:
    if tool == "index":
        for step in (1, 2):
            sys.stdout.write(f"\r[{step}/2] indexing …\x1b[K")
            sys.stdout.flush()
            time.sleep(0.1)
    elif tool == "search":
        time.sleep(SLOW_S)
    elif tool == "sleep":
        time.sleep(FOR_EVER_S)


if __name__ == "__main__":
    main()
