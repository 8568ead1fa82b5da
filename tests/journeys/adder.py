"""A server that adds, with a host that asks it one thing after another, through a replay."""

import json
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.tapproxy.replay.rig import ask, tell

WITHIN_S = 60

SERVER = '''
"""Answers once it was initialized; notes its starts, and what it is told."""
import json, os, sys

def note(text):
    with open("notes", "a") as file:
        file.write(text + "\\n")

note("started")
ready = False
for line in sys.stdin:
    asked = json.loads(line)
    method, numbers = asked["method"], asked.get("params", {}).get("n", [])
    note(method)
    if "id" not in asked:
        print("heard", method, file=sys.stderr, flush=True)
        continue
    answer = {"jsonrpc": "2.0", "id": asked["id"]}
    if method == "initialize":
        ready, answer["result"] = True, {"server": "adder"}
    elif not ready:
        answer["error"] = {"code": -32002, "message": "not initialized"}
    elif method == "die":
        os._exit(3)
    elif method == "hang":
        continue
    else:
        answer["result"] = sum(numbers)
    text = json.dumps(answer)
    os.write(1, text.encode())  # by two writes, as some do
    os.write(1, b"\\n")
note("ended")
'''

INITIALIZE = ask(0, "initialize", protocolVersion="2025-06-18", capabilities={})
READY = tell("notifications/initialized")

FORWARDED = re.compile(r"forwarded.*nothing recorded answers request (\S+)")


class Said(NamedTuple):
    """What a host has heard in the end."""

    code: int
    answers: list[Any]
    log: str


def replay(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "tapproxy", "replay", *arguments, "--as", "plugin"]


def asked(command: Sequence[str], *questions: bytes) -> Said:
    """Be a host: initialize, ask one thing after another, close stdin, wait for the end."""
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as plugin:
        assert plugin.stdin is not None
        assert plugin.stdout is not None
        answers = []
        for question in (INITIALIZE, *questions):
            plugin.stdin.write(question)
            plugin.stdin.flush()
            answers.append(json.loads(plugin.stdout.readline()))
            if question == INITIALIZE:
                plugin.stdin.write(READY)
        rest, log = plugin.communicate(timeout=WITHIN_S)
    assert rest == b""
    return Said(plugin.returncode, [told(it) for it in answers[1:]], log.decode())


def told(message: dict[str, Any]) -> Any:
    """Return a result, or the words of an error."""
    error = message.get("error", {})
    return message.get("result", error.get("data", error.get("message")))


def add(key: int, *numbers: int, method: str = "add") -> bytes:
    return ask(key, method, n=numbers)


def notes() -> list[str]:
    return Path("notes").read_text().split() if Path("notes").exists() else []


def forwarded(log: str) -> list[str]:
    return FORWARDED.findall(log)


BEHIND = ("--pace", "0", "--", sys.executable, "server.py")


def recorded(*questions: bytes) -> Path:
    """Record the server into a tape."""
    said = asked([*replay("it.tape", "--record-mode", "once"), *BEHIND], *questions)
    assert (said.code, said.log) == (0, "heard notifications/initialized\n")
    Path("notes").unlink()
    return Path("it.tape")


@pytest.fixture(name="folder", autouse=True)
def make_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a folder that has the server, for recordings too."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TAP_DIR", str(tmp_path / "taps"))
    Path("server.py").write_text(SERVER)
    return tmp_path


NEW = [*replay("it.tape", "--record-mode", "new"), *BEHIND]
