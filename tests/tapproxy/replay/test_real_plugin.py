"""A real plugin behind a replay: started for its first words, heard, and seen to its end."""

import sys
import time

import anyio
import pytest

from tapproxy.replay.real_plugin import RealPlugin

WITHIN_S = 30

Seen = list[bytes | str]


def played(code: str, *words: bytes, until: int) -> Seen:
    """Have a program get some words; return what it does, so many things of it."""
    seen: Seen = []

    async def run() -> None:
        plugin = RealPlugin(
            [sys.executable, "-c", code],
            lambda data, _: seen.append(data),
            lambda why, _: seen.append(why),
        )
        happened = anyio.Event()

        def look() -> None:
            if len(seen) >= until:
                happened.set()

        for it in words:
            plugin.tell(it)
        try:
            with anyio.fail_after(WITHIN_S):
                async with anyio.create_task_group() as tasks:
                    tasks.start_soon(plugin.run, time.monotonic_ns, look)
                    await happened.wait()
                    tasks.cancel_scope.cancel()
        finally:
            plugin.end()

    anyio.run(run)
    return seen


def test_it_gets_the_words_in_their_order_and_what_it_says_is_heard() -> None:
    code = "import os; os.write(1, (input() + input()).encode()); input()"
    assert played(code, b"one\n", b"two\n", until=1) == [b"onetwo"]


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("import os; os._exit(3)", "exited with code 3"),
        ("import os; os.kill(os.getpid(), 9)", "died of SIGKILL"),
        ("import os, sys; os.close(1); sys.stdin.read()", "closed its stdout"),
        (
            "import os, subprocess, sys\n"
            "subprocess.Popen([sys.executable, '-c', 'import sys; sys.stdin.read()'])\n"
            "os._exit(4)",
            "exited with code 4",
        ),
    ],
)
def test_its_end_is_told_once(code: str, why: str) -> None:
    assert played(code, b"x", until=1) == [why]


def test_its_last_words_are_heard_before_its_end() -> None:
    code = "import os; os.write(1, b'bye')"
    assert played(code, b"x", until=2) == [b"bye", "exited with code 0"]


def test_it_is_not_read_while_there_is_no_room_and_its_last_words_are_heard_all_the_same() -> None:
    size = 1 << 20
    seen: Seen = []
    left = anyio.Event()

    def lose(why: str, _: int) -> None:
        seen.append(why)
        left.set()

    async def run() -> None:
        plugin = RealPlugin(
            [sys.executable, "-c", f"import os; os.write(1, bytes({size})); os._exit(3)"],
            lambda data, _: seen.append(data),
            lose,
            lambda: len(seen) == 1,
        )
        happened = anyio.Event()
        plugin.tell(b"x")
        try:
            with anyio.fail_after(WITHIN_S):
                async with anyio.create_task_group() as tasks:
                    tasks.start_soon(plugin.run, time.monotonic_ns, happened.set)
                    await happened.wait()
                    plugin.go_on()  # there is no room yet
                    await anyio.wait_all_tasks_blocked()
                    assert len(seen) == 1
                    seen.append(b"")  # now there is
                    plugin.go_on()
                    await left.wait()
                    tasks.cancel_scope.cancel()
        finally:
            plugin.end()

    anyio.run(run)
    assert (b"".join(it for it in seen if isinstance(it, bytes)), seen[-1]) == (
        bytes(size),
        "exited with code 3",
    )


def test_what_it_logs_goes_to_stderr(capfd: pytest.CaptureFixture[str]) -> None:
    code = "import sys; print('a log', file=sys.stderr, flush=True); print(1, flush=True); input()"
    played(code, b"x", until=1)
    assert capfd.readouterr().err.startswith("a log\n")


def test_without_words_nothing_is_started() -> None:
    plugin = RealPlugin(["./no-such"], lambda *_: None, lambda *_: None)
    plugin.end()
