"""Whatever happens to the recording, the traffic goes on untouched, and the gap is stated."""

import os
import resource
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.transparency.child import Child
from tests.transparency.ingester import send_to_ingester
from tests.transparency.recorded import Recorded, finish_recorded, has_session
from tests.transparency.waiting import until
from tests.transparency.ways import Starter, environment, only_linux, plugin, program

MB = 1 << 20
PAYLOAD = bytes(range(256)) * 32768  # 8 MB, told from itself at any other offset modulo 256
COPY_ONE_BY_ONE = plugin("while data := os.read(0, 1 << 20): os.write(1, data)")


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Mount a disk of 2 MB, where that is allowed."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount(folder, "size=2m")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def mount(folder: Path, options: str) -> None:
    """Mount a file system in memory, or skip the test."""
    command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("needs to be allowed to mount a tmpfs")


def missing(recorded: Recorded, stream: str, original: bytes) -> int:
    """Check that each byte of a stream is on record or in a stated gap; return how many are not.

    The chunks and the gaps together cover the stream once, and what is on record is true.
    """
    spans = [
        (start, len(data))
        for its, start, data in recorded.chunks
        if its == stream and data == original[start : start + len(data)]
    ]
    gaps = [
        (gap["from"], gap["size"]) for gap in recorded.details("gap") if gap["stream"] == stream
    ]
    at = 0
    for start, size in sorted(spans + gaps):
        assert start == at, f"{stream}: bytes {at} to {start} are neither on record nor missing"
        at += size
    assert at == len(original)
    return sum(size for _, size in gaps)


