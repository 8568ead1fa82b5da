"""The stand-in for xlings and its host talk through real pipes as the two are known to."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from tapproxy.dialects.api import Meaning
from tests.tapproxy.dialects.xlings_talk import talk

PROGRAMS = Path(__file__).parents[2] / "programs"
PATIENCE_S = 30.0
INSTALL = ("install_packages", "--args", '{"targets":["node@22.4.0"],"yes":true}')
ASKING = ("install_packages", "--args", '{"targets":["node@22.4.0"]}')


class Talk(NamedTuple):
    """What the host got and sent, `< ` and `> ` before each line, and how the process ended."""

    lines: list[str]
    end: str
    code: int  # of the host
    err: str

    def meanings(self) -> list[Meaning]:
        """Return what the lines say."""
        return talk(*(it.removeprefix("< ") for it in self.lines))

    def events(self) -> list[str]:
        """Return xlings' own lines."""
        return [it.removeprefix("< ") for it in self.lines if it.startswith("< ")]


def run(words: tuple[str, ...], *client: str, env: Mapping[str, str] | None = None) -> Talk:
    """Have the host call xlings with these words after `interface`."""
    python = [sys.executable, "-u"]
    host = [*python, str(PROGRAMS / "xlings_client.py"), *client, "--"]
    plugin = [*python, str(PROGRAMS / "xlings_interface.py"), "interface", *words]
    done = subprocess.run(
        [*host, *plugin],
        env={**os.environ, **(env or {})},
        capture_output=True,
        timeout=PATIENCE_S,
        check=False,
    )
    *lines, end = done.stdout.decode().removesuffix("\n").split("\n")  # CR stays as it is
    return Talk(lines, end, done.returncode, done.stderr.decode())


def test_a_prompt_is_answered_and_the_install_goes_through() -> None:
    talked = run(ASKING, "--reply", "confirm-install", "yes")
    meanings = talked.meanings()
    assert [it.replies for it in meanings if it.kind == "control"] == ['"confirm-install"']
    assert meanings[-1] == Meaning("result", None, "exit 0")
    assert (talked.end, talked.code) == ("exit 0", 0)


def test_a_prompt_that_is_declined_installs_nothing() -> None:
    *_, log, result = run(ASKING, "--reply", "confirm-install", "no").meanings()
    assert (log.summary, result.summary) == ("nothing was installed", "exit 0")


def test_a_prompt_that_nobody_answers_takes_its_default() -> None:
    *_, summary, result = run(ASKING, env={"XLINGS_PROMPT": "0.01"}).meanings()
    assert (summary.summary, result.summary) == ("1 installed, 0 failed", "exit 0")


def test_silence_is_filled_by_heartbeats() -> None:
    words = ("update_packages", "--args", '{"seconds":0.5}')
    meanings = run(words, env={"XLINGS_HEARTBEAT": "0.05"}).meanings()
    assert "heartbeat" in [it.kind for it in meanings]
    assert meanings[-1].summary == "exit 0 updated=2"


def test_a_cancel_ends_the_call_with_130() -> None:
    talked = run(INSTALL, "--after", "1", '{"action":"cancel"}')
    *_, error, result = talked.meanings()
    assert (error.method, result.summary) == ("E_CANCELLED", "exit 130 cancelled")
    assert (talked.end, talked.code) == ("exit 130", 0)


def test_a_pause_ends_the_call_as_an_internal_error() -> None:
    *_, error, result = run(INSTALL, "--after", "1", '{"action":"pause"}').meanings()
    assert error.flags == ("error", "pause-internal")
    assert result.summary == "exit 1 failed"


