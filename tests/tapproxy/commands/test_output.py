"""What a command writes arrives in few pieces, and as far as it goes."""

import os
import pty
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tapproxy.commands.output import BATCH, BATCH_SIZE, FIRST_BATCH, PIPED_WIDTH, batched
from tapproxy_store.errors import DamagedRecording
from tests.tapproxy.commands.terminals import TAP, set_size
from tests.viewers.made import MS, record, session


def test_a_screenful_comes_first_and_then_more_at_once() -> None:
    sizes = [len(batch) for batch in batched(b"." for _ in range(FIRST_BATCH + BATCH + 3))]
    assert sizes == [FIRST_BATCH, BATCH, 3]


def test_large_pieces_are_not_gathered() -> None:
    large = b"." * BATCH_SIZE
    assert list(batched([large, large])) == [large, large]


def test_what_came_before_a_failure_is_given_out() -> None:
    def torn() -> Iterator[bytes]:
        yield b"readable"
        raise DamagedRecording("from here on")

    batches = batched(torn())
    assert next(batches) == b"readable"
    with pytest.raises(DamagedRecording):
        next(batches)


def test_lines_for_a_pipe_are_as_wide_as_the_terminal_that_stderr_is(tmp_path: Path) -> None:
    path = str(tmp_path / "a.tap")
    record(path, session(), ("out", MS, b"." * 200 + b"\n"))
    ours, theirs = pty.openpty()
    set_size(theirs, 24, 70)
    environment = {name: it for name, it in os.environ.items() if name != "COLUMNS"}
    command = [*TAP, "show", path]
    for stderr, width in ((theirs, 70), (subprocess.DEVNULL, PIPED_WIDTH)):
        shown = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=stderr, env=environment, check=True
        )
        assert len(shown.stdout.decode().splitlines()[-1]) == width
    os.close(ours)
    os.close(theirs)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_disk_is_told_in_one_line(tmp_path: Path) -> None:
    path = str(tmp_path / "a.tap")
    record(path, session())
    with open("/dev/full", "wb") as full:
        shown = subprocess.run(
            [*TAP, "show", path], stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert shown.stderr == b"tap: cannot write to stdout: No space left on device\n"
    assert shown.returncode == 3
