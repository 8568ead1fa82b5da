"""The end of any stream, and a reader that leaves, are passed on at once and alone."""

import os
import select
import signal

import pytest

from tests.transparency.child import Stream
from tests.transparency.links import terminal
from tests.transparency.waiting import ready
from tests.transparency.ways import Starter, plugin

GONE = select.POLLERR | select.POLLHUP

WAITS_FOR_ITS_READER_TO_LEAVE = plugin(
    "os.write(1, b'ready')",
    "poll = select.poll(); poll.register(1, 0)",
    "poll.poll()",
    "os.write(2, b'reader has left')",
)
WRITES_UNTIL_IT_CANNOT = plugin(
    "os.write(1, b'ready')",
    "os.read(0, 1)",
    "try:",
    "    while True: os.write(1, b'line\\n')",
    "except BrokenPipeError: os.write(2, b'EPIPE')",
)


def test_the_end_of_stdin_reaches_the_plugin_which_goes_on_talking(start: Starter) -> None:
    child = start(plugin("while os.read(0, 99): pass", "os.write(1, b'x' * 300_000)"))
    child.send(b"last words")
    child.close("in")
    assert child.receive_rest() == b"x" * 300_000
    assert child.wait() == 0


def test_the_end_that_is_typed_in_a_terminal_is_not_missed(start: Starter) -> None:
    end_of_input = b"\x04"  # the terminal passes it on as one empty read, and never again
    child = start(plugin("while line := os.read(0, 99): os.write(1, line)"), stdin=terminal())
    child.send(b"one line\n")
    assert child.receive_line() == b"one line\n"
    os.write(child.ends["in"], end_of_input)
    assert child.receive_rest() == b""
    assert child.wait() == 0


@pytest.mark.parametrize(
    ("ending", "lasting", "fd"), [("out", "err", 1), ("err", "out", 2)], ids=["out", "err"]
)
def test_the_end_of_one_output_reaches_the_host_alone(
    start: Starter, ending: Stream, lasting: Stream, fd: int
) -> None:
    child = start(
        plugin(
            f"os.write({fd}, b'bye'); os.close({fd})",
            f"while data := os.read(0, 99): os.write({3 - fd}, data)",
        )
    )
    assert child.receive_rest(ending) == b"bye"
    child.send(b"still there?")
    assert child.receive_exactly(12, lasting) == b"still there?"
    assert child.process.poll() is None
    child.close("in")
    assert child.wait() == 0


def test_a_plugin_that_closes_both_outputs_still_hears(start: Starter) -> None:
    child = start(
        plugin(
            "os.close(1); os.close(2)",
            "heard = 0",
            "while data := os.read(0, 99): heard += len(data)",
            "os._exit(heard)",
        )
    )
    assert child.receive_rest() == child.receive_rest("err") == b""
    child.send(b"seven..")
    child.close("in")
    assert child.wait() == 7


def test_a_plugin_learns_without_writing_that_its_reader_has_left(start: Starter) -> None:
    child = start(WAITS_FOR_ITS_READER_TO_LEAVE)
    child.receive_exactly(5)
    child.close("out")
    assert child.receive_exactly(15, "err") == b"reader has left"


def test_a_plugin_that_writes_to_a_reader_that_left_gets_epipe(start: Starter) -> None:
    child = start(WRITES_UNTIL_IT_CANNOT)
    child.receive_exactly(5)
    child.close("out")
    child.send(b".")
    assert child.receive_rest("err") == b"EPIPE"
    assert child.wait() == 0


def test_a_plugin_that_writes_to_a_reader_that_left_dies_of_sigpipe(start: Starter) -> None:
    child = start(["yes", "line"])
    child.receive()
    child.close("out")
    assert child.wait() == -signal.SIGPIPE


def test_a_reader_may_have_left_before_the_first_byte(start: Starter) -> None:
    child = start(["yes", "line"])
    child.close("out")
    assert child.wait() == -signal.SIGPIPE


def test_the_reader_of_stderr_may_leave_alone(start: Starter) -> None:
    child = start(
        plugin(
            "os.write(1, b'ready'); os.read(0, 1)",
            "try:",
            "    while True: os.write(2, b'warning\\n')",
            "except BrokenPipeError: os.write(1, b'EPIPE')",
        )
    )
    child.receive_exactly(5)
    child.close("err")
    child.send(b".")
    assert child.receive_exactly(5) == b"EPIPE"


def test_a_host_learns_without_writing_that_the_plugin_closed_its_stdin(start: Starter) -> None:
    child = start(plugin("os.close(0)", "os.write(1, b'closed')", "signal.pause()"))
    assert child.receive_exactly(6) == b"closed"
    assert ready(child.ends["in"], 0, "the pipe to be broken") & GONE
    assert child.process.poll() is None


def test_a_host_that_writes_to_a_closed_stdin_gets_epipe(start: Starter) -> None:
    child = start(plugin("os.close(0)", "os.write(1, b'closed')", "signal.pause()"))
    child.receive_exactly(6)
    ready(child.ends["in"], 0, "the pipe to be broken")
    with pytest.raises(BrokenPipeError):
        os.write(child.ends["in"], b"is anybody there?")


def test_ends_and_leavings_are_on_record(record: Starter) -> None:
    child = record(plugin("os.close(2)", "os.read(0, 1)", "os.close(0)", "os.read(3, 1)"))
    assert child.receive_rest("err") == b""
    child.send(b".")
    ready(child.ends["in"], 0, "the pipe to be broken")
    child.wait()
    recorded = child.recorded()
    assert {"stream": "err", "by": "plugin"} in recorded.details("eof")
    assert [(its["stream"], its["by"]) for its in recorded.details("broken-pipe")] == [
        ("in", "plugin")
    ]
