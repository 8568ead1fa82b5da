"""What is written apart is read apart, and the end of a stream is told as such."""

import os
from collections.abc import Iterator

import anyio
import pytest

from tapproxy.replay.pipes import DRAINED_WITHIN_S, Outlet, read


@pytest.fixture(name="pipe")
def a_pipe() -> Iterator[tuple[int, int]]:
    ends = os.pipe()
    yield ends
    for end in ends:
        try:
            os.close(end)
        except OSError:  # the test has closed it
            continue


async def both(outlet: Outlet, *written: bytes) -> bool:
    return all([await outlet.write(data) for data in written])


def test_a_write_that_is_kept_apart_waits_until_the_one_before_is_read(
    pipe: tuple[int, int],
) -> None:
    reads: list[bytes] = []

    async def play() -> None:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(both, Outlet(pipe[1], apart=True), b"one", b"two")
            while len(reads) < 2:
                reads.append(await read(pipe[0]))

    anyio.run(play)
    assert reads == [b"one", b"two"]


@pytest.mark.parametrize(("apart", "least_s"), [(True, DRAINED_WITHIN_S), (False, 0)])
def test_a_reader_that_does_not_read_is_written_to_all_the_same(
    pipe: tuple[int, int], *, apart: bool, least_s: float
) -> None:
    async def play() -> float:
        began = anyio.current_time()
        assert await both(Outlet(pipe[1], apart=apart), b"one", b"two")
        return anyio.current_time() - began

    assert anyio.run(play) >= least_s
    assert os.read(pipe[0], 100) == b"onetwo"


def test_more_than_a_pipe_holds_is_written_as_it_is_read(pipe: tuple[int, int]) -> None:
    data, got = bytes(range(256)) * 2000, bytearray()

    async def play() -> None:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(Outlet(pipe[1], apart=True).write, data)
            while len(got) < len(data):
                got.extend(await read(pipe[0]))

    anyio.run(play)
    assert got == data


def test_it_is_told_where_nobody_reads_any_more(pipe: tuple[int, int]) -> None:
    os.close(pipe[0])
    assert anyio.run(Outlet(pipe[1], apart=True).write, b"x") is False


def test_a_stream_that_is_closed_is_over_and_so_is_the_null_device(pipe: tuple[int, int]) -> None:
    Outlet(pipe[1], apart=False).close()
    assert anyio.run(read, pipe[0]) == b""
    null = os.open(os.devnull, os.O_RDONLY)
    assert anyio.run(read, null) == b""
    os.close(null)
