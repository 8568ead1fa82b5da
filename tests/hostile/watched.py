"""Runs one tap command in a process of its own, bounded and watched: what it starts, how it ends.

A child of this process is the command, so that nothing is imported anew: a corpus goes through
every command in the time of a few starts.
"""

import io
import os
import resource
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import NoReturn

import sqlite_utils  # noqa: F401  for a child that may not read where Python is

from tapproxy import cli
from tapproxy.commands.group import COMMANDS
from tapproxy.commands.group import tap as group

MORE_MEMORY = 600 << 20
"""Bytes of address space that a command may take beyond what the tests have."""
LARGEST_RESIDENT = 350 << 20
"""Bytes of memory that it may really use, the tests' own included."""
PROCESSOR_S = 20
PATIENCE_S = 60.0

# What is imported now costs once, not once in every child.
for _name in COMMANDS:
    group.get_command(None, _name)  # type: ignore[arg-type]
for _name in ("diffing.comparing", "ingest.redacting", "replay.playing"):
    import_module(f"tapproxy.{_name}")
import_module("anyio._backends._asyncio")

STARTS = ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.fork", "os.forkpty")
REACHES = ("socket.connect", "socket.bind", "ctypes.dlopen", "pty.spawn")
KILLED = "killed by "


@dataclass(frozen=True, slots=True)
class Ended:
    """What a command has done."""

    arguments: tuple[str, ...]
    code: int | str  # `killed by SIGKILL`
    out: bytes
    err: bytes
    started: list[str]  # what the interpreter's audit events tell of programs and sockets
    resident: int  # bytes, at most


def tap(
    arguments: Sequence[str], folder: Path, environment: Mapping[str, str] | None = None
) -> Ended:
    """Run a command in `folder`; fails where it takes too long."""
    with tempfile.TemporaryDirectory() as scratch:
        names = {it: os.path.join(scratch, it) for it in ("out", "err", "audit")}
        child = os.fork()
        if child == 0:
            _be_tap(arguments, folder, environment or {}, names)
        status, usage = _wait(child, arguments)
        texts = {it: Path(name).read_bytes() for it, name in names.items()}
    code: int | str = os.waitstatus_to_exitcode(status)
    if isinstance(code, int) and code < 0:
        code = KILLED + signal.Signals(-code).name
    audited = texts["audit"].decode().splitlines()
    resident = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return Ended(tuple(arguments), code, texts["out"], texts["err"], audited, resident)


def _wait(child: int, arguments: Sequence[str]) -> tuple[int, resource.struct_rusage]:
    deadline = time.monotonic() + PATIENCE_S
    while True:
        pid, status, usage = os.wait4(child, os.WNOHANG)
        if pid:
            return status, usage
        if time.monotonic() > deadline:
            os.kill(child, signal.SIGKILL)
            os.wait4(child, 0)
            raise AssertionError(f"tap {' '.join(arguments)} does not end")
        time.sleep(0.002)


def _be_tap(
    arguments: Sequence[str], folder: Path, environment: Mapping[str, str], names: dict[str, str]
) -> NoReturn:
    code = 1
    try:
        _bound()
        os.chdir(folder)
        os.environ.update({"COLUMNS": "100", "TZ": "UTC", "NO_COLOR": "1", **environment})
        tempfile.tempdir = None
        _redirect(names)
        _audit(names["audit"])
        sys.argv = ["tap", *arguments]
        cli.main()
    except SystemExit as exit_:
        code = exit_.code if isinstance(exit_.code, int) else int(exit_.code is not None)
    except BaseException as error:  # noqa: BLE001  as the interpreter does
        sys.excepthook(type(error), error, error.__traceback__)
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        os._exit(code)


def _bound() -> None:
    """Bound what this process may take, on top of what it has."""
    statm = Path("/proc/self/statm")
    if statm.exists():
        size = int(statm.read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
        resource.setrlimit(resource.RLIMIT_AS, (size + MORE_MEMORY,) * 2)
    used = int(time.process_time())
    resource.setrlimit(resource.RLIMIT_CPU, (used + PROCESSOR_S,) * 2)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _redirect(names: dict[str, str]) -> None:
    descriptor = os.open(os.devnull, os.O_RDONLY)
    os.dup2(descriptor, 0)
    for number, name in ((1, "out"), (2, "err")):
        descriptor = os.open(names[name], os.O_WRONLY | os.O_CREAT, 0o600)
        os.dup2(descriptor, number)
    sys.stdout = io.TextIOWrapper(io.BufferedWriter(io.FileIO(1, "w", closefd=False)), "utf-8")
    sys.stderr = io.TextIOWrapper(io.FileIO(2, "w", closefd=False), "utf-8", write_through=True)


def _audit(name: str) -> None:
    descriptor = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    def watch(event: str, arguments: tuple[object, ...]) -> None:
        if event in STARTS or event in REACHES:
            os.write(descriptor, f"{event} {arguments!r}\n".encode(errors="backslashreplace"))

    sys.addaudithook(watch)
