"""A LingXi plugin as the Swift SDK makes them, or as the documented page has them: `--shape`.

It answers one request after another, drops what it cannot decode without a word, writes each
answer by two writes (JSON, then LF), and logs to stderr. At the end of stdin it exits.
"""

import argparse
import base64
import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

PLUGIN = "demo"

MANIFEST = {
    "id": PLUGIN,
    "name": "Demo",
    "version": "0.1.0",
    "description": "Repeats text, and searches a project",
    "capabilities": ["projectRead"],
}

TOOLS = [
    {
        "name": "echo",
        "description": "Repeats a text",
        "inputSchema": '{"type":"object","properties":{"text":{"type":"string"}}}',
    },
    {
        "name": "search",
        "description": "Finds a word in the project",
        "inputSchema": '{"type":"object","properties":{"word":{"type":"string"}}}',
    },
]

COMMANDS = [
    {
        "name": "notes",
        "aliases": ["n"],
        "description": "Shows the notes of a topic",
        "category": "demo",
        "argumentHint": "<topic>",
    }
]


class Undecodable(ValueError):
    """A line that is no request in this plugin's shape."""


class Failure(Exception):
    """What a handler answers instead of a result."""


def swift_json(value: Any) -> str:
    """Return JSON as JSONEncoder writes it: no spaces, slashes escaped."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("/", "\\/")


def swift_params(params: Any) -> Any:
    if params is None:
        return None
    if not isinstance(params, str):
        raise Undecodable("params are no base64 text")
    return json.loads(base64.b64decode(params, validate=True))


def swift_answer(key: str, result: Any, error: str | None) -> str:
    """Leave out what is nil; an empty result is empty Data."""
    if error is not None:
        return swift_json({"id": key, "error": error})
    inner = "" if result is None else swift_json(result)
    return swift_json({"id": key, "result": base64.b64encode(inner.encode()).decode()})


def doc_answer(key: str, result: Any, error: str | None) -> str:
    """Write both members, with null for the one that does not apply."""
    return json.dumps({"id": key, "result": result, "error": error}, ensure_ascii=False)


class Plugin:
    """Answers requests; what it is to do wrong stands in its options."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options
        self._handlers: dict[str, Callable[[Any], Any]] = {
            "host.snapshot": self._snapshot,
            "plugin.initialize": self._initialize,
            "tool.execute": self._tool,
            "command.execute": self._command,
            "hook.emit": self._hook,
        }

    def answer(self, line: bytes) -> str:
        """Return the answer to one line; raises ValueError where it is no request."""
        request = json.loads(line)
        if not isinstance(request, dict) or not isinstance(request.get("id"), str):
            raise Undecodable("no request")
        key, doc = request["id"], self._options.shape == "doc"
        params = request.get("params") if doc else swift_params(request.get("params"))
        answer = doc_answer if doc else swift_answer
        try:
            return answer(key, self._handle(request.get("method"), params), None)
        except Failure as failure:
            return answer(key, None, str(failure))

    def _handle(self, method: Any, params: Any) -> Any:
        handler = self._handlers.get(method)
        if handler is None:
            raise Failure(f"Unknown IPC method: {method}")
        try:
            return handler(params)
        except (KeyError, TypeError) as error:
            raise Failure(f"keyNotFound: {error}") from error

    def _snapshot(self, params: Any) -> None:
        if isinstance(params, dict) and params["ipcVersion"] != 1:
            raise Failure("no common IPC version")

    def _initialize(self, _: Any) -> Any:
        log("INFO", "activated")
        result = {"manifest": MANIFEST, "tools": TOOLS, "commands": COMMANDS}
        if self._options.sdk == 1:
            return result
        return result | {"ipcVersion": 1, "sdkVersion": "0.1.0"}

    def _tool(self, params: Any) -> str:
        arguments = json.loads(params["arguments"])
        time.sleep(self._options.late)
        if self._options.fail:
            raise Failure("no such file")
        if params["toolName"] == "echo":
            return str(arguments["text"])
        found = {"word": arguments["word"], "files": ["Sources/main.swift"], "count": 1}
        return json.dumps(found, separators=(",", ":"))

    def _command(self, params: Any) -> Any:
        topic = " ".join(params["arguments"])
        text = f"No notes on {topic} yet."
        return {"isPrompt": False, "text": text, "presentation": "inline", "title": "Notes"}

    def _hook(self, params: Any) -> None:
        log("DEBUG", f"{params['event']} {params['subjectID']}")


def log(level: str, message: str) -> None:
    """Write a line to stderr as the SDK's logger does."""
    os.write(2, f"[{PLUGIN}] [{level}] {message}\n".encode())


def lines_of_stdin() -> Iterator[bytes]:
    """Yield the lines that are not empty; an unterminated last one is dropped."""
    buffer = b""
    while data := os.read(0, 4096):
        *lines, buffer = (buffer + data).split(b"\n")
        yield from filter(None, lines)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--shape", choices=("swift", "doc"), default="swift")
    parser.add_argument("--sdk", type=int, default=2, help="1: without ipcVersion")
    parser.add_argument("--late", type=float, default=0, help="seconds that a tool takes")
    parser.add_argument("--fail", action="store_true", help="tools answer an error")
    parser.add_argument("--ignore-term", action="store_true", help="finish, whatever SIGTERM says")
    options = parser.parse_args()
    if options.ignore_term:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    plugin = Plugin(options)
    for line in lines_of_stdin():
        try:
            answer = plugin.answer(line)
        except ValueError:
            continue  # as the SDK does: no answer, no word
        os.write(1, answer.encode())
        os.write(1, b"\n")
    log("INFO", "deactivated")
    sys.exit(0)


if __name__ == "__main__":
    main()
