"""A signal reaches the plugin once, whoever sent it, and stops and goes on are seen by the host."""

import os
import signal

import pytest

from tests.transparency.child import Child, wait_for_state
from tests.transparency.recorded import read_recorded, wait_for_event
from tests.transparency.reports import count_after
from tests.transparency.waiting import until
from tests.transparency.ways import Starter, only_linux, plugin, program

FORWARDED = ["SIGTERM", "SIGINT", "SIGHUP", "SIGUSR1", "SIGUSR2", "SIGQUIT", "SIGWINCH"]
READY_THEN_ECHO = plugin(
    "os.write(1, b'%d\\n' % os.getpid())",
    "while data := os.read(0, 99): os.write(1, data)",
)


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
