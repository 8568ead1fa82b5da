"""Says on the descriptor named in its argument, as one line of JSON, what its descriptors are."""

import contextlib
import fcntl
import json
import os
import socket
import stat
import sys

KINDS = {
    stat.S_IFIFO: "pipe",
    stat.S_IFSOCK: "socket",
    stat.S_IFREG: "file",
    stat.S_IFCHR: "device",
}


def describe(fd: int) -> dict[str, object] | None:
    try:
        status = os.fstat(fd)
    except OSError:
        return None
    kind = KINDS.get(stat.S_IFMT(status.st_mode), "other")
    if kind == "device" and status.st_rdev == os.stat(os.devnull).st_rdev:
        kind = "null"
    found: dict[str, object] = {"kind": kind}
    if kind == "pipe":
        found["capacity"] = fcntl.fcntl(fd, fcntl.F_GETPIPE_SZ)
    if kind == "socket":
        with socket.fromfd(fd, socket.AF_UNIX, socket.SOCK_STREAM) as its:
            found["family"] = socket.AddressFamily(its.getsockopt(socket.SOL_SOCKET, 39)).name
    if not os.get_blocking(fd):
        found["blocking"] = False
    return found


def same(one: int, other: int) -> bool:
    with contextlib.suppress(OSError):
        return os.path.sameopenfile(one, other)
    return False


report: dict[str, object] = {name: describe(fd) for fd, name in enumerate(("in", "out", "err"))}
report["same"] = [f"{a}={b}" for a, b in ((0, 1), (0, 2), (1, 2)) if same(a, b)]
os.write(int(sys.argv[1]), json.dumps(report).encode() + b"\n")