def exchange(child: Child, payload: bytes) -> None:
    """Send a payload in pieces; each must come back before the next is sent."""
    for start in range(0, len(payload), MB // 16):
        piece = payload[start : start + MB // 16]
        child.send(piece)
        assert child.receive_exactly(len(piece)) == piece


def wait_for_ingester(child: Child) -> str:
    """Have the first bytes cross and wait until the recording is there; return its path."""
    assert child.file is not None
    file = child.file
    child.send(b"!")
    assert child.receive_exactly(1) == b"!"
    until(lambda: os.path.exists(file), "the recording to be there")
    return file


def limit_file_size(child: Child, size: int) -> None:
    """Let the process write no file beyond so many bytes; what it has started may."""
    hard = resource.prlimit(child.pid, resource.RLIMIT_FSIZE)[1]
    resource.prlimit(child.pid, resource.RLIMIT_FSIZE, (size, hard))


@only_linux
def test_a_full_disk_does_not_touch_the_traffic(record: Starter, small_disk: Path) -> None:
    file = str(small_disk / "full.tap")
    child = record(program("echo.py"), file=file)
    assert child.converse(PAYLOAD) == (PAYLOAD, b"")
    assert child.wait() == 0
    subprocess.run(["mount", "-o", "remount,size=64m", str(small_disk)], check=True)
    recorded = finish_recorded(file)
    assert missing(recorded, "in", PAYLOAD) > 0
    assert missing(recorded, "out", PAYLOAD) > 0


@only_linux
def test_a_journal_that_cannot_grow_does_not_touch_the_traffic(record: Starter) -> None:
    child = record(COPY_ONE_BY_ONE)
    wait_for_ingester(child)
    limit_file_size(child, MB)
    exchange(child, PAYLOAD[:-1])
    child.close("in")
    assert child.receive_rest("err") == b""
    assert child.wait() == 0
    for stream in ("in", "out"):
        assert missing(child.recorded(), stream, b"!" + PAYLOAD[:-1]) > 0


@only_linux
def test_recording_goes_on_once_the_trouble_is_over(record: Starter) -> None:
    child = record(COPY_ONE_BY_ONE)
    wait_for_ingester(child)
    limit_file_size(child, MB)
    exchange(child, PAYLOAD)
    limit_file_size(child, resource.RLIM_INFINITY)
    exchange(child, b"the last words")
    child.close("in")
    assert child.wait() == 0
    recorded = child.recorded()
    sent = b"!" + PAYLOAD + b"the last words"
    assert missing(recorded, "in", sent) > 0
    assert missing(recorded, "out", sent) > 0
    assert recorded.chunks[-1][2] == b"the last words"
    assert recorded.details("recording-error")[0]["errno"] == "EFBIG"
    assert recorded.outcome == "exit 0"


@only_linux
def test_who_prefers_to_stop_is_stopped_and_has_all_on_record(record: Starter) -> None:
    child = record(COPY_ONE_BY_ONE, options=["--on-record-error", "stop"])
    file = wait_for_ingester(child)
    limit_file_size(child, MB)
    with pytest.raises((BrokenPipeError, AssertionError)):
        exchange(child, PAYLOAD)
    child.receive_rest()
    assert child.wait() == 3
    assert finish_recorded(file).stream("out").startswith(child.received["out"])


def test_a_place_that_cannot_be_written_does_not_touch_the_traffic(record: Starter) -> None:
    (record.folder / "a file").write_bytes(b"")
    place = str(record.folder / "a file" / "x.tap")
    child = record(program("echo.py"), file=place)
    out, err = child.converse(PAYLOAD)
    assert out == PAYLOAD
    assert err.count(b"\n") == 1
    assert place.encode() in err
    assert child.wait() == 0


@only_linux
def test_a_read_only_disk_does_not_touch_the_traffic(record: Starter, small_disk: Path) -> None:
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    place = str(small_disk / "x.tap")
    child = record(program("echo.py"), file=place)
    out, err = child.converse(PAYLOAD)
    assert out == PAYLOAD
    assert err.count(b"\n") == 1
    assert place.encode() in err
    assert child.wait() == 0


def test_who_prefers_to_stop_is_not_started_where_nothing_can_be_written(record: Starter) -> None:
    (record.folder / "a file").write_bytes(b"")
    place = str(record.folder / "a file" / "x.tap")
    child = record(
        plugin("os.write(1, b'I am started')"), file=place, options=["--on-record-error=stop"]
    )
    assert child.receive_rest() == b""
    assert child.receive_rest("err").count(b"\n") == 1
    assert child.wait() == 3


def test_a_journal_that_is_deleted_meanwhile_is_read_to_its_end(record: Starter) -> None:
    child = record(COPY_ONE_BY_ONE)
    file = wait_for_ingester(child)
    os.unlink(file + ".wire")
    exchange(child, PAYLOAD)
    child.close("in")
    assert child.receive_rest("err") == b""
    assert child.wait() == 0
    until(lambda: is_whole(file, b"!" + PAYLOAD), "all to be on record")


def test_a_recording_that_is_deleted_meanwhile_is_made_again(record: Starter) -> None:
    child = record(COPY_ONE_BY_ONE)
    file = wait_for_ingester(child)
    exchange(child, PAYLOAD[:MB])
    for name in os.listdir(record.folder):
        if not name.endswith(".wire"):
            os.unlink(record.folder / name)
    exchange(child, PAYLOAD)
    child.close("in")
    assert child.receive_rest("err") == b""
    assert child.wait() == 0
    sent = b"!" + PAYLOAD[:MB] + PAYLOAD
    assert missing(child.recorded(), "out", sent) == 0
    assert os.path.exists(file)


@only_linux
def test_an_ingester_that_is_killed_does_not_touch_the_traffic(record: Starter) -> None:
    child = record(COPY_ONE_BY_ONE)
    file = wait_for_ingester(child)
    send_to_ingester(file, signal.SIGKILL)
    exchange(child, PAYLOAD)
    child.close("in")
    assert child.receive_rest("err") == b""
    assert child.wait() == 0
    recorded = finish_recorded(file)
    assert recorded.stream("in") == recorded.stream("out") == b"!" + PAYLOAD


@only_linux
def test_an_ingester_that_hangs_does_not_keep_us(record: Starter) -> None:
    child = record(COPY_ONE_BY_ONE)
    file = wait_for_ingester(child)
    send_to_ingester(file, signal.SIGSTOP)
    exchange(child, PAYLOAD)
    child.close("in")
    assert child.receive_rest("err") == b""
    assert child.wait() == 0
    send_to_ingester(file, signal.SIGCONT)
    assert child.recorded().stream("out") == b"!" + PAYLOAD


def test_an_ingester_that_crashes_at_once_does_not_touch_the_traffic(record: Starter) -> None:
    (record.folder / "sitecustomize.py").write_text(
        "import os, sys\nif 'tapproxy.ingest' in sys.orig_argv: os.abort()\n"
    )
    sources = environment()["PYTHONPATH"]
    env = environment(PYTHONPATH=f"{record.folder}{os.pathsep}{sources}")
    child = record(program("echo.py"), env=env)
    assert child.converse(PAYLOAD) == (PAYLOAD, b"")
    assert child.wait() == 0
    assert child.file is not None
    assert finish_recorded(child.file).stream("in") == PAYLOAD


def is_whole(file: str, payload: bytes) -> bool:
    """Whether both directions are on record; not while the recording has no session yet.

    Without a journal, nothing tells whether the ingester has ended.
    """
    if not has_session(file):
        return False
    recorded = finish_recorded(file)
    return recorded.stream("in") == recorded.stream("out") == payload
