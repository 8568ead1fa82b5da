"""`tap replay --step`: somebody at a terminal decides about each step, between real processes."""

import json
import re
import sys
import termios
from pathlib import Path
from typing import Any

from tests.journeys.seats import Seat
from tests.journeys.stepped import ADDED, ERASED, HEADS, a_seat, closed, ended, read, stepped, write
from tests.journeys.test_replay import ADDER, made
from tests.journeys.two_sides import chunks_of, tap
from tests.tapproxy.commands.terminals import set_size
from tests.tapproxy.replay.rig import answer, ask, tell

__all__ = ["a_seat"]  # a fixture


def test_a_plugin_is_played_step_by_step(seat: Seat, tmp_path: Path) -> None:
    replay = tmp_path / "replay.tap"
    command = tap("replay", made(tmp_path, *ADDED), "--as", "plugin", "--step", "-o", replay)
    with seat.start(command) as plugin:
        assert seat.shown_until("after\n") == HEADS
        write(plugin, ask("x", "add", n=[1, 2]))
        seat.asks("""\
                 came  ──→                 add ("x")
   2    0.010 s  send  ←──  #2     50 B    thinking                                        #1 +10 ms
send step 2 [enter s e c q ?]? """)
        write(plugin, ask("y", "add", n=[2]))
        seat.asks(
            ERASED
            + """\
                 came  ──→                 add ("y")
send step 2 [enter s e c q ?]? """
        )
        seat.type("\r")
        seat.asks("""\
yes
   3    2.000 s  send  ←──  #3     36 B  ↩ add #1  3                            #2 +2.0 s, #1 +2.0 s
send step 3 [enter s e c q ?]? """)
        assert read(plugin) == tell("thinking")
        seat.type("s")
        seat.asks("""\
skipped
   5    2.200 s  send  ←──  #5     36 B  ↩ add #4  2                                      #4 +100 ms
send step 5 [enter s e c q ?]? """)
        seat.type("\r")
        assert read(plugin) == answer("y", 2)
        assert plugin.stdin is not None
        plugin.stdin.close()
        plugin.stdin = None
        seat.asks("""\
yes
                 came   •                  host closed stdin
   7    9.001 s  do     •                  exit with code 0              step 6 +1.0 ms, #5 +6.8 s …
do step 7 [enter s c q ?]? """)
        seat.type("\n")
        assert seat.shown_until("over\n") == "yes\nthe replay is over\n"
        assert ended(plugin) == (0, "")
    assert seat.shown_until("by hand, 1 skipped\n").startswith("same: 3 of 3\n")
    assert chunks_of(replay)["out"] == [tell("thinking"), answer("y", 2)]


def test_a_host_is_played_step_by_step(seat: Seat, tmp_path: Path) -> None:
    recording = made(tmp_path, *ADDED)
    with seat.start(stepped(recording, "--as", "host", "--", sys.executable, "-c", ADDER)) as host:
        seat.asks(
            HEADS
            + """\
   1    0.000 s  send  ──→  #1     61 B    add (1)  n=[1, 2]                             start +0 µs
send step 1 [enter s e c q ?]? """
        )
        seat.type("\r")
        seat.asks("""\
yes
                 came  ←──               ↩ add (1)
   4    2.100 s  send  ──→  #4     59 B    add (2)  n=[2]                      #3 +100 ms, #1 +2.1 s
send step 4 [enter s e c q ?]? """)
        seat.type("s")
        seat.asks("""\
skipped
   6    9.000 s  do     •                  close stdin                          #5 +6.8 s, #4 +6.9 s
do step 6 [enter s c q ?]? """)
        seat.type("?")
        seat.asks(
            ERASED
            + """\
enter  does it
s      leaves it out; what waits for it, or for its answer, goes on
c      goes on to the end without asking
q      ends the replay, at any time
do step 6 [enter s c q ?]? """
        )
        seat.type("e x\x1b[A\r")
        last = seat.shown_until("over\n").splitlines()
        assert (last[0], sorted(last[1:-1]), last[-1]) == (
            "yes",
            [
                f"{'':17}came   •                  plugin closed stdout",
                f"{'':17}came   •                  plugin exited with code 0",
            ],
            "the replay is over",
        )
        code, report = ended(host)
    assert (code, report) == (
        1,
        "differs: 2 missing · 2 of 4 same\nmissing  #2  notification thinking\n",
    )


