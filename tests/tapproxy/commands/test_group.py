"""The list of commands: each is imported only to be run, and explains itself."""

import subprocess
import sys
from pathlib import Path

import click
import pytest

from tapproxy.commands.group import COMMANDS, run_group, tap
from tapproxy.errors import COULD_NOT_RUN, USAGE, TapError
from tapproxy_store.errors import CannotRead, CannotWrite, StoreError


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_has_help_with_examples(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_group([name, "--help"]) == 0
    shown = capsys.readouterr()
    assert (shown.err, shown.out.splitlines()[0].split()[:3]) == ("", ["Usage:", "tap", name])
    assert "Example" in shown.out


def test_the_help_page_imports_no_command() -> None:
    code = (
        "import sys\nfrom tapproxy.commands.group import run_group\nrun_group(['--help'])\n"
        "sys.exit(repr([it for it in sys.modules if it.startswith('tapproxy.commands.')]))"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=False, timeout=30
    )
    assert result.stderr == b"['tapproxy.commands.group']\n"


@pytest.mark.parametrize(
    ("raised", "message", "code"),
    [
        (CannotWrite("cannot write a.tap: full"), "cannot write a.tap: full", COULD_NOT_RUN),
        (CannotRead("cannot read a.tap"), "cannot read a.tap", USAGE),
        (StoreError("no recording"), "no recording", USAGE),
        (click.UsageError("This is wrong."), "This is wrong (see `tap ls --help`)", USAGE),
        (click.ClickException("This failed"), "This failed", USAGE),
    ],
)
def test_what_a_command_raises_becomes_a_line_and_an_exit_code(
    monkeypatch: pytest.MonkeyPatch, raised: Exception, message: str, code: int
) -> None:
    def fail() -> None:
        raise raised

    command = tap.get_command(click.Context(tap), "ls")
    assert command is not None
    monkeypatch.setattr(command, "params", [])
    monkeypatch.setattr(command, "callback", fail)
    with pytest.raises(TapError) as caught:
        run_group(["ls"])
    assert (str(caught.value), caught.value.exit_code) == (message, code)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("shwo", "No such command 'shwo'; did you mean `tap show`?"),
        ("list", "No such command 'list'; did you mean `tap ls`?"),
        ("record", "No such command 'record'; did you mean `tap run`?"),
        (
            "zap x",
            "No such command 'zap'; there are run, ls, show, tail, stats, diff, "
            "replay, wrap, unwrap, doctor, redact, export, import, index, rm, demo",
        ),
        ("a.tap", "No such command 'a.tap'; `tap show a.tap` shows a recording or a tape"),
        ("help shwo", "No such command 'shwo'; did you mean `tap show`?"),
        ("--json", "No such option '--json'"),
    ],
)
def test_what_is_no_command_is_told_with_what_was_meant(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.tap").touch()
    with pytest.raises(TapError) as caught:
        run_group(line.split())
    assert (str(caught.value), caught.value.exit_code) == (f"{message} (see `tap --help`)", USAGE)


@pytest.mark.parametrize("command", [[], ["ls"], ["run"]])
def test_help_is_a_command_too(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run_group(["help", *command]) == 0
    by_word = capsys.readouterr().out
    run_group([*command, "--help"])
    assert capsys.readouterr().out == by_word


def test_an_aborted_command_ends_as_one_that_ctrl_c_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    def abort() -> None:
        raise click.Abort

    command = tap.get_command(click.Context(tap), "demo")
    assert command is not None
    monkeypatch.setattr(command, "callback", abort)
    with pytest.raises(KeyboardInterrupt):
        run_group(["demo"])
