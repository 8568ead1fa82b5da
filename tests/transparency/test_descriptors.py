"""The plugin's descriptors are what the host gave: kind, capacity, flags, number."""

import fcntl
import json
import os
import select
import socket
from typing import Any

import pytest

from tests.transparency import links
from tests.transparency.child import Child, Stream
from tests.transparency.links import pipe_from_child, pipe_to_child, socket_pair
from tests.transparency.waiting import holds_now, ready
from tests.transparency.ways import Starter, only_linux, plugin, program

PIPE: dict[str, Any] = {"kind": "pipe", "capacity": 65536}
SOCKET = {"kind": "socket", "family": "AF_UNIX"}
NULL = {"kind": "null"}


def described(child: Child, stream: Stream = "out") -> dict[str, Any]:
    """Return the child's own description of its descriptors."""
    found: dict[str, Any] = json.loads(child.receive_line(stream))
    return found


@only_linux
def test_pipes_are_pipes(start: Starter) -> None:
    child = start(program("describe_descriptors.py", "1"))
    assert described(child) == {"in": PIPE, "out": PIPE, "err": PIPE, "same": []}


@only_linux
@pytest.mark.parametrize("capacity", [4096, 16384, 1 << 20])
def test_a_pipe_has_the_capacity_of_the_hosts(start: Starter, capacity: int) -> None:
    child = start(
        program("describe_descriptors.py", "1"),
        stdin=pipe_to_child(capacity),
        stdout=pipe_from_child(capacity),
    )
    sized = {**PIPE, "capacity": capacity}
    assert described(child) == {"in": sized, "out": sized, "err": PIPE, "same": []}


@only_linux
def test_sockets_are_sockets(start: Starter) -> None:
    child = start(
        program("describe_descriptors.py", "1"),
        stdin=socket_pair(),
        stdout=socket_pair(),
        stderr=socket_pair(),
    )
    assert described(child) == {"in": SOCKET, "out": SOCKET, "err": SOCKET, "same": []}


@only_linux
def test_one_socket_may_be_both_stdin_and_stdout(start: Starter) -> None:
    both = socket_pair()
    child = start(
        ["sh", "-c", '"$@"; exec cat', "sh", *program("describe_descriptors.py", "1")],
        stdin=both,
        stdout=both,
    )
    assert described(child) == {"in": SOCKET, "out": SOCKET, "err": PIPE, "same": ["0=1"]}
    child.send(b"there and back")
    assert child.receive_exactly(14) == b"there and back"
    with socket.socket(fileno=os.dup(child.ends["in"])) as host:
        host.shutdown(socket.SHUT_WR)
    assert child.receive_rest() == b""
    assert child.wait() == 0


def test_half_of_a_socket_can_be_shut(start: Starter) -> None:
    child = start(
        plugin("while os.read(0, 99): pass", "os.write(1, b'heard all')"),
        stdin=socket_pair(),
        stdout=socket_pair(),
    )
    child.send(b"all")
    with socket.socket(fileno=os.dup(child.ends["in"])) as host:
        host.shutdown(socket.SHUT_WR)
    assert child.receive_rest() == b"heard all"


@only_linux
def test_dev_null_is_dev_null(start: Starter) -> None:
    child = start(program("describe_descriptors.py", "1"), stdin=links.null(), stderr=links.null())
    assert described(child) == {"in": NULL, "out": PIPE, "err": NULL, "same": ["0=2"]}


@only_linux
def test_stderr_may_be_the_same_as_stdout(start: Starter) -> None:
    both = pipe_from_child()
    child = start(program("describe_descriptors.py", "2"), stdout=both, stderr=both)
    assert described(child) == {"in": PIPE, "out": PIPE, "err": PIPE, "same": ["1=2"]}


def test_stdout_and_stderr_in_one_stream_keep_their_order(start: Starter) -> None:
    both = pipe_from_child()
    child = start(
        plugin("for n in range(2000): os.write(1 + n % 2, b'%d\\n' % n)"),
        stdout=both,
        stderr=both,
    )
    expected = b"".join(b"%d\n" % n for n in range(2000))
    assert child.receive_rest() == expected
    if start.tapped:
        assert child.recorded().stream("out") == expected
        assert child.recorded().facts["descriptors"]["err"]["same_as"] == "out"


@pytest.mark.parametrize("fd", [0, 1, 2])
def test_a_closed_descriptor_stays_closed(start: Starter, fd: int) -> None:
    report = 2 if fd == 1 else 1
    child = start(program("describe_descriptors.py", str(report)), before=lambda: os.close(fd))
    name = ("in", "out", "err")[fd]
    assert described(child, "out" if report == 1 else "err")[name] is None
    assert child.wait() == 0


def test_all_three_descriptors_may_be_closed(start: Starter) -> None:
    child = start(["sh", "-c", "exit 5"], before=lambda: os.closerange(0, 3))
    assert child.wait() == 5


def test_files_may_be_stdin_and_stdout(start: Starter) -> None:
    source, target = start.folder / "source", start.folder / "target"
    source.write_bytes(bytes(range(256)) * 1000)
    target.write_bytes(b"kept\n")
    child = start(
        program("echo.py"),
        stdin=links.file(str(source), os.O_RDONLY),
        stdout=links.file(str(target), os.O_WRONLY | os.O_APPEND),
    )
    assert child.wait() == 0
    assert target.read_bytes() == b"kept\n" + source.read_bytes()