def test_a_replay_can_be_ended_at_any_time(seat: Seat, tmp_path: Path) -> None:
    recording = made(tmp_path, *ADDED)
    for is_asked in (False, True):
        with seat.start(stepped(recording, "--as", "plugin")) as plugin:
            seat.shown_until("after\n")
            if is_asked:
                write(plugin, ask(1, "add", n=[1, 2]))
                seat.shown_until("]? ")
            seat.type("xq")
            seat.shown_until("the replay is over\n")
            code, report = ended(plugin)
        assert (code, report.splitlines()[0].partition(" ")[0]) == (1, "differs:")
        assert "ended early: by hand\n" in seat.shown_until("by hand\n  /")
        assert termios.tcgetattr(seat.theirs) == seat.modes


def test_the_rest_goes_on_without_asking(seat: Seat, tmp_path: Path) -> None:
    with seat.start(stepped(made(tmp_path, *ADDED), "--as", "plugin")) as plugin:
        write(plugin, ask(1, "add", n=[1, 2]))
        seat.shown_until("]? ")
        seat.type("c")
        assert read(plugin) == tell("thinking")
        assert read(plugin) == answer(1, 3)
        assert termios.tcgetattr(seat.theirs) == seat.modes
        write(plugin, ask(2, "add", n=[2]))
        assert read(plugin) == answer(2, 2)
        assert closed(plugin) == (0, "")
    assert seat.shown_until("over\n") == "going on\nthe replay is over\n"


def test_nothing_of_a_recording_steers_the_terminal(seat: Seat, tmp_path: Path) -> None:
    hostile = b"\x1b]0;owned\x07\x9b2J\r\xe2\x80\xae\n"
    recording = made(tmp_path, (0, "in", hostile), (1, "out", hostile), (2, "exit", {"code": 0}))
    with seat.start(stepped(recording, "--as", "plugin"), env={"EDITOR": "true"}) as plugin:
        write(plugin, hostile)
        shown = seat.shown_until("]? ")
        seat.type("e")
        shown += seat.shown_until("]? ")
        seat.type("?s")
        shown += seat.shown_until("]? ")
    assert "␛]0;owned␇" in shown
    assert not set(shown.replace(ERASED, "")) & {"\x1b", "\x07", "\r", "\x9b", "\u202e"}


def test_a_narrow_terminal_shows_what_is_asked_about_all_the_same(
    seat: Seat, tmp_path: Path
) -> None:
    set_size(seat.theirs, 40, 20)
    with seat.start(stepped(made(tmp_path, *ADDED), "--as", "plugin")) as plugin:
        write(plugin, ask(1, "add", n=[1, 2]))
        seat.shown_until(HEADS.split()[0])
        shown = seat.shown_until("]? ")
    assert "send  ←──  #2    thinking " in shown


def test_what_comes_while_the_terminal_is_halted_is_counted(seat: Seat, tmp_path: Path) -> None:
    """It is not read here, which is as good as Ctrl-S."""
    note, count = tell("note", text="x" * 50), 5000
    with seat.start(stepped(made(tmp_path, *ADDED), "--as", "plugin")) as plugin:
        write(plugin, note * count + ask(1, "add", n=[1, 2]))
        shown = seat.shown_until("]? ")
        write(plugin, note)
        shown += seat.shown_until(" more came while the terminal was halted\n")
    told = re.search(r"… ([0-9,]+) more came", shown)
    assert told is not None
    assert shown.count("  came  ") + int(told[1].replace(",", "")) == count + 1


def test_programs_are_told_what_was_skipped_and_edited(seat: Seat, tmp_path: Path) -> None:
    command = stepped(made(tmp_path, *ADDED), "--as", "plugin", "--report", "json")
    with seat.start(command) as plugin:
        write(plugin, ask(1, "add", n=[1, 2]))
        seat.shown_until("]? ")
        seat.type("s")
        seat.shown_until("]? ")
        seat.type("q")
        told: dict[str, Any] = json.loads(ended(plugin)[1])
    assert told["ended_early"] == "by hand"
    assert {it: told["counts"][it] for it in ("steps", "skipped", "edited")} == {
        "steps": 0,
        "skipped": 1,
        "edited": 0,
    }


def test_an_answer_that_is_not_from_the_recording_is_asked_about_too(
    seat: Seat, tmp_path: Path
) -> None:
    with seat.start(stepped(made(tmp_path, *ADDED), "--as", "plugin")) as plugin:
        seat.shown_until("after\n")
        write(plugin, ask(7, "unheard"))
        asked = seat.shown_until("]? ")
        assert asked.startswith(f"{'':17}came  ──→                 unheard (7)\n{'':17}send  ←──")
        assert '(answer to what is not recorded)  {"jsonrpc":"2.0"' in asked
        assert asked.endswith("\nsend it [enter s e c q ?]? ")
        seat.type("s")
        write(plugin, ask(8, "unheard"))
        seat.shown_until("unheard (8)\n")
        seat.shown_until("]? ")
        seat.type("\r")
        assert json.loads(read(plugin))["id"] == 8
