"""`tap show` as people and programs call it."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tapproxy.commands.group import run_group
from tapproxy.errors import USAGE, TapError
from tapproxy_store.records import Event, Stream
from tests.tapproxy.commands.terminals import TAP, Terminal
from tests.viewers.made import MS, SECOND, event, record, session

TALK: list[tuple[Stream, int, bytes] | Event] = [
    event(0, "spawn", pid=42),
    ("in", 3 * MS, b'{"id":1}\n'),
    ("out", 5 * MS, b"\x1b[31m\xff\n"),
    event(5 * SECOND, "exit", code=0),
]


@pytest.fixture
def recordings(tmp_path: Path) -> Path:
    folder = tmp_path / "recordings"
    record(str(folder / "20261130-203005-a-1.tap"), session(), *TALK)
    return folder


@pytest.fixture
def long_recording(tmp_path: Path) -> str:
    path = str(tmp_path / "long.tap")
    record(path, session(), *[("out", n * MS, b"line %d\n" % n) for n in range(20_000)])
    return path


def output(capsysbinary: pytest.CaptureFixture[bytes], *arguments: str) -> bytes:
    run_group(list(arguments))
    return capsysbinary.readouterr().out


def test_the_last_recording_is_shown_plain_when_piped(
    recordings: Path, capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    assert recordings.is_dir()
    shown = output(capsysbinary, "show").decode().splitlines()
    assert shown[0] == "./server.py --greet 'hello you'"
    place = recordings / "20261130-203005-a-1.tap"
    assert shown[2:4] == [f"  no messages yet: `tap index {place}` reads them", f"  {place}"]
    assert shown[-4:] == [
        '  0.003 s  ──→  #1    {"id":1}',
        "  0.005 s  ←──  #2  ! not UTF-8 · ␛[31m‹FF›",
        "┄┄┄┄┄┄┄┄┄┄┄ 5.0 s ┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄",
        "  5.000 s   •   plugin exited with code 0",
    ]


@pytest.mark.usefixtures("recordings")
def test_colours_are_there_when_asked_for_whatever_no_color_says(
    capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert b"\x1b" not in output(capsysbinary, "show", "last")
    coloured = output(capsysbinary, "show", "last", "--color", "always")
    assert b"\x1b[36m\xe2\x94\x80\xe2\x94\x80\xe2\x86\x92" in coloured


@pytest.mark.usefixtures("recordings")
def test_programs_get_json_lines_or_a_streams_exact_bytes(
    capsysbinary: pytest.CaptureFixture[bytes],
) -> None:
    lines = output(capsysbinary, "show", "2026", "--json").splitlines()
    assert [json.loads(line)["type"] for line in lines] == [
        "session",
        "event",
        "frame",
        "frame",
        "event",
    ]
    assert output(capsysbinary, "show", "last~0", "--raw", "out") == b"\x1b[31m\xff\n"
    assert output(capsysbinary, "show", "last", "--raw", "err") == b""


@pytest.mark.usefixtures("recordings")
def test_a_tape_is_shown_as_the_recording_that_it_was_made_of(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    tape = str(tmp_path / "a.tape")
    run_group(["export", "last", "--to", "tape", "-o", tape])
    shown = output(capsysbinary, "show", "last").splitlines()
    assert output(capsysbinary, "show", tape).splitlines() == [
        *shown[:2],
        b"  jsonl",
        *shown[4:8],
        *output(capsysbinary, "show", tape).splitlines()[7:],
    ]


def test_what_cannot_be_asked_for_at_once_is_refused() -> None:
    with pytest.raises(TapError, match="--raw and --json exclude each other") as raised:
        run_group(["show", "--raw", "in", "--json"])
    assert raised.value.exit_code == USAGE


def test_a_reader_that_leaves_early_gets_no_message(long_recording: str) -> None:
    for option in ("--color=never", "--json", "--raw=out"):
        process = subprocess.Popen(
            [*TAP, "show", long_recording, option], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        assert process.stdout is not None
        assert process.stderr is not None
        with process, process.stderr:
            assert process.stdout.read(100)
            process.stdout.close()
            assert process.stderr.read() == b""
        assert process.returncode == 128 + 13


def test_a_terminal_gets_colours_and_a_pager_that_may_be_left_early(
    long_recording: str, tmp_path: Path
) -> None:
    pager = tmp_path / "less"
    pager.write_text('#!/bin/sh\nread first\necho "paged: $first"\n')
    pager.chmod(0o700)
    terminal = Terminal("show", long_recording, environment={"PAGER": str(pager)})
    assert terminal.end() == (b"paged: \x1b[1m./server.py --greet 'hello you'\x1b[0m\r\n", 0)


def test_no_pager_is_used_when_not_wanted_or_not_there(recordings: Path) -> None:
    assert recordings.is_dir()
    for arguments, environment in (
        (["--no-pager"], {"PAGER": "false"}),
        ([], {"PAGER": "cat"}),
        ([], {"PAGER": "no-such-pager --at all"}),
        ([], {"PAGER": "'"}),
        (["--color", "always"], {"PAGER": "false", "TERM": "dumb"}),
    ):
        shown, code = Terminal("show", *arguments, environment=environment).end()
        assert b"\x1b[1m./server.py" in shown
        assert b"plugin exited with code 0" in shown
        assert code == 0


def test_no_color_is_heeded_on_a_terminal(recordings: Path) -> None:
    assert recordings.is_dir()
    shown, _ = Terminal("show", environment={"NO_COLOR": "1", "PAGER": "cat"}).end()
    assert b"\x1b" not in shown


@pytest.mark.skipif(shutil.which("less") is None, reason="needs less")
def test_ctrl_c_is_for_the_pager(long_recording: str) -> None:
    terminal = Terminal("show", long_recording, environment={})
    terminal.read_until(b"line 3")
    terminal.type(b"\x03")
    terminal.type(b"q")
    shown, code = terminal.end()
    assert b"Traceback" not in shown
    assert code == 0


def test_raw_bytes_are_not_sent_to_a_terminal(recordings: Path) -> None:
    assert recordings.is_dir()
    shown, code = Terminal("show", "--raw", "out", environment={}).end()
    assert shown == (
        b"tap: --raw out writes bytes that a terminal may obey; send them to a file or a pipe:"
        b" `tap show \xe2\x80\xa6 --raw out > FILE`\r\n"
    )
    assert code == USAGE
