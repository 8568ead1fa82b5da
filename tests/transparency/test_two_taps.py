"""Several taps and readers at once change nothing."""

import os
import sqlite3
import threading
import time
from contextlib import closing, suppress

from tests.transparency.child import Child
from tests.transparency.recorded import find_recorded, is_finished
from tests.transparency.waiting import best_of, until
from tests.transparency.ways import Starter, lean_environment, program

MB = 1 << 20
VISIBLE_S = 0.300


def count_chunks(file: str) -> int:
    """Count what another process sees of a recording now."""
    with (
        suppress(sqlite3.Error),
        closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as db,
    ):
        return int(db.execute("select count(*) from chunks").fetchone()[0])
    return 0


class Follower(threading.Thread):
    """Looks at a recording over and over until it is finished."""

    def __init__(self, file: str) -> None:
        super().__init__()
        self.file = file
        self.counts: list[int] = []

    def run(self) -> None:
        """Look, and keep what was seen."""
        until(self.look, f"{self.file} to be finished")

    def look(self) -> bool:
        """Count once; tell whether the recording is finished."""
        self.counts.append(count_chunks(self.file))
        return is_finished(self.file)


def file_of(child: Child) -> str:
    """Return where the child is recorded."""
    assert child.file is not None
    return child.file


def test_two_taps_and_a_reader_that_follows_change_nothing(record: Starter) -> None:
    payloads = [bytes([65 + number]) * 999 + b"\n" for number in range(2)]
    payloads = [line * 8000 for line in payloads]
    children = [record(program("echo.py")) for _ in payloads]
    followers = [Follower(file_of(child)) for child in children]
    hosts = [
        threading.Thread(target=child.converse, args=(payload,))
        for child, payload in zip(children, payloads, strict=True)
    ]
    for thread in (*followers, *hosts):
        thread.start()
    for thread in (*hosts, *followers):
        thread.join()
    for child, payload, follower in zip(children, payloads, followers, strict=True):
        assert child.received["out"] == payload
        assert child.wait() == 0
        recorded = child.recorded()
        assert (recorded.stream("in"), recorded.stream("out")) == (payload, payload)
        assert follower.counts == sorted(follower.counts)


def test_two_taps_told_the_same_file_make_two_recordings(record: Starter) -> None:
    file = str(record.folder / "same.tap")
    children = [record(program("echo.py"), file=file) for _ in range(2)]
    for number, child in enumerate(children):
        assert child.converse(b"%d" % number) == (b"%d" % number, b"")
        assert child.wait() == 0
    streams = {find_recorded(name).stream("in") for name in (file, file + "~2")}
    assert streams == {b"0", b"1"}


def test_a_recording_that_exists_is_kept_and_the_next_takes_another_name(record: Starter) -> None:
    file = str(record.folder / "same.tap")
    for number in range(3):
        child = record(program("echo.py"), file=file)
        child.converse(b"%d" % number)
        assert child.wait() == 0
        find_recorded(file if number == 0 else f"{file}~{number + 1}")
    names = [file, f"{file}~2", f"{file}~3"]
    assert [find_recorded(name).stream("in") for name in names] == [b"0", b"1", b"2"]
    assert sorted(os.listdir(record.folder)) == [os.path.basename(name) for name in names]


def test_what_has_crossed_is_visible_to_others_within_a_blink(record: Starter) -> None:
    child = record(program("echo.py"), env=lean_environment())
    child.send(b"the first line starts the ingester\n")
    child.receive_line()
    until(lambda: count_chunks(file_of(child)) >= 2, "the first chunks to be visible")

    def from_crossing_to_visible() -> float:
        chunks = count_chunks(file_of(child))
        child.send(b"line\n")
        child.receive_line()
        began = time.monotonic()
        until(lambda: count_chunks(file_of(child)) >= chunks + 2, "the chunks to be visible")
        return time.monotonic() - began

    assert best_of(5, from_crossing_to_visible) < VISIBLE_S