def test_a_log_of_both_outputs_keeps_their_order(start: Starter) -> None:
    log = links.file(str(start.folder / "log"), os.O_WRONLY | os.O_CREAT)
    lines = plugin("for n in range(2000): os.write(1 + n % 2, b'%d\\n' % n)")
    child = start(lines, stdout=log, stderr=log)
    assert child.wait() == 0
    assert (start.folder / "log").read_bytes() == b"".join(b"%d\n" % n for n in range(2000))


def test_descriptor_3_is_inherited_and_its_closing_seen_at_once(start: Starter) -> None:
    listening, talking = os.pipe()
    child = start(
        plugin(
            "os.write(3, b'by the side')", "os.close(3)", "os.write(1, b'closed')", "os.read(0, 1)"
        ),
        fd3=talking,
    )
    os.close(talking)
    assert child.receive_exactly(6) == b"closed"
    ready(listening, select.POLLIN, "the first words")
    assert os.read(listening, 99) == b"by the side"
    ready(listening, select.POLLHUP, "the end of descriptor 3")
    assert os.read(listening, 99) == b""
    assert child.process.poll() is None
    os.close(listening)


def test_nothing_of_ours_holds_a_descriptor_after_the_exit(start: Starter) -> None:
    listening, talking = os.pipe()
    child = start(plugin("os._exit(0)"), fd3=talking)
    os.close(talking)
    assert child.wait() == 0
    for fd in (listening, child.ends["out"], child.ends["err"]):
        assert holds_now(fd, select.POLLHUP)
    os.close(listening)


@only_linux
def test_the_plugin_has_no_other_descriptors(start: Starter) -> None:
    child = start(plugin("os.write(1, ' '.join(os.listdir('/proc/self/fd')).encode())"))
    inherited = sorted(map(int, child.receive_rest().split()))
    assert inherited == [0, 1, 2, 3]  # 3 is the listing's own


@only_linux
@pytest.mark.parametrize("stream", ["in", "out"])
def test_a_descriptor_that_does_not_block_stays_so(start: Starter, stream: str) -> None:
    link = pipe_to_child() if stream == "in" else pipe_from_child()
    os.set_blocking(link.child, False)
    kept = os.dup(link.child)
    child = start(
        program("describe_descriptors.py", "2"),
        stdin=link if stream == "in" else None,
        stdout=link if stream == "out" else None,
    )
    assert described(child, "err")[stream] == {**PIPE, "blocking": False}
    assert child.wait() == 0
    assert not os.get_blocking(kept)
    os.close(kept)


@pytest.mark.parametrize("mode", ["blocking", "non-blocking"])
def test_the_flags_of_the_hosts_descriptors_are_left_alone(start: Starter, mode: str) -> None:
    stdin, stdout, stderr = pipe_to_child(), pipe_from_child(), pipe_from_child()
    kept = [os.dup(link.child) for link in (stdin, stdout, stderr)]
    for fd in kept:
        os.set_blocking(fd, mode == "blocking")
    before = [fcntl.fcntl(fd, fcntl.F_GETFL) for fd in kept]
    child = start(
        plugin("select.select([0], [], [])", "os.write(1, os.read(0, 9))", "signal.pause()"),
        stdin=stdin,
        stdout=stdout,
        stderr=stderr,
    )
    child.send(b"traffic")
    assert child.receive_exactly(7) == b"traffic"
    assert [fcntl.fcntl(fd, fcntl.F_GETFL) for fd in kept] == before
    for fd in kept:
        os.close(fd)


def test_descriptors_that_do_not_block_carry_a_flood(start: Starter) -> None:
    stdin, stdout = pipe_to_child(), pipe_from_child()
    os.set_blocking(stdin.child, False)
    os.set_blocking(stdout.child, False)
    child = start(
        plugin(
            "os.set_blocking(0, True); os.set_blocking(1, True)",
            "while data := os.read(0, 65536): os.write(1, data)",
        ),
        stdin=stdin,
        stdout=stdout,
    )
    payload = bytes(range(256)) * 20_000
    assert child.converse(payload) == (payload, b"")
    assert child.wait() == 0


def test_a_socket_that_others_share_stays_open_for_them(start: Starter) -> None:
    link = socket_pair()
    shared = os.dup(link.child)
    child = start(plugin("os.write(1, b'ours;')"), stdout=link)
    assert child.receive_exactly(5) == b"ours;"
    child.close("in")
    assert child.wait() == 0
    os.write(shared, b"theirs")
    os.close(shared)
    assert os.read(child.ends["out"], 99) == b"theirs"
    assert os.read(child.ends["out"], 99) == b""


def test_a_socket_that_keeps_messages_apart_loses_nothing_of_a_large_one(start: Starter) -> None:
    host, plugins_end = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    link = links.Link(host.detach(), plugins_end.detach())
    child = start(plugin("os.write(1, b'x' * 100_000)", "os.write(1, b'yy')"), stdout=link)
    assert child.receive() == b"x" * 100_000
    assert child.receive() == b"yy"
    assert child.receive_rest() == b""
    assert child.wait() == 0
