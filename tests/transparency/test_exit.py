"""The plugin's end is ours: the same code or signal, at once, and not a byte earlier."""

import os
import resource
import select
import signal
import time

import pytest

from tests.transparency.links import pipe_from_child
from tests.transparency.waiting import best_of, holds_now
from tests.transparency.ways import Starter, lean_environment, only_linux, plugin

AT_ONCE_S = 0.100
TAIL = b"".join(b"%06d\n" % number for number in range(28_572))  # 200,004 bytes

GRANDCHILD_HOLDS_STDOUT = plugin(
    "if os.fork():",
    "    os.write(2, b'ready')",
    "    os.read(0, 1)",
    "    os._exit(7)",
    "os.read(3, 1)",  # until the host lets it go on
    "os.write(1, b'later')",
)


@pytest.mark.parametrize("code", [0, 1, 7, 255])
def test_the_exit_code_is_the_plugins(start: Starter, code: int) -> None:
    child = start(plugin(f"os._exit({code})"))
    assert child.wait() == code
    if start.tapped:
        recorded = child.recorded()
        assert (recorded.outcome, recorded.details("exit")) == (f"exit {code}", [{"code": code}])


def test_the_exit_code_is_the_plugins_though_the_host_ignores_sigchld(start: Starter) -> None:
    child = start(
        plugin("os._exit(7)"), before=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    )
    assert child.wait() == 7


@pytest.mark.parametrize("name", ["SIGSEGV", "SIGKILL", "SIGTERM", "SIGABRT"])
def test_death_by_a_signal_is_death_by_that_signal(start: Starter, name: str) -> None:
    child = start(["sh", "-c", f"kill -{name[3:]} $$"])
    assert child.wait() == -signal.Signals[name]
    if start.tapped:
        recorded = child.recorded()
        assert recorded.outcome == f"signal {name}"
        assert [its["signal"] for its in recorded.details("exit")] == [name]


def test_a_death_leaves_one_core_file_at_most(start: Starter) -> None:
    hard = resource.getrlimit(resource.RLIMIT_CORE)[1]
    cores = start.folder / "cores"
    cores.mkdir()
    child = start(
        ["sh", "-c", "kill -SEGV $$"],
        cwd=str(cores),
        before=lambda: resource.setrlimit(resource.RLIMIT_CORE, (hard, hard)),
    )
    assert child.wait() == -signal.SIGSEGV
    assert len(list(cores.iterdir())) <= 1


def test_a_plugin_that_exits_with_stdin_open_ends_us_at_once(start: Starter) -> None:
    def from_go_to_exit() -> float:
        child = start(
            plugin("os.write(1, b'ready')", "os.read(0, 1)", "os._exit(7)"),
            env=lean_environment(),
        )
        child.receive_exactly(5)
        child.send(b".")
        began = time.monotonic()
        assert child.wait() == 7
        return time.monotonic() - began

    assert best_of(3, from_go_to_exit) < AT_ONCE_S


def test_the_last_bytes_before_an_exit_arrive(start: Starter) -> None:
    child = start(plugin(f"os.write(1, b''.join(b'%06d\\n' % n for n in range({28_572})))"))
    assert child.receive_rest() == TAIL
    assert child.wait() == 0


@only_linux
def test_the_last_bytes_arrive_though_the_exit_is_awaited_first(start: Starter) -> None:
    command = plugin(f"os.write(1, b''.join(b'%06d\\n' % n for n in range({28_572})))")
    child = start(command, stdout=pipe_from_child(capacity=1 << 18))
    assert child.wait() == 0
    assert child.receive_rest() == TAIL


def test_the_last_bytes_of_both_outputs_arrive_after_a_death(start: Starter) -> None:
    child = start(
        plugin(
            "os.write(1, b'o' * 50_000); os.write(2, b'e' * 50_000)",
            "os.kill(os.getpid(), signal.SIGKILL)",
        )
    )
    assert child.wait() == -signal.SIGKILL
    assert child.receive_rest() == b"o" * 50_000
    assert child.receive_rest("err") == b"e" * 50_000


def test_the_host_sees_the_exit_at_once_though_a_grandchild_holds_stdout(start: Starter) -> None:
    def from_go_to_exit() -> float:
        listening, go_on = os.pipe()
        child = start(GRANDCHILD_HOLDS_STDOUT, fd3=listening, env=lean_environment())
        os.close(listening)
        child.receive_exactly(5, "err")
        child.send(b".")
        began = time.monotonic()
        assert child.wait() == 7
        took = time.monotonic() - began
        assert not holds_now(child.ends["out"], select.POLLIN | select.POLLHUP)
        os.write(go_on, b".")
        os.close(go_on)
        assert child.receive_rest() == b"later"
        assert child.receive_rest("err") == b""
        return took

    assert best_of(3, from_go_to_exit) < AT_ONCE_S


def test_a_grandchild_goes_on_hearing_the_host(start: Starter) -> None:
    child = start(
        plugin(
            "if os.fork(): os._exit(7)",
            "while data := os.read(0, 99): os.write(1, data)",
        )
    )
    assert child.wait() == 7
    child.send(b"are you there?")
    assert child.receive_exactly(14) == b"are you there?"
    child.close("in")
    assert child.receive_rest() == b""


def test_a_grandchild_that_lingers_is_on_record_with_what_it_says(record: Starter) -> None:
    listening, go_on = os.pipe()
    child = record(GRANDCHILD_HOLDS_STDOUT, fd3=listening)
    os.close(listening)
    child.send(b".")
    assert child.wait() == 7
    os.write(go_on, b".")
    os.close(go_on)
    assert child.receive_rest() == b"later"
    recorded = child.recorded()
    assert recorded.stream("out") == b"later"
    assert "out" in recorded.details("lingering")[0]["streams"]
    assert recorded.outcome == "exit 7"
