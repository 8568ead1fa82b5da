"""A signal reaches the plugin once, whoever sent it, and stops and goes on are seen by the host."""

import fcntl
import os
import signal
import termios
from collections.abc import Iterator

import pytest

from tests.transparency.child import Child, wait_for_state
from tests.transparency.links import Link
from tests.transparency.recorded import read_recorded, wait_for_event
from tests.transparency.waiting import until, write_all
from tests.transparency.ways import Starter, only_linux, plugin, program

FORWARDED = ["SIGTERM", "SIGINT", "SIGHUP", "SIGUSR1", "SIGUSR2", "SIGQUIT", "SIGWINCH"]
TYPED = {"SIGINT": b"\x03", "SIGQUIT": b"\x1c"}
READY_THEN_ECHO = plugin(
    "os.write(1, b'%d\\n' % os.getpid())",
    "while data := os.read(0, 99): os.write(1, data)",
)


def count_after(child: Child, name: str) -> int:
    """Send one more signal of another kind; return how often `name` was reported before it."""
    barrier = signal.SIGUSR2 if name == "SIGUSR1" else signal.SIGUSR1
    if not child.received["out"].endswith(f"{name}\n".encode()):
        until(lambda: name.encode() in child.receive_line(), f"{name} to be reported")
    child.signal(barrier)
    while not child.received["out"].endswith(f"{barrier.name}\n".encode()):
        child.receive_line()
    return child.received["out"].decode().split().count(name)


@pytest.fixture
def terminal() -> Iterator[tuple[int, int]]:
    """Open a pseudo-terminal: the end at which one types, and the end that is a terminal."""
    typing_end, terminal_end = os.openpty()
    yield typing_end, terminal_end
    os.close(typing_end)
    os.close(terminal_end)


@pytest.mark.parametrize("name", FORWARDED)
def test_a_signal_sent_to_us_reaches_the_plugin_once(start: Starter, name: str) -> None:
    child = start(program("report_signals.py"))
    child.receive_line()
    child.signal(signal.Signals[name])
    assert count_after(child, name) == 1
    child.close("in")
    assert child.wait() == 0
    if start.tapped:
        assert child.recorded().details("signal")[0] == {
            "signal": name,
            "sender": os.getpid(),
            "from": "process",
            "forwarded": True,
        }


@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2"])
def test_a_plugin_that_does_not_care_dies_of_the_signal(start: Starter, name: str) -> None:
    child = start(READY_THEN_ECHO if name != "SIGINT" else ["sh", "-c", "echo; read line"])
    child.receive_line()
    child.signal(signal.Signals[name])
    assert child.wait() == -signal.Signals[name]


def test_a_signal_before_the_first_byte_is_not_lost(start: Starter) -> None:
    child = start(["sleep", "60"])
    child.signal(signal.SIGTERM)
    assert child.wait() == -signal.SIGTERM


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
        write_all(typing_end, TYPED[name], "the terminal to take a key")
        assert count_after(child, name) == times
    if start.tapped:
        child.end()
        seen = [its for its in child.finished().details("signal") if its["signal"] == name]
        assert [(its["from"], its["forwarded"]) for its in seen] == [("terminal", False)] * 3


def test_a_signal_sent_to_the_whole_group_reaches_the_plugin(start: Starter) -> None:
    child = start(program("report_signals.py"))
    child.receive_line()
    os.killpg(child.pid, signal.SIGTERM)
    assert count_after(child, "SIGTERM") in ((1, 2) if start.tapped else (1,))


@only_linux
def test_a_stop_and_a_continue_are_seen_by_both_sides(start: Starter) -> None:
    child = start(READY_THEN_ECHO)
    plugin_pid = int(child.receive_line())
    child.signal(signal.SIGTSTP)
    assert stopped_by(child) == signal.SIGTSTP
    wait_for_state(plugin_pid, "T")
    child.send(b"wake up")
    child.signal(signal.SIGCONT)
    assert os.WIFCONTINUED(os.waitpid(child.pid, os.WCONTINUED)[1])
    assert child.receive_exactly(7) == b"wake up"
    if child.file:
        wait_for_event(child.file, "continued")
        kinds = [kind for kind, _ in read_recorded(child.file).events]
        assert kinds.index("stopped") < kinds.index("continued")


@only_linux
def test_a_plugin_that_somebody_stops_goes_on_when_somebody_continues_it(start: Starter) -> None:
    child = start(READY_THEN_ECHO)
    plugin_pid = int(child.receive_line())
    os.kill(plugin_pid, signal.SIGSTOP)
    wait_for_state(plugin_pid, "T")
    if child.file:
        wait_for_event(child.file, "stopped")
    child.send(b"wake up")
    os.kill(plugin_pid, signal.SIGCONT)
    assert child.receive_exactly(7) == b"wake up"
    if child.file:
        wait_for_event(child.file, "continued")


def stopped_by(child: Child) -> int:
    """Wait as a shell does until the child has stopped; return the signal that stopped it."""

    def look() -> int:
        pid, status = os.waitpid(child.pid, os.WUNTRACED | os.WNOHANG)
        return os.WSTOPSIG(status) if pid and os.WIFSTOPPED(status) else 0

    return until(look, "the child to be seen to stop")
