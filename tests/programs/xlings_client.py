"""A host of `xlings interface`: starts it, answers its prompts, sends control lines.

    xlings_client.py [--reply ID VALUE]… [--after N LINE]… [--close-after N] [--patience S]
                     -- COMMAND…

`--after 3 LINE` writes LINE, and a newline, once three lines have come; several after the same N go
in one write. Says on stdout what it got (`< …`) and sent (`> …`), and how the process ended.
Where nothing comes for S seconds after the first line, it says `silent after N lines` and ends it.
"""

import argparse
import json
import os
import select
import subprocess
import sys
from collections.abc import Iterator
from typing import IO, NamedTuple


class Plan(NamedTuple):
    """What the host does, and when."""

    replies: dict[str, str]  # by id of the prompt
    after: dict[int, list[str]]  # lines to write, by how many have come
    close_after: int  # lines after which stdin is closed; -1: after the result
    patience_s: float | None  # how long it may say nothing, once it has begun
    command: list[str]


def main() -> int:
    """Return 0 where the process ended as its result says."""
    plan = parsed(sys.argv[1:])
    child = subprocess.Popen(plan.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
    assert child.stdin is not None
    assert child.stdout is not None
    announced = None
    send(child.stdin, plan, 0, None)
    for count, line in enumerate(lines_of(child.stdout.fileno(), plan.patience_s), 1):
        if line is None:
            print(f"silent after {count - 1} lines", flush=True)
            child.terminate()
            break
        print("<", line.decode().rstrip("\n"), flush=True)
        event = event_of(line)
        announced = event.get("exitCode", announced)
        send(child.stdin, plan, count, event)
    child.stdin.close()
    code = child.wait()
    print(f"exit {code}", flush=True)
    return 0 if announced in (None, code) else 1


def lines_of(stdout: int, patience_s: float | None) -> Iterator[bytes | None]:
    """Yield lines as they come, their newlines included; None once nothing comes any more."""
    unfinished = b""
    waited_s: float | None = None
    while select.select([stdout], [], [], waited_s)[0]:
        data = os.read(stdout, 65536)
        if not data:
            yield from [unfinished] if unfinished else []
            return
        *lines, unfinished = (unfinished + data).split(b"\n")
        yield from (line + b"\n" for line in lines)
        waited_s = patience_s
    yield None


def send(stdin: IO[bytes], plan: Plan, count: int, event: dict[str, object] | None) -> None:
    """Write what is due after so many lines, the last of which is `event`."""
    if stdin.closed:
        return
    due = list(plan.after.get(count, ()))
    if event is not None and event.get("kind") == "prompt" and event.get("id") in plan.replies:
        key = str(event["id"])
        reply = {"action": "prompt-reply", "id": key, "value": plan.replies[key]}
        due.append(json.dumps(reply, ensure_ascii=False, separators=(",", ":")))
    for line in due:
        print(">", line, flush=True)
    if due:
        stdin.write("".join(f"{line}\n" for line in due).encode())
    is_result = event is not None and event.get("kind") == "result"
    if count == plan.close_after or (is_result and plan.close_after < 0):
        stdin.close()


def event_of(line: bytes) -> dict[str, object]:
    """Return a line's event: what is before its first brace is a progress bar."""
    try:
        value = json.loads(line[line.index(b"{") :])
    except ValueError:
        return {}
    return dict(value)


def parsed(arguments: list[str]) -> Plan:
    """Return the plan that the command line describes."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--reply", nargs=2, action="append", default=[])
    parser.add_argument("--after", nargs=2, action="append", default=[])
    parser.add_argument("--close-after", type=int, default=-1)
    parser.add_argument("--patience", type=float)
    parser.add_argument("command", nargs="+")
    found = parser.parse_args(arguments)
    after: dict[int, list[str]] = {}
    for count, line in found.after:
        after.setdefault(int(count), []).append(line)
    return Plan(dict(found.reply), after, found.close_after, found.patience, found.command)


if __name__ == "__main__":
    sys.exit(main())
