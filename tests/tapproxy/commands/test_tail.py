"""`tap tail`: a living session, from another terminal."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.store.made import session as made
from tests.store.made import write
from tests.tapproxy.calls import tap
from tests.tapproxy.commands.terminals import TAP
from tests.tapproxy.ingest.ingesters import until

ECHO = "import sys\nfor line in sys.stdin: print(line, end='', flush=True)"
ENVIRONMENT = {"COLUMNS": "100", "PYTHONIOENCODING": "utf-8", "LC_ALL": "C.UTF-8"}

TAPE = str(Path(__file__).parents[3] / "fixtures/dialects/lingxi/timeout.tape")

ASK = b'{"jsonrpc":"2.0","id":%d,"method":"tools/list"}\n'
ANSWER = b'{"jsonrpc":"2.0","id":%d,"result":{"tools":[]}}\n'

Session = subprocess.Popen[bytes]


@contextmanager
def session(recording: Path) -> Iterator[Session]:
    """Run a child that says what it is told, on record."""
    command = [*TAP, "run", "-o", str(recording), "--", sys.executable, "-c", ECHO]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        yield process


@contextmanager
def tail(recording: Path, *arguments: str) -> Iterator[Session]:
    command = [*TAP, "tail", str(recording), *arguments]
    environment = os.environ | ENVIRONMENT
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as process:
        yield process
        process.kill()


def say(it: Session, line: bytes) -> None:
    """Send a line and wait until it has come back: it has crossed twice."""
    assert it.stdin
    assert it.stdout
    it.stdin.write(line)
    it.stdin.flush()
    assert it.stdout.readline() == line


def lines_until(it: Session, text: str) -> list[str]:
    """Read what is shown up to a line that holds the text."""
    assert it.stdout
    lines = []
    for line in it.stdout:
        lines.append(line.decode().rstrip("\n"))
        if text in lines[-1]:
            break
    return lines


def test_what_crosses_is_shown_until_the_session_is_over(tmp_path: Path) -> None:
    recording = tmp_path / "a.tap"
    with session(recording) as it:
        say(it, ASK % 1)
        until(recording.exists, "the recording")
        with tail(recording) as shown:
            assert "#2" in lines_until(shown, "#2")[-1]
            say(it, ASK % 2)
            lines = lines_until(shown, "#4")
            assert [line.count("tools/list (2)") for line in lines[-2:]] == [1, 1]
            assert it.stdin
            it.stdin.close()
            rest = lines_until(shown, "never")
            assert any("plugin exited with code 0" in line for line in rest)
            assert shown.wait(timeout=30) == 0


def test_a_filter_chooses_what_is_shown(tmp_path: Path) -> None:
    recording = tmp_path / "a.tap"
    with session(recording) as it:
        say(it, ASK % 1)
        until(recording.exists, "the recording")
        with tail(recording, "-n", "0", "id:7") as shown:
            lines_until(shown, "err")
            for number in (6, 7, 8):
                say(it, ASK % number)
            assert "(7)" in lines_until(shown, "#")[-1]


def test_of_a_session_that_is_over_the_end_is_shown(tmp_path: Path) -> None:
    recording = tmp_path / "a.tap"
    with session(recording) as it:
        for number in range(9):
            say(it, ASK % number)
    until(lambda: not recording.with_name("a.tap.wire").exists(), "the ingester's end")
    said = tap("tail", str(recording), "-n", "2")
    assert (said.code, said.err) == (0, "")
    body = said.out.partition("\n\n")[2]
    assert body.endswith("\nthe session ended just now; nothing is being recorded\n")
    assert [word for word in body.split() if word.startswith("#")] == ["#17", "#18"]
    assert "plugin exited with code 0" in body


def test_of_a_session_that_is_over_it_is_told_what_nothing_answered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    said = tap("tail", TAPE, "-n", "1", "--follow")
    assert (said.code, said.err) == (0, "")
    (line,) = re.findall(r"#8  .*?(! .*)", said.out)
    assert line == '! tool.execute (6C0E…0004)  no answer · echo(text="hi/你好")'


def test_leaving_it_does_not_touch_the_session(tmp_path: Path) -> None:
    recording = tmp_path / "a.tap"
    with session(recording) as it:
        say(it, ASK % 1)
        until(recording.exists, "the recording")
        with tail(recording) as shown:
            lines_until(shown, "#1")
        say(it, ANSWER % 1)
        assert it.poll() is None


def test_of_a_session_without_an_end_that_nobody_records_it_is_said(tmp_path: Path) -> None:
    recording = write(str(tmp_path / "copy.tap"), sessions=[made(live=True)])
    with subprocess.Popen([*TAP, "tail", recording], stderr=subprocess.PIPE) as process:
        assert process.stderr
        line = process.stderr.readline().decode()
        process.kill()
    assert line == (
        "tap: no end is on record, and nobody is seen who records it; waiting (Ctrl-C ends)\n"
    )
