"""`tap import` makes recordings of logs: recognised, or of the format and direction it is told."""

import os
import subprocess
from pathlib import Path

import pytest

from tapproxy.commands.group import run_group
from tapproxy.errors import USAGE, TapError
from tapproxy_store.reading import open_recording
from tapproxy_store.records import Chunk
from tests.tapproxy.commands.terminals import TAP
from tests.tapproxy.importing.logs import MODIFIED_NS

FIXTURES = Path(__file__).resolve().parents[3] / "fixtures/imports"
LINE = '{"dir": "out", "msg": {"id": 1}}\n'


@pytest.fixture
def log(tmp_path: Path) -> str:
    path = tmp_path / "a.jsonl"
    path.write_text(LINE)
    os.utime(path, ns=(MODIFIED_NS, MODIFIED_NS))
    return str(path)


def chunks(path: str) -> list[tuple[str, bytes]]:
    with open_recording(path) as recording:
        found = [it for it in recording.records(1) if isinstance(it, Chunk)]
    return [(it.stream, it.data) for it in found]


def test_a_log_is_recognised_and_dated_by_its_file(log: str, tmp_path: Path) -> None:
    target = str(tmp_path / "a.tap")
    run_group(["import", log, "-o", target])
    assert chunks(target) == [("out", b'{"id": 1}\n')]
    with open_recording(target) as recording:
        session = next(iter(recording.sessions()))
    assert (session.name, session.started_ns) == ("a", MODIFIED_NS)


@pytest.mark.parametrize("name", sorted(it.name for it in FIXTURES.iterdir()))
def test_each_sample_becomes_a_recording(name: str, tmp_path: Path) -> None:
    target = str(tmp_path / "a.tap")
    run_group(["import", str(FIXTURES / name), "-o", target])
    assert chunks(target)


def test_a_log_may_come_through_a_pipe(tmp_path: Path) -> None:
    command = [*TAP, "import", "-", "-o", "a.tap"]
    piped = subprocess.run(
        command, cwd=tmp_path, input=LINE.encode(), capture_output=True, check=False
    )
    assert (piped.stdout, piped.stderr) == (
        b"- (json-lines): 1 message; it is now a.tap\n",
        b"",
    )
    assert chunks(str(tmp_path / "a.tap")) == [("out", b'{"id": 1}\n')]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((), "2 messages, all taken as the plugin's (--direction in: the host's)"),
        (("--direction", "in"), "2 messages"),
    ],
)
def test_where_the_messages_go_is_said_where_it_was_guessed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: tuple[str, ...], said: str
) -> None:
    log, target = tmp_path / "a.jsonl", tmp_path / "a.tap"
    log.write_text('{"id": 1}\n{"id": 2}\n')
    run_group(["import", str(log), "-o", str(target), *options])
    assert capsys.readouterr().out == f"{log} (json-lines): {said}; it is now {target}\n"


def test_what_comes_through_a_pipe_is_called_stdin(tmp_path: Path) -> None:
    command = [*TAP, "import", "-"]
    subprocess.run(command, input=LINE.encode(), capture_output=True, check=True)
    (path,) = (tmp_path / "recordings").iterdir()
    with open_recording(str(path)) as recording:
        assert recording.session().name == "stdin"
    assert "-stdin-" in path.name


def test_the_user_may_say_that_a_log_is_not_wrapped(log: str, tmp_path: Path) -> None:
    target = str(tmp_path / "a.tap")
    run_group(["import", log, "-o", target, "--from", "json-lines", "--direction", "in"])
    assert chunks(target) == [("in", LINE.encode())]


def test_a_direction_is_not_for_formats_that_tell_it(tmp_path: Path) -> None:
    trace = str(FIXTURES / "ruff-trace.log")
    with pytest.raises(TapError) as raised:
        run_group(["import", trace, "-o", str(tmp_path / "a.tap"), "--direction", "in"])
    assert (str(raised.value), raised.value.exit_code) == (
        f"{trace} is of the format vscode-lsp, which tells directions itself: "
        "leave --direction out, or add --from json-lines",
        USAGE,
    )


def test_an_unknown_dialect_is_told_before_anything_is_written(log: str, tmp_path: Path) -> None:
    with pytest.raises(TapError, match="no dialect is called 'klingon'"):
        run_group(["import", log, "-o", str(tmp_path / "a.tap"), "--dialect", "klingon"])
    assert sorted(it.name for it in tmp_path.iterdir()) == ["a.jsonl"]


def test_a_bad_line_leaves_nothing_behind(log: str, tmp_path: Path) -> None:
    with open(log, "a", encoding="utf-8") as file:
        file.write("[]\n")
    with pytest.raises(TapError) as raised:
        run_group(["import", log, "-o", str(tmp_path / "a.tap")])
    assert str(raised.value) == f"{log}:2:1: expected an object {{…}}, not []"
    assert sorted(it.name for it in tmp_path.iterdir()) == ["a.jsonl"]
