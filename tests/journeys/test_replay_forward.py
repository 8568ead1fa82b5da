"""Real plugins behind a replay: they answer what a recording cannot."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.journeys.adder import (
    BEHIND,
    INITIALIZE,
    READY,
    WITHIN_S,
    Said,
    add,
    asked,
    forwarded,
    make_folder,
    notes,
    recorded,
    replay,
)
from tests.tapproxy.replay.rig import tell

__all__ = ["make_folder"]


def test_the_real_plugin_answers_what_is_not_recorded_and_the_session_goes_on() -> None:
    tape = recorded(add(1, 1, 2)).read_bytes()
    command = [*replay("it.tape", "--on-miss", "forward"), *BEHIND]
    said = asked(command, add(1, 1, 2), add(2, 20, 22), tell("note") + add(3, 5))
    assert said.answers == [3, 42, 5]
    assert (said.code, forwarded(said.log)) == (0, ["add", "add"])
    assert "same: 4 of 4 · 3 forwarded\n" in said.log
    known = ["started", "initialize", "notifications/initialized", "add", "note", "add", "ended"]
    assert notes() == known
    assert Path("it.tape").read_bytes() == tape


def test_without_a_miss_the_real_plugin_is_not_started() -> None:
    recorded(add(1, 1, 2))
    said = asked([*replay("it.tape", "--on-miss", "forward"), *BEHIND], add(7, 1, 2))
    assert said == Said(0, [3], "heard notifications/initialized\n")
    assert notes() == []


def test_the_replay_is_recorded_with_the_answers_of_the_real_plugin() -> None:
    recorded(add(1, 1, 2))
    command = [*replay("it.tape", "--on-miss", "forward", "-o", "again.tap"), *BEHIND]
    asked(command, add(1, 1, 2), add(2, 20, 22))
    shown = subprocess.run(
        [sys.executable, "-m", "tapproxy", "export", "again.tap", "--to", "tape"],
        capture_output=True, check=True, timeout=WITHIN_S,
    )  # fmt: skip
    said = [it[2] for it in map(json.loads, shown.stdout.splitlines()[1:]) if it[1] == "out"]
    assert "".join(said).endswith('{"jsonrpc": "2.0", "id": 2, "result": 42}\n')


@pytest.mark.parametrize(
    ("method", "why", "more"),
    [
        ("die", "exited with code 3", ()),
        ("hang", "did not answer within 0.5 s", ("--patience", "500ms")),
    ],
)
def test_one_that_dies_or_hangs_is_told_and_nothing_is_added(
    method: str, why: str, more: tuple[str, ...]
) -> None:
    tape = recorded(add(1, 1, 2)).read_bytes()
    command = [*replay("it.tape", "--record-mode", "new", *more), *BEHIND]
    said = asked(command, add(1, 1, 2), add(2, 20, 22), add(3, method=method))
    words = f"nothing recorded answers request {method} (3); the real plugin {why}"
    assert (said.code, said.answers) == (1, [3, 42, words])
    assert "differs: 1 miss, 1 forwarded · 4 of 4 same\n" in said.log
    assert said.log.endswith("tap: it.tape stays as it was, as the replay did not end well\n")
    assert Path("it.tape").read_bytes() == tape


def test_one_that_does_not_end_by_itself_ends_with_a_replay_that_is_killed() -> None:
    recorded(add(1, 1, 2))
    os.mkfifo("alive")
    stays = "import time; alive = open('alive', 'w'); time.sleep(600)"
    command = replay("it.tape", "--on-miss", "forward", "--no-record", "--pace", "0")
    with subprocess.Popen(
        [*command, "--", sys.executable, "-c", stays], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as plugin:
        assert plugin.stdin is not None
        plugin.stdin.write(INITIALIZE + READY + add(2, 20, 22))
        plugin.stdin.flush()
        with open("alive", "rb") as alive:
            plugin.kill()
            assert alive.read() == b""  # which is over once nobody has it open


def test_one_that_is_not_there_is_told_where_it_is_needed() -> None:
    recorded(add(1, 1, 2))
    command = [*replay("it.tape", "--on-miss", "forward", "--pace", "0"), "--", "./no-such"]
    said = asked(command, add(1, 1, 2), add(2, 3))
    why = "the real plugin cannot be started: ./no-such: No such file or directory"
    assert (said.code, said.answers[0], said.answers[1].endswith(why)) == (1, 3, True)


CALLED = ("env", f"PYTHONPATH={Path(__file__).parents[2]}", sys.executable, "-m",
          "tests.programs.xlings_interface")  # fmt: skip


def call(*more: str, words: Sequence[str]) -> Said:
    """Call a capability by way of what is put in the place of xlings."""
    done = subprocess.run(
        [*replay("x.tape", *more), "--pace", "0", "--", *CALLED, "--", "interface", *words],
        stdin=subprocess.DEVNULL, capture_output=True, timeout=WITHIN_S, check=False,
    )  # fmt: skip
    events = [json.loads(line) for line in done.stdout.splitlines()]
    return Said(done.returncode, events, done.stderr.decode())


def test_a_command_line_that_no_session_fits_is_run_and_added_as_a_session() -> None:
    version = call("--record-mode", "new", words=["--version"])
    assert version.log == ""
    told = "tap: no session was started with interface --list; the nearest is "
    listed = call("--on-miss", "forward", words=["--list"])
    assert listed.log.startswith(told)
    assert (listed.code, "capabilities" in listed.answers[0]) == (0, True)
    assert Path("x.tape").read_text().count('{"tape"') == 1
    assert call("--record-mode", "new", words=["--list"]) == listed
    assert Path("x.tape").read_text().count('{"tape"') == 2
    for words, known in ((["--version"], version), (["--list"], listed)):
        assert call("--record-mode", "new", words=words) == known._replace(log="")


@pytest.mark.parametrize("mode", [("--record-mode", "new"), ("--on-miss", "forward")])
def test_programs_are_told_of_a_forwarded_command_line_as_well(mode: Sequence[str]) -> None:
    call("--record-mode", "once", words=["--version"])
    listed = call(*mode, "--report", "json", "--junit", "it.xml", words=["--list"])
    told = json.loads(next(it for it in listed.log.splitlines() if it.startswith("{")))
    assert (listed.code, told["verdict"], told["counts"]["forwarded"]) == (0, "same", 1)
    assert told["findings"][0]["words"].startswith("no session was started with interface --list")
    assert '<testsuites name="tap replay" tests="2" failures="0"' in Path("it.xml").read_text()


def test_the_recording_of_a_forwarded_command_line_says_what_it_stands_for() -> None:
    call("--record-mode", "once", words=["--version"])
    call("--on-miss", "forward", "-o", "other.tap", words=["--list"])
    shown = subprocess.run(
        [sys.executable, "-m", "tapproxy", "show", "other.tap"],
        capture_output=True, check=True, timeout=WITHIN_S, env=os.environ | {"COLUMNS": "200"},
    )  # fmt: skip
    assert "replay-of=x.tape · replayed-as=plugin" in shown.stdout.decode()
