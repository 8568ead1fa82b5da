"""A LingXi host that starts a plugin, calls it, and prints what it took the answers for.

`lingxi_host.py [--generation 1|3|4] [--shape swift|doc] [--calls tool,command,…] -- COMMAND`.
As the real ones: ids are never compared, and the first line is the answer. Versions 1 and 3 know
no snapshot, initialize without params, and wait 10 s. After a failed call, version 1 goes on,
version 3 hears no more, and version 4 ends the plugin; so do all three after a timeout.
"""

import argparse
import base64
import json
import os
import select
import signal
import subprocess
import sys
import threading
import time
from typing import Any

WATCHDOG_S = {1: 10.0, 3: 10.0, 4: 3.0}
GRACE_S = {1: 0.2, 3: 0.4, 4: 0.4}
"""Between SIGTERM and SIGKILL."""

SWIFT_SECONDS = 781000000.25
"""The first snapshot's instant, seconds since 2001; each later one is a second later."""

SESSION = "5E550000-0000-4000-8000-000000000001"

CALLS: dict[str, tuple[str, dict[str, Any]]] = {
    "start": (
        "hook.emit",
        {"event": "sessionStart", "subjectID": SESSION, "metadata": {"source": "cli/new"}},
    ),
    "before": (
        "hook.emit",
        {"event": "toolBefore", "subjectID": "echo", "metadata": {"tool": "echo"}},
    ),
    "echo": (
        "tool.execute",
        {
            "toolName": "echo",
            "arguments": '{"text":"hi/你好"}',
            "sessionID": SESSION,
            "toolCallID": "call-1",
        },
    ),
    "done": (
        "tool.execute",
        {
            "toolName": "echo",
            "arguments": '{"text":"done"}',
            "sessionID": SESSION,
            "toolCallID": "call-2",
        },
    ),
    "search": (
        "tool.execute",
        {
            "toolName": "search",
            "arguments": '{"word":"main"}',
            "sessionID": SESSION,
            "toolCallID": "call-3",
        },
    ),
    "command": (
        "command.execute",
        {"commandName": "notes", "arguments": ["release", "plan"], "sessionID": SESSION},
    ),
    "unknown": ("plugin.shutdown", {}),
}

ALL = "start,before,echo,done,search,command,unknown"


class CallFailed(Exception):
    """Whatever a call throws: an error, a line that cannot be decoded, the plugin's end."""


class TimedOut(CallFailed):
    """The watchdog's bite."""


class Shape:
    """Writes requests and reads answers as Swift's coders do, or as the page shows them."""

    def __init__(self, name: str) -> None:
        self._is_doc = name == "doc"

    def request(self, key: str, method: str, params: dict[str, Any] | None) -> bytes:
        """Return the line of a request."""
        request: dict[str, Any] = {"id": key, "method": method}
        if self._is_doc:
            text = json.dumps(request | {"params": params}, ensure_ascii=False)
        else:
            data = {} if params is None else {"params": _data(params)}
            text = _swift_json(request | data)
        return text.encode() + b"\n"

    def result(self, line: bytes) -> Any:
        """Return a result, None for an empty one; raises CallFailed."""
        try:
            answer = json.loads(line)
            if answer.get("error") is not None:
                raise CallFailed(f"error: {answer['error']}")
            result = answer.get("result")
            if self._is_doc or result in (None, ""):
                return result or None
            if not isinstance(result, str):
                raise CallFailed("result is no base64 text")
            return json.loads(base64.b64decode(result, validate=True))
        except (ValueError, AttributeError) as error:
            raise CallFailed(f"cannot decode: {error}") from error

    def observed_at(self, count: int) -> Any:
        """Return the instant of a snapshot: text on the page, a number from Swift."""
        return f"2025-10-01T08:26:{40 + count}Z" if self._is_doc else SWIFT_SECONDS + count


