"""What a session of a wrapped program removes when it begins: by real processes."""

import os
import subprocess
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from tapproxy_store.journal_reading import is_live
from tests.tapproxy.commands.terminals import TAP

PATIENCE_S = 60.0
DAY_S = 86_400


def comes_true(is_so: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + PATIENCE_S
    while not is_so():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def run(folder: Path, name: str, keep: str | None) -> list[str]:
    kept = [] if keep is None else ["--keep", keep]
    return [*TAP, "run", "-o", str(folder), "--name", name, *kept, "--", "cat"]


def session(
    folder: Path, name: str = "plugin", keep: str | None = "none", days_ago: int = 0
) -> str:
    """Record a session to its end, as if it had begun so long ago; return its file's name."""
    before = set(folder.iterdir())
    waiting = set(folder.glob("*.wire"))
    subprocess.run(run(folder, name, keep), input=b"hello\n", check=True, timeout=PATIENCE_S)
    assert comes_true(lambda: set(folder.glob("*.wire")) == waiting)
    (made,) = set(folder.glob("*.tap")) - before
    if not days_ago:
        return made.name
    stamp = time.strftime("%Y%m%d-%H%M%S", time.localtime(time.time() - days_ago * DAY_S))
    return made.rename(folder / (stamp + made.name[len(stamp) :])).name


def names(folder: Path) -> set[str]:
    return {it.name for it in folder.iterdir()}


def test_the_next_session_removes_the_oldest_of_its_own_and_nothing_else(tmp_path: Path) -> None:
    session(tmp_path, days_ago=9)
    session(tmp_path, days_ago=8)
    stays = {
        session(tmp_path, days_ago=7),
        session(tmp_path, "another", days_ago=20),
        session(tmp_path, keep=None, days_ago=30),
    }
    newest = session(tmp_path, keep="count=2")
    assert comes_true(lambda: names(tmp_path) == stays | {newest})


def test_what_is_too_old_goes_and_what_is_too_large_too(tmp_path: Path) -> None:
    session(tmp_path, days_ago=40)
    stays = session(tmp_path, days_ago=20)
    newest = session(tmp_path, keep="default")
    assert comes_true(lambda: names(tmp_path) == {stays, newest})
    newest = session(tmp_path, keep="size=1")
    assert comes_true(lambda: names(tmp_path) == {newest})


def test_a_session_that_lives_is_never_removed_nor_is_its_journal(tmp_path: Path) -> None:
    with ExitStack() as stack:
        living = [
            stack.enter_context(
                subprocess.Popen(
                    run(tmp_path, "plugin", "count=1"),
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                )
            )
            for _ in range(2)
        ]
        for it in living:
            assert it.stdin is not None
            it.stdin.write(b"hello\n")
            it.stdin.flush()
        assert comes_true(lambda: len(list(tmp_path.glob("*.tap"))) == 2)
        paths = [str(it) for it in tmp_path.glob("*.tap")]
        assert all(map(is_live, paths))
        session(tmp_path, keep="count=1")
        assert all(map(os.path.exists, paths))
        for it in living:
            it.communicate(timeout=PATIENCE_S)
    assert comes_true(lambda: not list(tmp_path.glob("*.wire")))
    assert all(map(os.path.exists, paths))


def test_a_recording_that_somebody_reads_stays_where_that_can_be_told(tmp_path: Path) -> None:
    read = session(tmp_path, days_ago=3)
    session(tmp_path, days_ago=2)
    reader = ["sh", "-c", 'exec 3<"$1"; read -r line', "sh", str(tmp_path / read)]
    with subprocess.Popen(reader, stdin=subprocess.PIPE) as process:
        link = Path(f"/proc/{process.pid}/fd/3")
        is_told = not Path("/proc").exists() or comes_true(link.exists)
        newest = session(tmp_path, keep="count=1")
        stays = {read, newest} if Path("/proc").exists() else {newest}
        assert comes_true(lambda: names(tmp_path) == stays)
        process.communicate(b"\n", timeout=PATIENCE_S)
    assert is_told
