"""What is written apart is read apart, and the end of a stream is told as such."""

import os
from collections.abc import Iterator

import anyio
import pytest

from tapproxy.replay import pipes
from tapproxy.replay.pipes import Inlet, Outlet

WITHIN_S = 0.2


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
    inlet, reads = Inlet(pipe[0]), list[bytes]()

    async def play() -> None:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(both, Outlet(pipe[1], apart=True), b"one", b"two")
            while len(reads) < 2:
                reads.append(await inlet.read())

    anyio.run(play)
    assert reads == [b"one", b"two"]


@pytest.mark.parametrize(("apart", "least_s"), [(True, WITHIN_S), (False, 0)])
def test_a_reader_that_does_not_read_is_written_to_all_the_same(
    pipe: tuple[int, int], monkeypatch: pytest.MonkeyPatch, *, apart: bool, least_s: float
) -> None:
    monkeypatch.setattr(pipes, "DRAINED_WITHIN_S", WITHIN_S)

    async def play() -> float:
        began = anyio.current_time()
        assert await both(Outlet(pipe[1], apart=apart), b"one", b"two")
        return anyio.current_time() - began

    assert anyio.run(play) >= least_s
    assert os.read(pipe[0], 100) == b"onetwo"


def test_it_is_waited_for_once_until_it_reads_again(
    pipe: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        outlet = Outlet(pipe[1], apart=True)
        monkeypatch.setattr(pipes, "DRAINED_WITHIN_S", 0)
        assert await both(outlet, b"one", b"two")
        monkeypatch.setattr(pipes, "DRAINED_WITHIN_S", 3600)
        assert await both(outlet, b"three", b"four")
        assert os.read(pipe[0], 100) == b"onetwothreefour"
        assert await outlet.write(b"five")
        with anyio.move_on_after(0.05) as waited:
            await outlet.write(b"six")
        assert waited.cancelled_caught

    anyio.run(play)


def test_more_than_a_pipe_holds_is_written_as_it_is_read(pipe: tuple[int, int]) -> None:
    data, got, inlet = bytes(range(256)) * 2000, bytearray(), Inlet(pipe[0])

    async def play() -> None:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(Outlet(pipe[1], apart=True).write, data)
            while len(got) < len(data):
                got.extend(await inlet.read())

    anyio.run(play)
    assert got == data


def test_it_is_told_where_nobody_reads_any_more(pipe: tuple[int, int]) -> None:
    os.close(pipe[0])
    assert anyio.run(Outlet(pipe[1], apart=True).write, b"x") is False


def test_a_stream_that_is_closed_is_over_and_so_is_the_null_device(pipe: tuple[int, int]) -> None:
    Outlet(pipe[1], apart=False).close()
    assert anyio.run(Inlet(pipe[0]).read) == b""
    null = os.open(os.devnull, os.O_RDONLY)
    assert anyio.run(Inlet(null).read) == b""
    os.close(null)


def test_what_is_there_is_read_at_once_and_the_end_of_a_stream_is_left(
    pipe: tuple[int, int],
) -> None:
    inlet = Inlet(pipe[0])
    assert inlet.read_at_once(0) == b""
    os.write(pipe[1], b"there")
    assert inlet.read_at_once(1000) == b"there"
    os.close(pipe[1])
    assert inlet.read_at_once(1000) == b""
    assert anyio.run(inlet.read) == b""