class Host:
    """One plugin process and what this host's generation does with it."""

    def __init__(self, command: list[str], generation: int, shape: Shape) -> None:
        self._generation, self._shape = generation, shape
        pipe = subprocess.PIPE
        self._plugin = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0)
        if generation >= 3:  # version 1 lets it fill up
            threading.Thread(target=self._discard_stderr, daemon=True).start()
        self._requests = self._snapshots = 0

    def initialize(self) -> None:
        """Shake hands; raises CallFailed."""
        params = {"hostIPCVersion": 1, "coreVersion": "1.2.0"} if self._generation >= 4 else None
        self._snapshot()
        result = self._call("plugin.initialize", params)
        if not isinstance(result, dict):
            raise CallFailed("cannot decode: an empty answer to plugin.initialize")
        if self._generation >= 4 and "ipcVersion" not in result:
            raise CallFailed("no ipcVersion")

    def call(self, method: str, params: dict[str, Any]) -> Any:
        """Call after a fresh snapshot, from version 4 on; raises CallFailed."""
        self._snapshot()
        return self._call(method, params)

    def stop(self) -> None:
        """Close stdin (version 3: stdout too), then SIGTERM, and after a while SIGKILL."""
        stdin, stdout = self._plugin.stdin, self._plugin.stdout
        assert stdin is not None
        assert stdout is not None
        if self._generation == 3:
            stdout.close()
        if self._generation >= 3:
            stdin.close()
        self._plugin.send_signal(signal.SIGTERM)
        try:
            self._plugin.wait(GRACE_S[self._generation])
        except subprocess.TimeoutExpired:
            self._plugin.kill()
        stdin.close()

    def wait(self) -> int:
        """Return the plugin's exit status, negative for a signal."""
        return self._plugin.wait(10)

    def end_of_input(self) -> None:
        """End the session as hosts do that are quit in peace: by EOF alone."""
        assert self._plugin.stdin is not None
        self._plugin.stdin.close()

    def _discard_stderr(self) -> None:
        assert self._plugin.stderr is not None
        while self._plugin.stderr.read(4096):
            pass

    def _snapshot(self) -> None:
        if self._generation < 4:
            return
        workspace = {
            "rootPath": "/Users/me/Project",
            "isGitRepository": True,
            "currentGitBranch": "main",
            "coreVersion": "1.2.0",
        }
        context = {"activeModelID": "qwen-max", "totalTokenUsage": 1200 + self._snapshots}
        params = {
            "observedAt": self._shape.observed_at(self._snapshots),
            "ipcVersion": 1,
            "workspace": workspace,
            "contextState": context,
        }
        self._snapshots += 1
        self._call("host.snapshot", params)

    def _call(self, method: str, params: dict[str, Any] | None) -> Any:
        """Write outside of the watchdog, and take the first line for the answer."""
        self._requests += 1
        key = f"6C0E4B0A-0000-4000-8000-{self._requests:012}"
        assert self._plugin.stdin is not None
        self._plugin.stdin.write(self._shape.request(key, method, params))
        return self._shape.result(self._line())

    def _line(self) -> bytes:
        """Return the next line; what was read beyond it is lost, as with the real hosts."""
        assert self._plugin.stdout is not None
        fd, buffer = self._plugin.stdout.fileno(), b""
        deadline = time.monotonic() + WATCHDOG_S[self._generation]
        while b"\n" not in buffer:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([fd], [], [], left)[0]:
                raise TimedOut(f"no answer in {WATCHDOG_S[self._generation]} s")
            data = os.read(fd, 4096)
            if not data:
                raise CallFailed("closed stdout unexpectedly")
            buffer += data
        return buffer.split(b"\n", 1)[0]


def _swift_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("/", "\\/")


def _data(value: Any) -> str:
    return base64.b64encode(_swift_json(value).encode()).decode()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--generation", type=int, choices=(1, 3, 4), default=4)
    parser.add_argument("--shape", choices=("swift", "doc"), default="swift")
    parser.add_argument("--calls", default=ALL, help=f"of {', '.join(CALLS)}")
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    host = Host(options.command, options.generation, Shape(options.shape))
    try:
        host.initialize()
        print("initialized")
        for name in filter(None, options.calls.split(",")):
            call(host, *CALLS[name], goes_on=options.generation == 1)
        host.end_of_input()
    except CallFailed as failure:
        print(f"failed: {failure}")
        host.stop()
    print(f"plugin ended: {host.wait()}")
    sys.exit(0)


def call(host: Host, method: str, params: dict[str, Any], *, goes_on: bool) -> None:
    """Call, and print what the answer was taken for."""
    try:
        print(f"{method}: {json.dumps(host.call(method, params), ensure_ascii=False)}")
    except CallFailed as failure:
        if isinstance(failure, TimedOut) or not goes_on:
            raise
        print(f"{method} failed: {failure}")


if __name__ == "__main__":
    main()
