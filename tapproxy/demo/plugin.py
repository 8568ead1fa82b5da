"""The demo's plugin: JSON Lines in the manner of LingXi Plugin IPC, and three things wrong with it.

It prints a progress bar where only JSON belongs, answers one call late, and falls silent.
"""

import json
import sys
import time

SLOW_S = 1.4
SILENT_S = 1.2


def main() -> None:
    """Answer every line of stdin, until it ends."""
    sys.stderr.write("[demo] [INFO] ready\n")
    sys.stderr.flush()
    for line in sys.stdin:
        request = json.loads(line)
        _misbehave(request["params"])
        answer = {"id": request["id"], "result": _result(request)}
        sys.stdout.write(json.dumps(answer, ensure_ascii=False) + "\n")
        sys.stdout.flush()


def _misbehave(params: dict[str, str]) -> None:
    tool = params.get("toolName")
    if tool == "index":
        for step in (1, 2):
            sys.stdout.write(f"\r[{step}/2] indexing …\x1b[K")
            sys.stdout.flush()
            time.sleep(0.1)
    elif tool == "search":
        time.sleep(SLOW_S)
    elif tool == "sleep":
        sys.stderr.write("[demo] [WARN] no heartbeat from here\n")
        sys.stderr.flush()
        time.sleep(SILENT_S)


def _result(request: dict[str, object]) -> object:
    if request["method"] == "plugin.initialize":
        return {"ipcVersion": 1, "manifest": {"id": "demo", "name": "Demo 演示"}}
    return "done"


if __name__ == "__main__":
    main()
