"""The plugin is the process that the host would have started: argv, environment, the rest."""

import json
import os
import resource
import signal
import sys
from collections.abc import Callable
from typing import Any

import pytest

from tests.transparency.ways import SOURCES, Starter, only_linux, plugin, program

BARE_ENVIRONMENTS: dict[str, dict[bytes, bytes]] = {
    "no_language": {},
    "the_c_language": {b"LC_ALL": b"C"},
    "posix": {b"LANG": b"POSIX"},
    "the_c_character_set": {b"LC_CTYPE": b"C"},
    "bytes_that_are_not_utf8": {b"N\xffME": b"v\xfflue", b"EMPTY": b""},
    "a_name_of_ours": {b"TAP_DIR": b"/nowhere", b"PYTHONUTF8": b"0", b"PYTHONSTARTUP": b"x"},
    "no_colour": {b"NO_COLOR": b"1", b"COLUMNS": b"20"},
}
DISPOSITIONS = ["grep", "^Sig\\(Ign\\|Blk\\)", "/proc/self/status"]


def described(start: Starter, before: Callable[[], object] | None = None) -> dict[str, Any]:
    """Start a plugin that describes itself; return what it says."""
    child = start(program("describe_process.py"), before=before)
    found: dict[str, Any] = json.loads(child.receive_rest())
    return {**found, "host sees the group": found["group"] == child.pid}


def expected(**different: object) -> dict[str, Any]:
    """Return what a plugin of this very process would say, but for what is named."""
    limits = {
        name: list(resource.getrlimit(getattr(resource, name)))
        for name in dir(resource)
        if name.startswith("RLIMIT_")
    }
    return {"session": os.getsid(0), "nice": os.nice(0), "limits": limits, **different}


def test_what_a_process_inherits_is_the_hosts(start: Starter) -> None:
    found = described(start, before=lambda: os.umask(0o027))
    assert found["host sees the group"]
    assert found["cwd"] == str(start.folder)
    assert found["umask"] == 0o027
    for name, value in expected().items():
        assert found[name] == value, name


def test_the_folder_may_be_gone(start: Starter) -> None:
    folder = start.folder / "gone"
    folder.mkdir()
    child = start(program("echo.py"), cwd=str(folder), before=folder.rmdir)
    assert child.converse(b"here?") == (b"here?", b"")
    assert child.wait() == 0


def test_limits_and_niceness_are_the_hosts(start: Starter) -> None:
    def lower() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.nice(3)

    found = described(start, before=lower)
    assert found["limits"]["RLIMIT_NOFILE"] == [64, 64]
    assert found["limits"]["RLIMIT_CORE"] == [0, 0]
    assert found["nice"] == min(os.nice(0) + 3, 19)


def test_the_group_may_be_the_hosts_own(start: Starter) -> None:
    child = start(plugin("os.write(1, b'%d' % os.getpgrp())"), group=None)
    assert int(child.receive_rest()) == os.getpgrp()
    assert child.wait() == 0


def test_the_session_may_be_a_new_one(start: Starter) -> None:
    child = start(plugin("os.write(1, b'%d' % os.getsid(0))"), session=True)
    assert int(child.receive_rest()) == child.pid


@only_linux
@pytest.mark.parametrize("name", BARE_ENVIRONMENTS)
def test_the_environment_is_the_hosts_to_the_byte(start: Starter, name: str) -> None:
    given = {
        b"PATH": os.environb[b"PATH"],
        b"PYTHONPATH": SOURCES.encode(),
        **BARE_ENVIRONMENTS[name],
    }
    child = start(["cat", "/proc/self/environ"], env=given)
    assert child.receive_rest() == b"".join(b"%b=%b\0" % item for item in given.items())


@only_linux
@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["", " ", "a b", "*", "$HOME", "'", '"', "\\", "\n"],
        ["--", "-o", "--help", "-h", "--version", "--name"],
        [b"\xff\xfe", "é".encode("latin-1"), "漢字".encode()],
    ],
)
def test_the_arguments_are_the_hosts_to_the_byte(
    start: Starter, arguments: list[str | bytes]
) -> None:
    command = ["sh", "-c", "cat /proc/$$/cmdline; exit 0", *arguments]
    child = start(command)
    assert child.receive_rest() == b"".join(os.fsencode(its) + b"\0" for its in command)


@only_linux
def test_argv_0_is_what_the_host_wrote_not_where_it_was_found(start: Starter) -> None:
    child = start(["cat", "/proc/self/cmdline"])
    assert child.receive_rest() == b"cat\0/proc/self/cmdline\0"


def test_a_command_may_be_named_relative_to_the_folder(start: Starter) -> None:
    script = start.folder / "plugin.sh"
    script.write_text("#!/bin/sh\necho $0\n")
    script.chmod(0o755)
    assert start(["./plugin.sh"]).receive_rest() == b"./plugin.sh\n"


@only_linux
def test_sigpipe_and_all_other_dispositions_are_the_defaults(start: Starter) -> None:
    none = b"0" * 16
    child = start(DISPOSITIONS)
    assert child.receive_rest() == b"SigBlk:\t%b\nSigIgn:\t%b\n" % (none, none)


@only_linux
def test_ignored_and_blocked_signals_stay_so(start: Starter) -> None:
    ignored = {signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGUSR1}

    def prepare() -> None:
        for number in ignored:
            signal.signal(number, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR2})

    child = start(DISPOSITIONS, before=prepare)
    assert child.receive_rest() == b"SigBlk:\t%016x\nSigIgn:\t%016x\n" % (
        1 << signal.SIGUSR2 - 1,
        sum(1 << number - 1 for number in ignored),
    )


def test_nohup_protects_the_plugin(start: Starter) -> None:
    child = start(program("echo.py"), before=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    child.send(b"before")
    assert child.receive_exactly(6) == b"before"
    child.signal(signal.SIGHUP)
    child.send(b"after")
    assert child.receive_exactly(5) == b"after"
    child.close("in")
    assert child.wait() == 0


@pytest.mark.parametrize(
    ("name", "mode", "status"),
    [("nowhere", None, 127), ("not-executable", 0o644, 126)],
)
def test_a_command_that_cannot_be_started_says_so_and_is_on_record(
    record: Starter, name: str, mode: int | None, status: int
) -> None:
    path = record.folder / name
    if mode is not None:
        path.write_bytes(b"\x01\x02 no program")
        path.chmod(mode)
    child = record([str(path)])
    assert child.wait() == status
    assert child.receive_rest() == b""
    message = child.receive_rest("err").decode()
    assert message.count("\n") == 1
    assert str(path) in message
    recorded = child.recorded()
    assert recorded.outcome == "not started"
    assert recorded.details("spawn-error")[0]["status"] == status


def test_a_folder_is_not_a_command(record: Starter) -> None:
    child = record([str(record.folder)])
    assert child.wait() == 126
    assert child.receive_rest("err").count(b"\n") == 1


def test_a_name_that_path_does_not_know_is_not_found(record: Starter) -> None:
    child = record(["no-such-command-anywhere"])
    assert child.wait() == 127
    assert b"no-such-command-anywhere" in child.receive_rest("err")


def test_the_interpreter_that_runs_us_is_not_the_plugins_business(start: Starter) -> None:
    child = start(
        [sys.executable, "-c", "import sys; print(sys.flags.isolated, sys.orig_argv[1:2])"]
    )
    assert child.receive_rest() == b"0 ['-c']\n"
