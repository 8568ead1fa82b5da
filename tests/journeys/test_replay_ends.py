"""How a replay ends: as the recorded plugin did, or with a word on what did not happen."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tapproxy.ingest.tapes import import_file
from tests.tapproxy.replay.rig import Happened, answer, ask, records, tell

WITHIN_S = 30

QUESTION = ask(1, "read", path="/a")
EXCHANGE: tuple[Happened, ...] = ((0, "in", QUESTION), (1, "out", answer(1, "text")))


@contextmanager
def played(folder: Path, *happened: Happened, more: tuple[str, ...] = ()) -> Iterator[Any]:
    """Start the plugin of what happened, as its host does; it has to have ended in the end."""
    path = folder / "made.tap"
    import_file("/dev/null", str(path), lambda *_: records(happened), "jsonrpc")
    pipe = subprocess.PIPE
    command = [sys.executable, "-m", "tapproxy", "replay", str(path), "--as", "plugin", *more]
    command += ["--pace", "0", "--no-record"]
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0) as plugin:
        yield plugin
        plugin.wait(WITHIN_S)


@pytest.mark.parametrize(
    ("ended", "code"),
    [({"code": 7}, 7), ({"signal": "SIGKILL"}, -9), ({"signal": "SIGTERM"}, -15)],
)
def test_it_ends_as_the_recorded_plugin_did(
    ended: dict[str, Any], code: int, tmp_path: Path
) -> None:
    with played(tmp_path, *EXCHANGE, (2, "exit", ended)) as plugin:
        plugin.stdin.write(QUESTION)
        assert plugin.stdout.read() == answer(1, "text")
    assert (plugin.returncode, plugin.stderr.closed) == (code, True)


def test_a_signal_that_the_recorded_plugin_outlived_is_outlived(tmp_path: Path) -> None:
    said = (tell("ready"), tell("last words"))
    happened: tuple[Happened, ...] = (
        (0, "out", said[0]),
        (1, "signal", {"signal": "SIGTERM"}),
        (2, "out", said[1]),
        (3, "exit", {"code": 0}),
    )
    with played(tmp_path, *happened) as plugin:
        assert os.read(plugin.stdout.fileno(), 100) == said[0]
        plugin.send_signal(signal.SIGTERM)
        assert plugin.stdout.read() == said[1]
    assert plugin.returncode == 0


def test_one_that_it_never_got_ends_the_replay(tmp_path: Path) -> None:
    with played(tmp_path, (0, "out", tell("ready")), *EXCHANGE) as plugin:
        assert os.read(plugin.stdout.fileno(), 100) == tell("ready")
        plugin.send_signal(signal.SIGTERM)
        report = plugin.stderr.read().decode()
    assert "ended early: SIGTERM came, which is not in the recording\n" in report
    assert plugin.returncode == 1


def test_patience_has_an_end_and_it_is_told_what_was_waited_for(tmp_path: Path) -> None:
    with played(tmp_path, *EXCHANGE, more=("--patience", "200ms")) as plugin:
        report = plugin.stderr.read().decode()
    assert "step 2 (write #2) waits for #1 request read, which does not come" in report
    assert plugin.returncode == 1


@pytest.mark.parametrize(
    ("on_miss", "said"),
    [("error", b'{"jsonrpc":"2.0","id":9,"error":{"code":-32001'), ("exit", b""), ("silent", b"")],
)
def test_a_question_that_is_not_recorded_gets_what_was_asked_for(
    on_miss: str, said: bytes, tmp_path: Path
) -> None:
    options = ("--on-miss", on_miss, "--patience", "200ms")
    with played(tmp_path, *EXCHANGE, more=options) as plugin:
        plugin.stdin.write(ask(9, "read", path="/b"))
        assert plugin.stdout.read()[: len(said) or None] == said
        report = plugin.stderr.read().decode()
    assert 'the nearest, #1, has params.path "/a", not "/b"' in " ".join(report.split())
    assert plugin.returncode == 1


def test_a_host_that_reads_no_more_is_told_of(tmp_path: Path) -> None:
    with played(tmp_path, *EXCHANGE, (2, "exit", {"code": 0})) as plugin:
        plugin.stdout.close()
        plugin.stdin.write(QUESTION)
        report = plugin.stderr.read().decode()
    assert "ended early: nobody reads the plugin's stdout any more\n" in report
    assert plugin.returncode == 1


def test_a_host_without_a_stdin_is_as_recorded(tmp_path: Path) -> None:
    path = tmp_path / "made.tap"
    happened: tuple[Happened, ...] = ((0, "out", tell("hello")), (1, "exit", {"code": 4}))
    import_file("/dev/null", str(path), lambda *_: records(happened), "jsonrpc")
    done = subprocess.run(
        [sys.executable, "-m", "tapproxy", "replay", str(path), "--as", "plugin"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=WITHIN_S,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (4, tell("hello"), b"")
