"""What surrounds a plugin beyond its streams: odd environments and pipes make no difference."""

import os
import resource

from tests.transparency.links import Link
from tests.transparency.ways import PYTHON, Starter, environment, only_linux, plugin

EXECUTES_WITH_ODD_ENVIRONMENT = """
import ctypes, sys
def array(items): return (ctypes.c_char_p * (len(items) + 1))(*items, None)
argv = [item.encode() for item in sys.argv[1:]]
entries = [b"A=1", b"A=2", b"no equals sign", b"=nameless", b"PATH=/usr/bin:/bin"]
entries += [item.encode() for item in %r]
ctypes.CDLL(None).execve(argv[0], array(argv), array(entries))
"""


@only_linux
def test_an_environment_is_passed_on_entry_by_entry(start: Starter) -> None:
    packages = f"PYTHONPATH={environment()['PYTHONPATH']}"
    code = EXECUTES_WITH_ODD_ENVIRONMENT % [packages]
    child = start(["/bin/cat", "/proc/self/environ"], under=[*PYTHON, "-c", code])
    entries = child.receive_rest().split(b"\0")[:-1]
    assert entries[:5] == [b"A=1", b"A=2", b"no equals sign", b"=nameless", b"PATH=/usr/bin:/bin"]
    assert entries[5:] == [packages.encode()]
    assert child.wait() == 0


def test_modules_that_the_host_gives_its_plugin_do_not_stand_in_for_ours(start: Starter) -> None:
    folder = start.folder / "modules"
    folder.mkdir()
    for name in ("json", "threading", "select", "struct", "orjson", "sqlite_utils", "rich"):
        (folder / f"{name}.py").write_text("raise SystemExit('the wrong module')")
    found = os.pathsep.join((str(folder), environment()["PYTHONPATH"]))
    child = start(["cat"], env=environment(PYTHONPATH=found))
    assert child.converse(b"hello\n") == (b"hello\n", b"")
    assert child.wait() == 0


@only_linux
def test_a_pipe_that_keeps_packets_apart_is_mirrored_by_one(start: Starter) -> None:
    reading, writing = os.pipe2(os.O_DIRECT)
    child = start(
        plugin("for n in range(5): os.write(1, b'%d\\n' % n)", "os.read(0, 1)"),
        stdout=Link(reading, writing),
    )
    packets = [child.receive() for _ in range(5)]
    assert packets == [b"0\n", b"1\n", b"2\n", b"3\n", b"4\n"]
    child.close("in")
    assert child.wait() == 0


def test_few_open_files_are_enough(start: Starter) -> None:
    limits = (24, resource.getrlimit(resource.RLIMIT_NOFILE)[1])
    child = start(
        ["sh", "-c", "ulimit -n; cat"],
        before=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, limits),
    )
    assert child.converse(b"hello\n") == (b"24\nhello\n", b"")
    assert child.wait() == 0


def test_where_too_few_files_may_be_open_the_command_runs_unrecorded(start: Starter) -> None:
    limits = (20, 20)
    child = start(
        ["sh", "-c", "ulimit -n; cat"],
        before=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, limits),
    )
    out, err = child.converse(b"hello\n")
    assert out == b"20\nhello\n"
    assert child.wait() == 0
    if start.tapped:
        start.children.clear()  # there is no recording
        reason = b"cannot record: too few files may be open (ulimit -n)"
        assert err == b"tap: " + reason + b"; the command runs unrecorded\n"
