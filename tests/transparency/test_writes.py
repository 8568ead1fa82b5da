"""Each read is forwarded as one write, at once: nothing is merged, split or held for a newline."""

import time

from tests.transparency.waiting import best_of
from tests.transparency.ways import Starter, lean_environment, plugin, program

AT_ONCE_S = 0.050
SIZES = (1, 7, 4096)

WRITES_WITH_PAUSES = plugin(
    "for size in (1, 7, 4096):",
    "    os.write(1, b'w' * size)",
    "    os.read(0, 1)",  # the pause: until the host has it
)
REPORTS_READS = plugin(
    "while data := os.read(0, 65536):",
    "    os.write(1, b'%d\\n' % len(data))",
)


def test_writes_with_pauses_arrive_one_by_one(start: Starter) -> None:
    child = start(WRITES_WITH_PAUSES)
    for size in SIZES:
        assert child.receive() == b"w" * size
        child.send(b".")
    assert child.wait() == 0
    if start.tapped:
        assert child.recorded().sizes("out") == [*SIZES]
        assert child.recorded().sizes("in") == [1, 1, 1]


def test_a_hosts_writes_arrive_one_by_one(start: Starter) -> None:
    child = start(REPORTS_READS)
    for size in SIZES:
        child.send(b"w" * size)
        assert child.receive_line() == b"%d\n" % size
    if start.tapped:
        child.close("in")
        assert child.wait() == 0
        assert child.recorded().sizes("in") == [*SIZES]


def test_half_a_line_crosses_at_once_while_its_writer_waits(start: Starter) -> None:
    child = start(program("echo.py"), env=lean_environment())

    def there_and_back() -> float:
        began = time.monotonic()
        child.send(b'{"half":')
        assert child.receive_exactly(8) == b'{"half":'
        return time.monotonic() - began

    assert best_of(5, there_and_back) < AT_ONCE_S


def test_half_a_line_on_stderr_crosses_at_once(start: Starter) -> None:
    child = start(program("echo.py", "both"), env=lean_environment())

    def there_and_back() -> float:
        began = time.monotonic()
        child.send(b"warn")
        assert child.receive_exactly(4, "err") == b"warn"
        return time.monotonic() - began

    assert best_of(5, there_and_back) < AT_ONCE_S


def test_a_header_and_its_body_stay_two_writes(start: Starter) -> None:
    header, body = b"Content-Length: 2\r\n\r\n", b"{}"
    child = start(REPORTS_READS)
    for part in (header, body):
        child.send(part)
        assert child.receive_line() == b"%d\n" % len(part)
