"""A plugin in a terminal: keys that send signals, jobs in the foreground and the background."""

import fcntl
import os
import select
import signal
import socket
import termios
from collections.abc import Iterator

import pytest

from tests.transparency.links import Link
from tests.transparency.reports import count_after
from tests.transparency.waiting import ready, write_all
from tests.transparency.ways import Starter, plugin, program

TYPED = {"SIGINT": b"\x03", "SIGQUIT": b"\x1c"}
Sockets = tuple[socket.socket, socket.socket]


@pytest.fixture
def terminal() -> Iterator[tuple[int, int]]:
    """Open a pseudo-terminal: the end at which one types, and the end that is a terminal."""
    typing_end, terminal_end = os.openpty()
    yield typing_end, terminal_end
    os.close(typing_end)
    os.close(terminal_end)


@pytest.fixture
def shell() -> Iterator[Sockets]:
    """Make the line between the test and the shell that runs the job."""
    ours, shells = socket.socketpair()
    with ours, shells:
        yield ours, shells


@pytest.mark.parametrize("name", TYPED)
def test_a_key_typed_in_a_terminal_reaches_the_plugin_once(
    start: Starter, terminal: tuple[int, int], name: str
) -> None:
    typing_end, terminal_end = terminal
    child = start(
        program("report_signals.py"),
        stdin=Link(None, os.dup(terminal_end)),
        session=True,
        before=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
    )
    child.receive_line()
    for times in (1, 2, 3):
        type_in(typing_end, TYPED[name])
        assert count_after(child, name) == times
    if start.tapped:
        child.end()
        seen = [its for its in child.finished().details("signal") if its["signal"] == name]
        assert [(its["from"], its["forwarded"]) for its in seen] == [("terminal", False)] * 3


def test_a_job_stops_at_a_key_and_goes_on_in_the_foreground(
    start: Starter, terminal: tuple[int, int], shell: Sockets
) -> None:
    typing_end, terminal_end = terminal
    ours, shells = shell
    child = start(
        plugin(
            "os.write(1, b'ready\\n')",
            "while data := os.read(0, 99): os.write(1, data)",
            "os._exit(7)",
        ),
        under=program("job_shell.py", "foreground"),
        stdin=Link(None, os.dup(terminal_end)),
        fd3=shells.fileno(),
        session=True,
    )
    assert child.receive_line() == b"ready\n"
    for line in (b"once\n", b"twice\n"):
        type_in(typing_end, b"\x1a")
        assert hear(ours) == b"stopped SIGTSTP\n"
        type_in(typing_end, line)
        ours.send(b"fg\n")
        assert child.receive_line() == line
    type_in(typing_end, b"\x04")
    assert hear(ours) == b"ended 7\n"


def test_a_job_in_the_background_that_does_not_read_is_not_stopped(
    start: Starter, terminal: tuple[int, int], shell: Sockets
) -> None:
    typing_end, terminal_end = terminal
    ours, shells = shell
    child = start(
        plugin(
            "signal.signal(signal.SIGUSR1, lambda *_: os.write(1, b'at work\\n'))",
            "os.write(1, b'%d\\n' % os.getpid())",
            "while True: signal.pause()",
        ),
        under=program("job_shell.py", "background"),
        stdin=Link(None, os.dup(terminal_end)),
        fd3=shells.fileno(),
        session=True,
    )
    plugin_pid = int(child.receive_line())
    for _ in range(3):
        type_in(typing_end, b"typed for somebody else\n")
        os.kill(plugin_pid, signal.SIGUSR1)
        assert child.receive_line() == b"at work\n"
    os.kill(plugin_pid, signal.SIGTERM)
    assert hear(ours) == b"ended -15\n"


def type_in(typing_end: int, keys: bytes) -> None:
    """Type on the terminal."""
    write_all(typing_end, keys, "the terminal to take a key")


def hear(shell: socket.socket) -> bytes:
    """Return what the shell says next about its job."""
    ready(shell.fileno(), select.POLLIN, "the shell to say something")
    return shell.recv(99)
