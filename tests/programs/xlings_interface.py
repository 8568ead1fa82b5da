"""Speaks as `xlings interface` does: one capability, --version or --list; does nothing for real.

XLINGS_PROTOCOL is 1.0 or 1.7 (the default). Seconds: XLINGS_HEARTBEAT of silence before a
heartbeat (5), XLINGS_PROMPT for an answer (30). XLINGS_MUTE=6,12 has no heartbeat come for 12 s
after the sixth.
"""

import json
import signal
import sys
from pathlib import Path
from typing import NoReturn

from tests.programs.xlings_capabilities import CAPABILITIES, Capability, Session
from tests.programs.xlings_wire import PROTOCOL, Cancelled, Control, Json, Wire, dumped, write_all


def main() -> int:
    """Return the exit code."""
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # nobody reads: end, as the real one does
    words = sys.argv[2:]  # after `interface`
    if "--version" in words:
        return put({"protocol_version": PROTOCOL})
    if "--list" in words:
        return put({"protocol_version": PROTOCOL, "capabilities": listed()})
    if not words:
        text = '{"kind":"result","exitCode":1,"error":"no capability is named; try --list"}\n'
        write_all(1, text.encode())
        return 1
    capability = CAPABILITIES.get(words[0])
    if capability is None:
        refuse("E_NOT_FOUND", f"unknown capability: {words[0]}", "try `xlings interface --list`")
    return run(capability, arguments(words[1:], capability))


def listed() -> list[Json]:
    """Return the capabilities as --list tells them."""
    return [
        {
            "name": name,
            "description": it.description,
            "destructive": it.destructive,
            "inputSchema": {"type": "object", "required": list(it.required)},
            "outputSchema": {"type": "object"},
        }
        for name, it in CAPABILITIES.items()
    ]


def arguments(words: list[str], capability: Capability) -> Json:
    """Return the capability's arguments, or end because they will not do."""
    text = words[words.index("--args") + 1] if "--args" in words else "{}"
    if "--args-file" in words:
        text = Path(words[words.index("--args-file") + 1]).read_text(encoding="utf-8")
    try:
        value = json.loads(text or "{}")
    except ValueError:
        refuse("E_INVALID_INPUT", "the arguments are not JSON", "")
    missing = [it for it in capability.required if it not in value]
    if missing:
        hint = f"needed: {', '.join(capability.required)}"
        refuse("E_INVALID_INPUT", f"missing required field(s): {', '.join(missing)}", hint)
    return dict(value)


def run(capability: Capability, args: Json) -> int:
    """Run a capability to its end; return the exit code."""
    wire = Wire()
    control = Control(wire)
    result: Json = {}
    try:
        result = capability.run(Session(wire, control), args)
        code = int(result.pop("exitCode", 0))
    except Cancelled:
        code = 130
        wire.say("error", code="E_CANCELLED", message="operation cancelled", recoverable=True)
    except (RuntimeError, LookupError, TypeError, ValueError, AttributeError) as error:
        code = 1
        wire.say("error", code="E_INTERNAL", message=f"internal: {error}", recoverable=False)
    if code and not wire.has_error:
        message = f"failed (exit {code}) with no error detail on the stream"
        wire.say("error", code="E_INTERNAL", message=message, recoverable=False)
    wire.end(code, result)
    control.end()
    return code


def refuse(code: str, message: str, hint: str) -> NoReturn:
    """Say why there is no session, and end."""
    put({"kind": "error", "code": code, "message": message, "recoverable": False, "hint": hint})
    put({"kind": "result", "exitCode": 1})
    sys.exit(1)


def put(value: Json) -> int:
    """Write one line; return the exit code that it goes with."""
    write_all(1, (dumped(value) + "\n").encode())
    return 0


if __name__ == "__main__":
    sys.exit(main())
