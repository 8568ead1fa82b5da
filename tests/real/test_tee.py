"""The tee that the other tests here believe."""

import json
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.real.sessions import tee

ALL_BYTES = bytes(range(256)) * 1000
ECHO = "import shutil, sys; shutil.copyfileobj(sys.stdin.buffer, sys.stdout.buffer)"
COMPLAIN = "import sys; sys.stderr.write('no'); raise SystemExit(7)"
FALL = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"
IGNORE_INPUT = "print('ready', flush=True); import signal; signal.pause()"


def test_a_tee_passes_on_and_keeps_every_byte_and_each_end(tmp_path: Path) -> None:
    argv = [*tee(tmp_path), sys.executable, "-c", ECHO]
    done = subprocess.run(argv, input=ALL_BYTES, capture_output=True, check=True, timeout=20)
    assert (done.stdout, done.stderr) == (ALL_BYTES, b"")
    assert kept(tmp_path) == {"in": ALL_BYTES, "out": ALL_BYTES, "err": b""}
    assert kinds(tmp_path) == {"in": "pipe", "out": "pipe", "err": "pipe"}


def test_a_tee_between_sockets_gives_sockets(tmp_path: Path) -> None:
    ours, theirs = socket.socketpair()
    argv = [*tee(tmp_path / "outer"), *tee(tmp_path / "inner"), sys.executable, "-c", ECHO]
    child = subprocess.Popen(argv, stdin=theirs.fileno(), stdout=theirs.fileno())
    theirs.close()
    with ours, ours.makefile("rb") as answers:
        ours.sendall(b"half a line")
        ours.shutdown(socket.SHUT_WR)
        assert answers.read() == b"half a line"
    assert child.wait(timeout=20) == 0
    assert kinds(tmp_path / "inner").items() >= {"in": "socket", "out": "socket"}.items()
    assert kept(tmp_path / "inner")["in"] == b"half a line"


@pytest.mark.parametrize(("program", "status"), [(COMPLAIN, 7), (FALL, -signal.SIGKILL)])
def test_a_tee_ends_as_its_child_does(tmp_path: Path, program: str, status: int) -> None:
    child = subprocess.Popen(
        [*tee(tmp_path), sys.executable, "-c", program],
        stdin=subprocess.PIPE,  # stays open: the child's end is what ends the tee
        stderr=subprocess.PIPE,
    )
    with child:
        assert child.wait(timeout=20) == status


def test_a_tee_passes_on_a_wish_to_end(tmp_path: Path) -> None:
    argv = [*tee(tmp_path), sys.executable, "-c", IGNORE_INPUT]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout
        assert child.stdout.readline() == b"ready\n"
        child.terminate()
        assert child.wait(timeout=20) == -signal.SIGTERM


def kept(folder: Path) -> dict[str, bytes]:
    """Read the copies that a tee made."""
    return {stream: (folder / stream).read_bytes() for stream in ("in", "out", "err")}


def kinds(folder: Path) -> dict[str, str]:
    """Read what a tee's own descriptors were."""
    found: dict[str, str] = json.loads((folder / "kinds").read_text())
    return found
