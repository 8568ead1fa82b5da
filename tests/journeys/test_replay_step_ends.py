"""However `tap replay --step` ends, the terminal is as it was; what is wrong with it is said."""

import os
import re
import signal
import subprocess
import sys
import termios
from pathlib import Path

import pytest

from tests.journeys.seats import WITHIN_S, Seat
from tests.journeys.stepped import ADDED, a_seat, ended, stepped, write
from tests.journeys.test_replay import ADDER, made
from tests.journeys.two_sides import tap
from tests.tapproxy.replay.rig import ask

__all__ = ["a_seat"]  # a fixture


@pytest.mark.parametrize("role", ["plugin", "host"])
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT", "Ctrl-C"])
def test_a_signal_leaves_the_terminal_as_it_was(
    seat: Seat, tmp_path: Path, role: str, name: str
) -> None:
    other = ["--", sys.executable, "-c", ADDER] if role == "host" else []
    with seat.start(stepped(made(tmp_path, *ADDED), "--as", role, *other)) as replay:
        if role == "plugin":
            write(replay, ask(1, "add", n=[1, 2]))
        seat.shown_until("]? ")
        assert termios.tcgetattr(seat.theirs) != seat.modes
        if name == "Ctrl-C":
            seat.type("\x03")
        else:
            replay.send_signal(getattr(signal, name))
        seat.shown_until("\nthe replay is over\n")
        code, report = ended(replay)
    assert termios.tcgetattr(seat.theirs) == seat.modes
    if role == "host" and name in ("SIGINT", "Ctrl-C"):
        assert code == 130
    else:
        assert (code, report.partition(":")[0]) == (1, "differs")


def test_a_signal_while_an_editor_is_open_leaves_the_terminal_as_it_was(
    seat: Seat, tmp_path: Path
) -> None:
    code = "import os, termios, time; print('open', os.getpid(), flush=True); time.sleep(1000)"
    program = tmp_path / "open.py"
    program.write_text(code, encoding="utf-8")
    command = stepped(made(tmp_path, *ADDED), "--as", "plugin")
    with seat.start(command, env={"EDITOR": f"{sys.executable} {program}"}) as plugin:
        write(plugin, ask(1, "add", n=[1, 2]))
        seat.shown_until("]? ")
        seat.type("e")
        seat.shown_until("open ")
        pid = int(seat.shown_until("\n"))
        assert termios.tcgetattr(seat.theirs) == seat.modes
        plugin.send_signal(signal.SIGTERM)
        assert ended(plugin)[0] == 1
    assert termios.tcgetattr(seat.theirs) == seat.modes
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    assert os.listdir(os.environ["TMPDIR"]) == []


def test_a_peer_that_goes_is_seen_while_a_step_is_asked_about(seat: Seat, tmp_path: Path) -> None:
    command = stepped(made(tmp_path, *ADDED), "--as", "host", "--", "sh", "-c", "exit 7")
    with seat.start(command) as host:
        seat.shown_until("plugin exited with code 7\n")
        seat.shown_until("send step 1 [enter s e c q ?]? ")
        seat.type("\r")
        assert seat.shown_until("over\n").endswith("yes\nthe replay is over\n")
        _, said = host.communicate(timeout=WITHIN_S)
    assert (host.returncode, b"nobody reads the plugin's stdin any more\n" in said) == (1, True)
    assert termios.tcgetattr(seat.theirs) == seat.modes


def test_it_is_said_where_there_is_no_terminal(seat: Seat, tmp_path: Path) -> None:
    recording = made(tmp_path, *ADDED)
    said = {}
    for tty in (None, "/dev/null", "/dev/pts/none"):
        given = [] if tty is None else ["--tty", tty]
        with seat.start(stepped(recording, "--as", "plugin", *given), attached=False) as plugin:
            said[tty] = ended(plugin)
    more = "; name one with --tty FILE (what `tty` says in it; `sleep 1d` keeps its shell quiet)\n"
    start = "tap: --step: no terminal to ask on: "
    assert said == {
        None: (3, f"{start}/dev/tty: No such device or address{more}"),
        "/dev/null": (3, f"{start}/dev/null is not one{more}"),
        "/dev/pts/none": (3, f"{start}/dev/pts/none: No such file or directory{more}"),
    }
    assert os.listdir(os.environ["TAP_DIR"]) == []


def test_another_terminal_can_be_named(seat: Seat, tmp_path: Path) -> None:
    command = stepped(made(tmp_path, *ADDED), "--as", "plugin", "--tty", seat.path)
    with seat.start(command, attached=False) as plugin:
        write(plugin, ask(1, "add", n=[1, 2]))
        seat.shown_until("]? ")
        seat.type("\x03")
        assert ended(plugin)[0] == 1
    assert "ended early: by hand\n" in seat.shown_until("by hand\n  /")


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ("--step --print", "--print runs nothing, and --step asks while it runs: leave one out"),
        ("--step --pace 1", "--step goes as fast as you answer, and --pace is about times"),
        ("--step --max-gap 1s", "--step goes as fast as you answer, and --max-gap is about times"),
        ("--step --late 2", "--step goes as fast as you answer, and --late is about times"),
        ("--tty x", "--tty is where --step asks: add --step, or leave it out"),
    ],
)
def test_what_contradicts_stepping_is_said(options: str, why: str) -> None:
    command = tap("replay", "x", "--as", "plugin", *options.split())
    done = subprocess.run(command, capture_output=True, text=True, timeout=WITHIN_S, check=False)
    assert (done.returncode, done.stderr.startswith(f"tap: {why}")) == (2, True)


@pytest.mark.parametrize("attached", [True, False])
def test_a_terminal_that_is_closed_ends_the_replay(
    seat: Seat, tmp_path: Path, *, attached: bool
) -> None:
    command = stepped(made(tmp_path, *ADDED), "--as", "plugin", "--tty", seat.path)
    with seat.start(command, attached=attached) as plugin:
        write(plugin, ask(1, "add", n=[1, 2]))
        seat.shown_until("]? ")
        seat.leave()
        _, said = plugin.communicate(timeout=WITHIN_S)
    assert plugin.returncode == 1
    assert re.search("ended early: (SIGHUP came|the terminal is gone)", said.decode())
