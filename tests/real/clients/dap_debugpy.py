"""A DAP session by a small client of ours, with a debugger that stops a program.

Our arguments are the debug adapter's command line; a summary of the session is printed as JSON.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

PROGRAM = """\
import sys
for word in ["žluťoučký", "kůň", "☃"]:
    sys.stdout.write(word * 300 + chr(10))
    sys.stdout.flush()
raise SystemExit(3)
"""
BREAKPOINT = 3
PRINTED = [word * 300 + "\n" for word in ("žluťoučký", "kůň", "☃")]
"""Each line is one write of less than 4096 bytes, which is what debugpy's launcher reads at once:
where it cuts longer ones is left to chance."""

Message = dict[str, Any]


class Adapter:
    """A debug adapter that was started, and what it has said that nobody has asked for yet."""

    def __init__(self, argv: list[str]) -> None:
        self.process = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.numbers = count(1)
        self.unread: list[Message] = []

    def send(self, command: str, **arguments: object) -> int:
        """Send a request; return its number."""
        assert self.process.stdin
        number = next(self.numbers)
        request = {"seq": number, "type": "request", "command": command, "arguments": arguments}
        body = json.dumps(request, ensure_ascii=False).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()
        return number

    def receive(self) -> Message:
        """Read the next message, whatever it is."""
        assert self.process.stdout
        size = 0
        while line := self.process.stdout.readline().strip():
            name, _, value = line.partition(b":")
            size = int(value) if name.lower() == b"content-length" else size
        message: Message = json.loads(self.process.stdout.read(size))
        return message

    def wait_for(self, **wanted: object) -> Message:
        """Return the first message that has the wanted values; keep the ones before it."""
        for message in self._messages():
            if wanted.items() <= message.items():
                self.unread.remove(message)
                return message
        raise AssertionError

    def _messages(self) -> Iterator[Message]:
        yield from list(self.unread)
        while True:
            self.unread.append(self.receive())
            yield self.unread[-1]

    def ask(self, command: str, **arguments: object) -> Message:
        """Make a request; return the answer."""
        return self.wait_for(type="response", request_seq=self.send(command, **arguments))

    def end(self) -> int:
        """Disconnect, close stdin once the last event has come, and return the exit code."""
        assert self.process.stdin
        assert self.process.stdout
        self.ask("disconnect")
        self.unread.clear()
        self.wait_for(event="debugpySockets")
        self.process.stdin.close()
        self.process.stdout.read()
        return self.process.wait()


def stopped(adapter: Adapter, printed: list[str]) -> list[str]:
    """Wait until the program stops; return where it is, and what it answers to three questions.

    What it has printed before that is waited for: else two lines might be told as one.
    """
    event = adapter.wait_for(event="stopped")
    for line in printed[-1:]:
        adapter.wait_for(event="output", body={"category": "stdout", "output": line})
    thread = event["body"]["threadId"]
    top = adapter.ask("stackTrace", threadId=thread)["body"]["stackFrames"][0]
    values = [
        adapter.ask("evaluate", expression=expression, frameId=top["id"])["body"]["result"]
        for expression in ("word * 3", "no_such_name")
    ]
    refusal, _, _ = adapter.ask("no such command ☃")["message"].partition(":")
    adapter.ask("continue", threadId=thread)
    return [f"line {top['line']}", event["body"]["reason"], *values, refusal]


def session(argv: list[str], program: str) -> dict[str, object]:
    """Launch the program, stop it thrice, look around, and let it end."""
    adapter = Adapter(argv)
    capabilities = adapter.ask("initialize", adapterID="debugpy", pathFormat="path")["body"]
    launch = adapter.send("launch", program=program, console="internalConsole")
    adapter.wait_for(event="initialized")
    source = {"path": program}
    adapter.ask("setBreakpoints", source=source, breakpoints=[{"line": BREAKPOINT}])
    adapter.ask("configurationDone")
    launched = adapter.wait_for(type="response", request_seq=launch)["success"]
    stops = [stopped(adapter, PRINTED[:done]) for done in range(3)]
    adapter.wait_for(event="output", body={"category": "stdout", "output": PRINTED[-1]})
    exited = adapter.wait_for(event="exited")["body"]["exitCode"]
    adapter.wait_for(event="terminated")
    return {
        "capabilities": len(capabilities),
        "launched": launched,
        "stops": stops,
        "program ended": exited,
        "exit": adapter.end(),
    }


source = Path("program.py").absolute()
source.write_text(PROGRAM)
print(json.dumps(session(sys.argv[1:], str(source))))
