"""A DAP session by a small client of ours: a program is launched, stopped, looked into, ended.

Our arguments are the debug adapter's command line.
"""

import json
import subprocess
import sys
from itertools import count
from pathlib import Path
from typing import Any

PROGRAM = Path("/tmp/demo/words.py")  # noqa: S108  the tape names it: a path of no machine
SOURCE = """\
words = ["grüße", "☃"]
for word in words:
    print(word)
raise SystemExit(3)
"""
BREAKPOINTS = [{"line": 3}, {"line": 99}]  # the last is moved to line 4
PYTHON = "/usr/bin/python3"  # its modules are where no name of a user is in the path

Message = dict[str, Any]


class Adapter:
    """A debug adapter that was started, and what it has said."""

    def __init__(self, argv: list[str]) -> None:
        self.process = subprocess.Popen(
            argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=PROGRAM.parent
        )
        self.numbers = count(1)
        self.heard: list[Message] = []

    def send(self, command: str, **arguments: object) -> int:
        """Send a request; return its number."""
        assert self.process.stdin
        number = next(self.numbers)
        request = {"seq": number, "type": "request", "command": command, "arguments": arguments}
        body = json.dumps(request, ensure_ascii=False).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()
        return number

    def wait_for(self, **wanted: object) -> Message:
        """Return the first message that has the wanted values, and forget it."""
        while True:
            for message in self.heard:
                if wanted.items() <= message.items():
                    self.heard.remove(message)
                    return message
            self.heard.append(self._receive())

    def ask(self, command: str, **arguments: object) -> Message:
        """Make a request; return the answer."""
        return self.wait_for(type="response", request_seq=self.send(command, **arguments))

    def end(self) -> None:
        """Disconnect, and close stdin once the last event has come."""
        assert self.process.stdin
        assert self.process.stdout
        self.ask("disconnect")
        self.heard.clear()
        self.wait_for(event="debugpySockets")
        self.process.stdin.close()
        self.process.stdout.read()
        self.process.wait()

    def _receive(self) -> Message:
        assert self.process.stdout
        size = 0
        while line := self.process.stdout.readline().strip():
            name, _, value = line.partition(b":")
            size = int(value) if name.lower() == b"content-length" else size
        message: Message = json.loads(self.process.stdout.read(size))
        return message


def look_around(adapter: Adapter, thread: int) -> None:
    """Ask where the program is, and what it holds."""
    adapter.ask("threads")
    top = adapter.ask("stackTrace", threadId=thread)["body"]["stackFrames"][0]["id"]
    scope = adapter.ask("scopes", frameId=top)["body"]["scopes"][0]["variablesReference"]
    adapter.ask("variables", variablesReference=scope, start=0, count=3)
    for expression in ("word * 3", "no_such_name"):
        adapter.ask("evaluate", expression=expression, frameId=top, context="watch")


def session(argv: list[str]) -> None:
    """Launch the program, stop at lines and at an exception, look around, let it end."""
    adapter = Adapter(argv)
    adapter.ask(
        "initialize",
        clientID="demo",
        clientName="Demo Editor",
        adapterID="debugpy",
        pathFormat="path",
        supportsRunInTerminalRequest=False,
    )
    launched = {"program": str(PROGRAM), "python": PYTHON, "console": "internalConsole"}
    launch = adapter.send("launch", **launched)
    adapter.wait_for(event="initialized")
    adapter.ask("setBreakpoints", source={"path": str(PROGRAM)}, breakpoints=BREAKPOINTS)
    adapter.ask("setExceptionBreakpoints", filters=["uncaught"])
    adapter.ask("configurationDone")
    adapter.wait_for(type="response", request_seq=launch)
    thread = adapter.wait_for(event="stopped")["body"]["threadId"]
    look_around(adapter, thread)
    for _ in range(3):
        adapter.ask("continue", threadId=thread)
        adapter.wait_for(event="stopped")
    adapter.ask("continue", threadId=thread)
    adapter.wait_for(event="terminated")
    adapter.end()


PROGRAM.parent.mkdir(exist_ok=True)
PROGRAM.write_text(SOURCE)
session(sys.argv[1:])
