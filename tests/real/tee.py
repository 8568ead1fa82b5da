"""A byte-exact tee: runs a command in its own place and keeps what the three streams carried.

`python tee.py FOLDER COMMAND…` writes `in`, `out` and `err` into FOLDER, and into `kinds` what
each of its own descriptors was. Each read is kept, then passed on as one write.
"""

import json
import os
import signal
import socket
import stat
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from types import FrameType

STREAMS = {"in": 0, "out": 1, "err": 2}
FORWARDED = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
READ_SIZE = 1 << 16
LAST_BYTES_S = 10.0
"""How long the tee outlives its child at most, where a grandchild holds a stream."""


def kind_of(fd: int) -> str:
    """Say what a descriptor is: a pipe, a socket, or something else."""
    mode = os.fstat(fd).st_mode
    return "socket" if stat.S_ISSOCK(mode) else "pipe" if stat.S_ISFIFO(mode) else "other"


def link_like(fd: int) -> tuple[int, int]:
    """Make the same kind of link as `fd` is; return its reading and its writing end."""
    if kind_of(fd) != "socket":
        return os.pipe()
    reading, writing = socket.socketpair()
    return reading.detach(), writing.detach()


def write_all(fd: int, data: bytes) -> None:
    """Write every byte, however many writes it takes."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(fd, rest) :]


def pump(source: int, sink: int, copy: Path) -> None:
    """Keep and pass on until either end is closed, then close the other."""
    with copy.open("wb", buffering=0) as kept, suppress(BrokenPipeError, ConnectionResetError):
        while data := os.read(source, READ_SIZE):
            kept.write(data)
            write_all(sink, data)
    os.close(sink)
    os.close(source)


def start(folder: Path, argv: list[str]) -> tuple[subprocess.Popen[bytes], list[threading.Thread]]:
    """Start the command on links like our own, and a pump for each."""
    links = {stream: link_like(fd) for stream, fd in STREAMS.items()}
    theirs = (links["in"][0], links["out"][1], links["err"][1])
    child = subprocess.Popen(argv, stdin=theirs[0], stdout=theirs[1], stderr=theirs[2])
    for fd in theirs:
        os.close(fd)
    ways = {"in": (0, links["in"][1]), "out": (links["out"][0], 1), "err": (links["err"][0], 2)}
    pumps = [
        threading.Thread(target=pump, args=(*way, folder / stream), daemon=True)
        for stream, way in ways.items()
    ]
    for thread in pumps:
        thread.start()
    return child, pumps


def end_like(status: int) -> None:
    """End with the child's exit code, or by the signal that ended it."""
    if status < 0:
        with suppress(OSError):  # KILL has no other disposition
            signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    os._exit(status)


def main() -> None:
    """Run the command, pass on the signals that ask it to end, and end as it does."""
    folder, *argv = sys.argv[1:]
    kept = Path(folder)
    kept.mkdir(parents=True, exist_ok=True)
    kinds = {stream: kind_of(fd) for stream, fd in STREAMS.items()}
    (kept / "kinds").write_text(json.dumps(kinds))
    child, (_, *outgoing) = start(kept, argv)

    def forward(number: int, _frame: FrameType | None) -> None:
        child.send_signal(number)

    for number in FORWARDED:
        signal.signal(number, forward)
    status = child.wait()
    for thread in outgoing:
        thread.join(LAST_BYTES_S)
    end_like(status)


if __name__ == "__main__":
    main()
