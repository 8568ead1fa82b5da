"""What is recorded of a session besides its bytes, gathered once the plugin is on its way."""

from __future__ import annotations

import os
import sys

from tapproxy import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tapproxy.wire.order import Order
    from tapproxy.wire.wiring import Wiring


SALT_SIZE = 32
"""Bytes of the key by which the placeholders of secrets are made."""


def gather(order: Order, environment: list[bytes], wiring: Wiring) -> dict[str, Any]:
    """Return the session's facts as JSON takes them (the schema page lists the keys)."""
    variables = [entry.partition(b"=")[::2] for entry in environment]
    kept = {os.fsencode(name): name for name in order.kept_variables}
    return {
        "name": order.name,
        "tags": order.tags,
        "framing": order.framing,
        "dialect": order.dialect,
        "argv": [_text(argument) for argument in order.command],
        "cwd": _cwd(),
        "pid": os.getpid(),
        "ppid": os.getppid(),
        "pgid": os.getpgrp(),
        "host_command": _command_line(os.getppid()),
        "uid": os.getuid(),
        "umask": _umask(),
        "platform": sys.platform,
        "system": _system(),
        "tap_version": __version__,
        "python": sys.version.split()[0],
        "descriptors": _described(wiring),
        "environment": {
            "names": sorted((_text(name) for name, _ in variables), key=str),
            "values": {kept[name]: _text(value) for name, value in variables if name in kept},
        },
        **_redaction(order),
        **({} if order.keep is None else {"keep": order.keep}),
    }


def _redaction(order: Order) -> dict[str, Any]:
    """Return what the ingester needs, whoever that is; it keeps none of it in the recording."""
    if not order.redact:
        return {}
    return {"redaction": {"rules": list(order.redact), "salt": os.urandom(SALT_SIZE).hex()}}


def _described(wiring: Wiring) -> dict[str, Any]:
    described: dict[str, dict[str, Any]] = {
        stream: {"kind": one.kind, "capacity": one.capacity} for stream, one in wiring.host.items()
    }
    if wiring.one_stream:
        described["err"]["same_as"] = "out"
    return described


def _text(data: bytes) -> str | dict[str, str]:
    try:
        return data.decode()
    except UnicodeDecodeError:
        import base64

        return {"base64": base64.b64encode(data).decode()}


def _system() -> str:
    told = os.uname()
    return f"{told.sysname} {told.release} {told.machine}"


def _cwd() -> str | dict[str, str] | None:
    try:
        return _text(os.getcwdb())
    except OSError:  # the folder is gone
        return None


def _command_line(pid: int) -> list[str | dict[str, str]] | None:
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            return [_text(argument) for argument in file.read().split(b"\0")[:-1]]
    except OSError:  # not Linux, or not ours to read
        return None


def _umask() -> int | None:
    try:
        with open("/proc/self/status", "rb") as file:
            found = [line.split()[1] for line in file if line.startswith(b"Umask:")]
    except OSError:  # not Linux; setting it in order to learn it would race with the pumps
        return None
    return int(found[0], 8) if found else None
