"""A side that stops reading stops the other, as without us, and nothing piles up between."""

import hashlib
import random
import select
import signal
import threading
import time

from tests.transparency.child import Child
from tests.transparency.waiting import holds_now, ready
from tests.transparency.ways import Starter, lean_environment, only_linux, plugin, program

MB = 1 << 20
FLOOD = 64 * MB
PIPES_AT_MOST = MB
"""Two pipes of 64 KiB and what is in hand between them, with room to spare."""
PEAK_AT_MOST_KB = 20 * 1024
STILL_S = 0.3
"""A writer that has not been able to write for so long is blocked."""

FILLS_STDERR = plugin(
    "def fill():",
    "    while True: os.write(2, b'e' * 65536)",
    "threading.Thread(target=fill, daemon=True).start()",
    "os.set_blocking(2, True)",
    "while select.select([], [2], [], 0.1)[1]: pass",
    "os.write(1, b'stderr is full')",
)


def peak_memory_kb(pid: int) -> int:
    """Return the most memory that the process ever had."""
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmHWM"))


def receive_slowly(child: Child, size: int) -> bytes:
    """Read with breaks: each eighth of the way nothing is read for a while."""
    got, breaks = bytearray(), 0
    while len(got) < size and (data := child.receive()):
        got += data
        if len(got) * 8 > size * (breaks + 1):
            breaks += 1
            time.sleep(0.05)
    return bytes(got)


@only_linux
def test_64_mb_each_way_pass_a_slow_reader_with_flat_memory(start: Starter) -> None:
    payload = random.Random(5).randbytes(FLOOD)
    child = start(program("both_ways.py", str(FLOOD), "6"), env=lean_environment())
    sender = threading.Thread(target=child.send, args=(payload,), daemon=True)
    sender.start()
    out = receive_slowly(child, FLOOD)
    sender.join()
    if start.tapped:
        assert peak_memory_kb(child.pid) <= PEAK_AT_MOST_KB
    child.close("in")
    expected = f"{FLOOD} {hashlib.sha256(payload).hexdigest()}\n".encode()
    assert child.receive_rest("err") == expected
    assert out == random.Random(6).randbytes(FLOOD)
    assert child.wait() == 0


def test_a_plugin_whose_host_does_not_read_comes_to_a_halt(start: Starter) -> None:
    child = start(
        plugin(
            "os.set_blocking(1, False)",
            "written = 0",
            f"while select.select([], [1], [], {STILL_S})[1]: written += os.write(1, b'x' * 4096)",
            "os.write(2, b'%d\\n' % written)",
        )
    )
    written = int(child.receive_line("err"))
    assert 0 < written <= PIPES_AT_MOST
    assert child.receive_rest() == b"x" * written


def test_a_host_whose_plugin_does_not_read_comes_to_a_halt(start: Starter) -> None:
    child = start(plugin("os.write(1, b'ready'); signal.pause()"))
    child.receive_exactly(5)
    taken = 0
    try:
        while True:
            child.send(b"x" * 4096, STILL_S)
            taken += 4096
    except TimeoutError:
        assert 0 < taken <= PIPES_AT_MOST


def test_stderr_that_nobody_reads_does_not_stall_stdout(start: Starter) -> None:
    child = start([*FILLS_STDERR[:-1], FILLS_STDERR[-1] + "\nos.write(1, b'o' * (1 << 20))"])
    assert child.receive_exactly(14 + MB) == b"stderr is full" + b"o" * MB


def test_a_plugin_that_dies_with_its_stderr_unread_is_seen_to_die(start: Starter) -> None:
    child = start([*FILLS_STDERR[:-1], FILLS_STDERR[-1] + "\nsignal.pause()"])
    assert child.receive_exactly(14) == b"stderr is full"
    child.signal(signal.SIGTERM)
    assert child.wait() == -signal.SIGTERM
    written = child.receive_rest("err")
    assert written == b"e" * len(written)
    assert len(written) >= 65536


def test_a_plugin_that_exits_with_its_stdout_unread_is_seen_to_exit(start: Starter) -> None:
    child = start(
        plugin(
            "os.set_blocking(1, False)",
            "written = 0",
            f"while select.select([], [1], [], {STILL_S})[1]: written += os.write(1, b'x' * 4096)",
            "os.write(2, b'%d\\n' % written)",
            "os._exit(3)",
        )
    )
    written = int(child.receive_line("err"))
    assert child.wait() == 3
    assert child.receive_rest() == b"x" * written


def test_a_reader_that_does_not_read_is_on_record(record: Starter) -> None:
    child = record(plugin("os.write(1, b'x' * (1 << 19)); os.write(2, b'done')"))
    ready(child.ends["out"], select.POLLIN, "the first bytes")
    assert not holds_now(child.ends["err"], select.POLLIN)
    time.sleep(STILL_S)  # what is recorded is this very time
    child.receive_exactly(1 << 19)
    assert child.receive_exactly(4, "err") == b"done"
    assert child.wait() == 0
    stall, end = child.recorded().details("stall"), child.recorded().details("stall-end")
    assert {(its["stream"], its["reader"]) for its in stall} == {("out", "host")}
    assert max(its["duration_ns"] for its in end) >= 0.05e9
