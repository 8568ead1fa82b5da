"""What becomes of the tape that is played: it is made, grows, or is made anew."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.journeys.adder import (
    BEHIND,
    NEW,
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


def test_a_tape_gains_what_it_has_not_and_the_next_replay_starts_nothing() -> None:
    before = recorded(add(1, 1, 2)).read_bytes().splitlines()
    first = asked(NEW, add(1, 1, 2), add(2, 20, 22))
    assert (first.code, first.answers, forwarded(first.log)) == (0, [3, 42], ["add"])
    said = "tap: 1 of the host's messages added to it.tape, with their answers\n"
    assert first.log.endswith(said)
    after = Path("it.tape").read_bytes().splitlines()
    assert [it for it in after if it in before] == before
    new = [json.loads(it)[1:] for it in after if it not in before]
    assert new[0] == ["in", add(2, 20, 22).decode()]
    said = '{"jsonrpc": "2.0", "id": 2, "result": 42}\n'
    assert "".join(text for stream, text in new if stream == "out") == said
    assert after[:-5][-len(new) :] == [it for it in after if it not in before]
    Path("notes").unlink()
    Path("server.py").unlink()
    second = asked(NEW, add(1, 1, 2), add(2, 20, 22))
    assert second == Said(0, [3, 42], "heard notifications/initialized\n")
    assert Path("it.tape").read_bytes().splitlines() == after


def test_notifications_that_are_new_are_added_with_the_questions_after_them() -> None:
    recorded(add(1, 1, 2))
    questions = (add(1, 1, 2), tell("open", name="b") + add(2, 5))
    said = asked(NEW, *questions)
    assert (said.code, "same: 4 of 4 · 2 forwarded\n" in said.log) == (0, True)
    again = asked(NEW, *questions)
    assert again == Said(0, [3, 5], "heard notifications/initialized\n")


def test_a_tape_that_has_grown_is_played_to_the_real_plugin_too() -> None:
    recorded(add(1, 1, 2))
    asked(NEW, add(1, 1, 2), add(2, 20, 22), add(3, 4))
    command = replay("it.tape", "--no-record")
    command[-1] = "host"
    done = subprocess.run([*command, *BEHIND], capture_output=True, timeout=WITHIN_S, check=False)
    assert (done.returncode, b"\nsame: " in b"\n" + done.stderr) == (0, True)


def test_mode_once_records_and_then_replays_and_mode_all_records_anew() -> None:
    tape = recorded(add(1, 1, 2))
    once = [*replay("it.tape", "--record-mode", "once"), *BEHIND]
    assert asked(once, add(1, 1, 2)).answers == [3]
    said = asked(once, add(1, 1, 2), add(2, 9))
    assert (said.code, notes()) == (1, [])
    every = [*replay("it.tape", "--record-mode", "all"), *BEHIND]
    assert asked(every, add(2, 9)) == Said(0, [9], "heard notifications/initialized\n")
    assert b'n\\":[9]' in tape.read_bytes()
    assert b'n\\":[1,2]' not in tape.read_bytes()


def test_what_is_recorded_anew_ends_as_the_plugin_and_the_old_tape_stays_where_it_cannot() -> None:
    tape = recorded(add(1, 1, 2)).read_bytes()
    every = replay("it.tape", "--record-mode", "all")
    done = subprocess.run([*every, "--", "./no-such"], capture_output=True, check=False)
    words = b"tap: cannot start './no-such': there is no such program\n"
    assert (done.returncode, done.stderr) == (2, words)
    assert Path("it.tape").read_bytes() == tape
    done = subprocess.run([*every, "--", "sh", "-c", "echo hello; exit 7"], check=False,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)  # fmt: skip
    assert (done.returncode, done.stdout) == (7, b"hello\n")
    assert b'"hello\\n"' in Path("it.tape").read_bytes()


def test_a_plugin_that_leaves_its_stdout_to_another_process_is_recorded() -> None:
    os.mkfifo("goes on")
    program = """
