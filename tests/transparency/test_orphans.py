"""A tap that is killed leaves no plugin behind, whatever the plugin ignores."""

import os
import random
import signal
import time
from functools import partial

from tests.transparency.child import gone_within
from tests.transparency.ingester import pids_mentioning
from tests.transparency.waiting import best_of, until
from tests.transparency.ways import Starter, lean_environment, only_linux, plugin, program

GONE_S = 0.100

IGNORES_TERM = plugin(
    "signal.signal(signal.SIGTERM, signal.SIG_IGN)",
    "os.write(1, b'%d\\n' % os.getpid())",
    "while data := os.read(0, 99): os.write(1, data)",
    "signal.pause()",  # deaf to the end of its stdin as well
)


@only_linux
def test_a_plugin_that_ignores_sigterm_is_gone_once_we_are_killed(start: Starter) -> None:
    def from_kill_to_gone() -> float:
        child = start(IGNORES_TERM, env=lean_environment())
        pidfd = os.pidfd_open(int(child.receive_line()))
        child.signal(signal.SIGTERM)
        child.send(b"still there?")
        assert child.receive_exactly(12) == b"still there?"
        began = time.monotonic()
        child.signal(signal.SIGKILL)
        assert gone_within(pidfd)
        took = time.monotonic() - began
        os.close(pidfd)
        assert child.wait() == -signal.SIGKILL
        return took

    assert best_of(3, from_kill_to_gone) < GONE_S


@only_linux
def test_no_moment_of_the_start_leaves_an_orphan(record: Starter) -> None:
    chance = random.Random(8)
    for trial in range(8):
        mark = f"mark-{os.getpid()}-{trial}"
        child = record([*IGNORES_TERM, mark], env=lean_environment())
        time.sleep(chance.uniform(0.02, 0.12))  # the moment is what is varied
        child.signal(signal.SIGKILL)
        assert child.wait() == -signal.SIGKILL
        until(partial(nobody_mentions, mark), "the plugin to be gone")


def nobody_mentions(mark: str) -> bool:
    """Whether no process has the mark on its command line."""
    return not pids_mentioning(mark)


def test_a_plugin_hears_of_its_hosts_death_by_the_end_of_stdin(start: Starter) -> None:
    child = start(program("echo.py"))
    child.send(b"hello")
    assert child.receive_exactly(5) == b"hello"
    for stream in ("in", "out", "err"):  # what the kernel does for a host that is killed
        child.close(stream)
    assert child.wait() == 0