def test_the_second_line_of_a_write_is_acted_on_when_a_third_comes() -> None:
    first, second, third = ("--after", "1"), ("--after", "1"), ("--after", "9")
    talked = run(
        (*INSTALL[:2], '{"targets":["node@22.4.0"],"yes":true,"seconds":0.5}'),
        *(*first, '{"action":"a"}', *second, '{"action":"b"}', *third, '{"action":"c"}'),
    )
    marked = [it for it in talked.lines if it.startswith("> ") or "unknown action" in it]
    assert [it[0] + json.loads(it[2:]).get("message", it)[-1:] for it in marked] == [
        *(">}", ">}", "<a", ">}", "<b", "<c")
    ]


def test_lines_that_are_no_control_lines_are_ignored() -> None:
    client = ("--after", "1", "cancel", "--after", "3", "[]", "--after", "4", '{"kind":"log"}')
    assert run(INSTALL, *client).meanings()[-1].summary == "exit 0"


def test_a_reply_of_a_number_is_the_end_of_the_process() -> None:
    talked = run(ASKING, "--after", "2", '{"action":"prompt-reply","id":1,"value":"yes"}')
    assert (talked.end, talked.meanings()[-1].flags) == ("exit -6", ("reply-type",))
    assert talked.err == "terminate called: the value of a member is no string\n"


def test_a_host_that_closes_stdin_at_once_gets_its_result() -> None:
    assert run(INSTALL, "--close-after", "0").meanings()[-1].summary == "exit 0"


@pytest.mark.parametrize(
    ("words", "lines"),
    [
        (("--version",), ['{"protocol_version":"1.7"}']),
        ((), ['{"kind":"result","exitCode":1,"error":"no capability is named; try --list"}']),
        (
            ("fly",),
            [
                '{"code":"E_NOT_FOUND","hint":"try `xlings interface --list`","kind":"error",'
                '"message":"unknown capability: fly","recoverable":false}',
                '{"exitCode":1,"kind":"result"}',
            ],
        ),
        (
            ("env", "--args", "{half"),
            [
                '{"code":"E_INVALID_INPUT","hint":"","kind":"error",'
                '"message":"the arguments are not JSON","recoverable":false}',
                '{"exitCode":1,"kind":"result"}',
            ],
        ),
        (
            ("install_packages", "--args", ""),
            [
                '{"code":"E_INVALID_INPUT","hint":"needed: targets","kind":"error",'
                '"message":"missing required field(s): targets","recoverable":false}',
                '{"exitCode":1,"kind":"result"}',
            ],
        ),
        (
            ("env", "--args", '{"text":true}'),
            [
                '{"dataKind":"env","kind":"data","payload":"xlingsHome=/home/u/.xlings"}',
                '{"exitCode":0,"kind":"result"}',
            ],
        ),
    ],
)
def test_a_call_without_work_is_answered_at_once(words: tuple[str, ...], lines: list[str]) -> None:
    assert run(words).events() == lines


@pytest.mark.parametrize(
    ("command", "summaries"),
    [
        ('["echo","né"]', ['stdout "né"', 'stdout "\n"', "exit 0"]),
        ('["false"]', ["failed (exit 1) with no error detail on the stream", "exit 1 failed"]),
        (
            '["fly"]',
            [
                'stderr "fly: not found\n"',
                "failed (exit 127) with no error detail on the stream",
                "exit 127",
            ],
        ),
    ],
)
def test_a_command_gives_its_output_and_its_own_exit_code(
    command: str, summaries: list[str]
) -> None:
    words = ("subos_exec", "--args", f'{{"command":{command}}}')
    assert [it.summary for it in run(words).meanings()] == summaries


def test_arguments_may_come_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "args.json"
    file.write_text('{"text":true}')
    (event, _) = run(("env", "--args-file", str(file))).meanings()
    assert event.flags == ("payload-text",)


def test_an_old_xlings_draws_its_progress_bar_into_the_lines() -> None:
    talked = run(("update_packages",), env={"XLINGS_PROTOCOL": "1.0"})
    *_, result = talked.meanings()
    assert result.flags == ("not-json", "ansi")
    assert [it.summary for it in talked.meanings()] == [
        "50 % xim",
        "100 % scode",
        "exit 0 updated=2",
    ]