import subprocess
subprocess.Popen(["cat", "goes on"])
print(input(), flush=True)
"""
    command = [*replay("it.tape", "--record-mode", "once"), "--", sys.executable, "-c", program]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe) as plugin:
        assert plugin.stdin is not None
        assert plugin.stdout is not None
        plugin.stdin.write(b"{}\n")
        plugin.stdin.close()
        assert plugin.stdout.readline() == b"{}\n"
        assert plugin.wait(WITHIN_S) == 0
        Path("goes on").write_text("")  # which ends that process
    said = [json.loads(it) for it in Path("it.tape").read_text().splitlines()[1:]]
    assert "".join(data for _, stream, data, *_ in said if stream == "out") == "{}\n"


def test_a_signal_reaches_what_is_recorded_anew() -> None:
    script = "trap 'echo bye; trap - TERM; kill $$' TERM; echo ready; while :; do sleep 0.05; done"
    command = [*replay("it.tape", "--record-mode", "once"), "--", "sh", "-c", script]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as plugin:
        assert plugin.stdout is not None
        assert plugin.stdout.readline() == b"ready\n"
        plugin.send_signal(signal.SIGTERM)
        assert plugin.stdout.read() == b"bye\n"
    assert plugin.returncode == -signal.SIGTERM
    assert b'"signal SIGTERM"' in Path("it.tape").read_bytes()


def test_what_is_no_tape_is_not_written_over() -> None:
    record = [sys.executable, "-m", "tapproxy", "run", "-o", "it.tap", "--", "true"]
    subprocess.run(record, stdin=subprocess.DEVNULL, check=True, timeout=WITHIN_S)
    Path("notes.txt").write_text("mine")
    for name in ("it.tap", "notes.txt"):
        for mode in ("new", "all"):
            command = [*replay(name, "--record-mode", mode), "--", "true"]
            done = subprocess.run(command, capture_output=True, check=False)
            words = f"tap: {name} is no tape, and --record-mode {mode} writes one: "
            words += f"`tap export {name} --to tape` makes a tape of a recording\n"
            assert (done.returncode, done.stderr.decode()) == (2, words)
    assert Path("notes.txt").read_text() == "mine"


@pytest.mark.parametrize("name", ["", "-", "tapes/"])
def test_a_name_of_no_file_is_explained(name: str) -> None:
    command = [*replay(name, "--record-mode", "once"), "--", "true"]
    done = subprocess.run(command, capture_output=True, check=False, timeout=WITHIN_S)
    words = f"tap: {name!r} names no file, and --record-mode once writes one\n"
    assert (done.returncode, done.stderr.decode()) == (2, words)
    assert os.listdir() == ["server.py"]


@pytest.mark.parametrize("option", ["--patience", "--max-gap"])
def test_nothing_is_recorded_with_a_command_line_that_could_not_be_replayed(option: str) -> None:
    command = [*replay("it.tape", "--record-mode", "once", option, "soon"), "--", "true"]
    done = subprocess.run(command, capture_output=True, check=False, timeout=WITHIN_S)
    words = f"tap: {option}: 'soon' is no quantity; write it as in 3s\n"
    assert (done.returncode, done.stderr.decode()) == (2, words)
    assert os.listdir() == ["server.py"]


PROGRAMS = Path(__file__).parents[1] / "programs"


def lingxi(calls: str, command: Sequence[str]) -> str:
    """Be a LingXi host; return what it says of its session."""
    host = [sys.executable, str(PROGRAMS / "lingxi_host.py"), "--calls", calls, "--", *command]
    done = subprocess.run(host, capture_output=True, timeout=WITHIN_S, check=True)
    return done.stdout.decode()


def test_a_lingxi_host_calls_a_tool_that_was_not_called_when_it_was_recorded() -> None:
    plugin = [sys.executable, str(PROGRAMS / "lingxi_plugin.py")]
    bare = lingxi("echo,search", plugin)
    lingxi("echo", [*replay("l.tape", "--record-mode", "once"), "--", *plugin])
    command = replay("l.tape", "--record-mode", "new", "--junit", "report.xml", "--pace", "0")
    assert lingxi("echo,search", [*command, "--", *plugin]) == bare
    assert 'failures="0"' in Path("report.xml").read_text()
    nobody = [*command, "--", "./no-such"]
    assert lingxi("echo,search", nobody) == bare
    assert 'tests="1" failures="0"' in Path("report.xml").read_text()
