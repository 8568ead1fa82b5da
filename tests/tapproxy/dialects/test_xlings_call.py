"""xlings is recognised by its command line, else by its lines, and by nothing looser than that."""

import pytest

from tapproxy.dialects.api import Meaning
from tapproxy.dialects.xlings import XLINGS
from tests.tapproxy.dialects.xlings_talk import heard, talk, traits

EXECUTION = "started as xlings interface env"


@pytest.mark.parametrize(
    ("argv", "reason"),
    [
        (["xlings", "interface", "env"], EXECUTION),
        (["/opt/bin/xlings", "interface", "env", "--args", "{}"], EXECUTION),
        ([r"C:\tools\XLINGS.EXE", "interface", "--args", "{}", "env"], EXECUTION),
        (["timeout", "9", "xlings", "interface", "env"], EXECUTION),
        (["python3", "bin/xlings", "interface", "env"], EXECUTION),
        (["sh", "-c", "exec xlings interface env --args '{}'"], EXECUTION),
        (["cmd", "/C", 'xlings interface env "odd'], EXECUTION),
        (["xlings", "interface", "--version"], "started as xlings interface --version"),
        (["xlings", "interface", "--list"], "started as xlings interface --list"),
        (["xlings", "interface"], "started as xlings interface"),
        (["xlings", "install", "interface"], None),
        (["explain", "xlings interface env"], None),
        (["interface", "xlings"], None),
        ([], None),
    ],
)
def test_a_command_line_is_recognised(argv: list[str], reason: str | None) -> None:
    assert XLINGS.recognise(argv, []) == reason


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"exitCode":0,"kind":"result"}', "an event of kind result"),
        ('{"kind":"heartbeat","ts":"x"}', "an event of kind heartbeat"),
        ('{"kind":"log","level":"info","message":"m"}', "an event of kind log"),
        ('\r[1/2] a\x1b[K{"exitCode":0,"kind":"result"}', "an event of kind result"),
        ('{"protocol_version":"1.7"}', "an answer with protocol_version"),
        ('> {"action":"cancel"}', "a control line with action cancel"),
        (
            '> {"action":"prompt-reply","id":"p","value":"yes"}',
            "a control line with action prompt-reply",
        ),
        ('{"kind":"result"}', None),
        ('{"kind":"result","exitCode":0,"type":"x"}', None),
        ('{"kind":"result","exitCode":0,"jsonrpc":"2.0"}', None),
        ('{"kind":"begin","exitCode":0}', None),
        ('{"kind":["result"],"exitCode":0}', None),
        ('{"protocol_version":1}', None),
        ('{"protocol_version":"1.7","id":1}', None),
        ('> {"action":"cancel","target":1}', None),
        ('> {"action":"stop"}', None),
        ('> {"exitCode":0,"kind":"result"}', None),
        ('{"action":"cancel"}', None),
        ("[]", None),
        ("nothing", None),
    ],
)
def test_without_a_command_line_it_is_recognised_by_a_line(line: str, reason: str | None) -> None:
    assert XLINGS.recognise([], heard(line)) == reason


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--args", '{"targets":["a","b"],"yes":true}'], 'arguments yes=true targets=["a", "b"]'),
        (['--args={"yes":true}'], "arguments yes=true"),
        (["--args", "{}"], "no arguments"),
        (["--args", "{yes"], "arguments are not JSON"),
        (["--args", "7"], "arguments are no object"),
        (["--args-file", "a.json"], "arguments in a.json"),
        (["--args-file=a.json"], "arguments in a.json"),
    ],
)
def test_the_arguments_of_a_capability_are_told(words: list[str], said: str) -> None:
    argv = ["xlings", "interface", "install_packages", *words]
    assert traits(argv=argv) == ["capability install_packages", said]


@pytest.mark.parametrize("words", [[], ["--args", ""], ["--args"]])
def test_no_arguments_are_not_told(words: list[str]) -> None:
    assert traits(argv=["xlings", "interface", "env", *words]) == ["capability env"]


@pytest.mark.parametrize("argv", [["xlings", "interface", "--version"], []])
def test_the_answer_to_version_is_read_with_and_without_a_command_line(argv: list[str]) -> None:
    line = '{"protocol_version":"1.7"}'
    assert talk(line, argv=argv) == [Meaning("version", None, "protocol 1.7")]
    assert traits(line, argv=argv) == ["protocol 1.7"]


def test_the_answer_to_list_names_the_first_capabilities() -> None:
    listed = ",".join(f'{{"name":"{name}"}}' for name in ("env", "update", "list", "add"))
    line = f'{{"capabilities":[{listed}],"protocol_version":"1.1"}}'
    argv = ["xlings", "interface", "--list"]
    words = "4 capabilities: env, update, list, …"
    assert talk(line, argv=argv) == [Meaning("list", None, words)]
    assert traits(line, argv=argv) == ["protocol 1.1"]


@pytest.mark.parametrize(
    ("line", "meaning"),
    [
        ('{"build":7,"protocol_version":2}', Meaning("version", None, "protocol 2")),
        (
            '{"build":7,"capabilities":[{"name":"env"},7],"protocol_version":"2.0"}',
            Meaning("list", None, "2 capabilities: env, ?"),
        ),
    ],
)
def test_an_answer_that_was_asked_for_may_have_further_members(line: str, meaning: Meaning) -> None:
    assert talk(line, argv=["xlings", "interface", "--list"]) == [meaning]


def test_an_event_is_read_as_one_also_where_an_option_was_asked_for() -> None:
    (meaning,) = talk('{"exitCode":0,"kind":"result"}', argv=["xlings", "interface", "--list"])
    assert meaning == Meaning("result", None, "exit 0")
