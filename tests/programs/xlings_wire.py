"""The wire of the stand-in for xlings: events and heartbeats on stdout, control lines on stdin.

Reads control lines as the real one on POSIX: poll, then one line through a buffer, so that the
second line of a read waits for more input, and a line is lost that comes together with the end.
"""

import json
import os
import resource
import select
import signal
import threading
import time
from typing import Any, NoReturn

Json = dict[str, Any]

PROTOCOL = os.environ.get("XLINGS_PROTOCOL", "1.7")
HEARTBEAT_S = float(os.environ.get("XLINGS_HEARTBEAT", "5"))
PROMPT_S = float(os.environ.get("XLINGS_PROMPT", "30"))
BEATS, MUTE_S = map(float, os.environ.get("XLINGS_MUTE", "0,0").split(","))
LOOK_S = HEARTBEAT_S / 10  # the real one looks each 0.5 s whether 5 s are over
POLL_MS = 100


class Cancelled(Exception):
    """A cancel was acted on."""


class Wire:
    """Writes events, and a heartbeat after each silence."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._last = time.monotonic()
        self._muted_until = 0.0
        self.has_error = False
        self._thread = threading.Thread(target=self._beat)
        self._thread.start()

    def say(self, kind: str, **members: Any) -> None:
        """Write one event."""
        self.has_error = self.has_error or kind == "error"
        self.write(dumped({"kind": kind, **members}) + "\n")

    def data(self, data_kind: str, **payload: Any) -> None:
        """Write one data event."""
        self.say("data", dataKind=data_kind, payload=payload)

    def write(self, text: str) -> None:
        """Write text as it is."""
        with self._lock:
            write_all(1, text.encode())
            self._last = time.monotonic()

    def end(self, code: int, data: Json) -> None:
        """Write the result, after which there are no heartbeats."""
        self.say("result", exitCode=code, **({"data": data} if data else {}))
        self._over.set()
        self._thread.join()

    def _beat(self) -> None:
        beats = 0
        while not self._over.wait(LOOK_S):
            now = time.monotonic()
            if now - self._last >= HEARTBEAT_S and now >= self._muted_until:
                self.say("heartbeat", ts=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()))
                beats += 1
                self._muted_until = time.monotonic() + MUTE_S if beats == BEATS else 0.0


class Control:
    """Reads stdin beside the work; its one word of state is overwritten by each action."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._buffer = b""
        self._changed = threading.Condition()
        self._state = ""
        self._replies: dict[str, str] = {}
        self._over = False
        self._thread = threading.Thread(target=self._listen)
        self._thread.start()

    def pause(self, seconds: float) -> None:
        """Wait, unless a control line ends the call: raises Cancelled or RuntimeError."""
        with self._changed:
            self._changed.wait_for(lambda: self._state, seconds)
            if self._state == "cancel":
                raise Cancelled
            if self._state == "pause":
                raise RuntimeError("operation paused")

    def answer(self, key: str) -> str:
        """Return the reply to a prompt, empty where none comes in time or a cancel does."""
        with self._changed:
            self._changed.wait_for(lambda: key in self._replies or self._state, PROMPT_S)
            return self._replies.pop(key, "")

    def end(self) -> None:
        """Wait for the reader: as long as somebody leaves a line open."""
        self._over = True
        self._thread.join()

    def _listen(self) -> None:
        poll = select.poll()
        poll.register(0, select.POLLIN)
        while not self._over:
            found = poll.poll(POLL_MS)
            if found and found[0][1] & (select.POLLHUP | select.POLLERR):
                return
            if found:
                line = self._line()
                if line is None:
                    return
                self._act(line)

    def _line(self) -> bytes | None:
        """Return the buffer's next line; reads only where it holds none."""
        while b"\n" not in self._buffer:
            data = os.read(0, 4096)
            if not data:
                return None
            self._buffer += data
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line

    def _act(self, line: bytes) -> None:
        try:
            value = json.loads(line)
        except ValueError:
            return
        if not isinstance(value, dict) or "action" not in value:
            return
        action = value["action"]
        if action not in ("cancel", "pause", "resume", "prompt-reply"):
            self._wire.say("log", level="warn", message=f"interface: unknown action: {action}")
            return
        with self._changed:
            if action == "prompt-reply":
                key, answer = value.get("id", ""), value.get("value", "")
                if not isinstance(key, str) or not isinstance(answer, str):
                    die()
                self._replies[key] = answer
            else:
                self._state = "" if action == "resume" else action
            self._changed.notify_all()


def dumped(value: Json) -> str:
    """Return JSON as nlohmann::json writes it: members sorted, no spaces."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def write_all(descriptor: int, data: bytes) -> None:
    """Write, however little is taken at once."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def die() -> NoReturn:
    """End as by std::terminate: by SIGABRT, here without a core file."""
    write_all(2, b"terminate called: the value of a member is no string\n")
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.raise_signal(signal.SIGABRT)
    os._exit(1)  # where the signal is ignored
