"""The words that start a server through tap, and how they are known again."""

import sys
from pathlib import Path

import pytest

from tapproxy.commands.run_line import read
from tapproxy.wrap.configs.words import How, goes_through_tap, own_command, words_for
from tapproxy.wrap.modes import Mode

OWN = len(own_command())


@pytest.mark.parametrize("is_swallowed", [False, True])
@pytest.mark.parametrize("name", ["time", "-v", "a b", "@x/y", "ü"])
def test_tap_understands_them_with_and_without_the_two_dashes(
    name: str, *, is_swallowed: bool
) -> None:
    words = words_for(Mode("record"), name, How("/r", ("all", "tokens")))
    assert (words[OWN], words[-1]) == ("run", "--")
    arguments = [*words[OWN + 1 :], "uvx", "--x", "--", "y"]
    if is_swallowed:
        arguments.remove("--")
    order = read(arguments)
    assert order is not None
    assert (order.command, order.name) == ([b"uvx", b"--x", b"--", b"y"], name)
    assert order.redact == ("all", "tokens")


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("/home/me/.local/bin/tap run -o /r -- uvx x", True),
        ("tap replay bug.tap --as plugin", True),
        (r"C:\tools\tap.exe run x", True),
        ("/usr/bin/python3 -m tapproxy run -- x", True),
        ("uvx --from tapproxy tap run -- x", True),
        ("env A=b tap run x", True),
        ("tap test.js", False),
        ("tap", False),
        ("uvx mcp-server-time", False),
        ("npx -- tap run", False),
        ("tape run", False),
        ("python -m tapproxyx run", False),
    ],
)
def test_a_command_line_that_starts_tap_is_known(command: str, *, expected: bool) -> None:
    assert goes_through_tap(command.split()) is expected


def test_where_no_tap_lies_beside_python_it_is_named_as_a_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    python = tmp_path / "bin/python"
    monkeypatch.setattr(sys, "executable", str(python))
    assert own_command() == (str(python), "-P", "-m", "tapproxy")
    python.parent.mkdir()
    beside = python.with_name("tap")
    beside.touch(0o755)
    assert own_command() == (str(beside),)
