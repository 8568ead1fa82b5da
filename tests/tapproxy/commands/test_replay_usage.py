"""`tap replay` says in a line what is wrong with its use, and plays what a host asks for."""

import json
import os
import shlex
from pathlib import Path

import pytest

from tapproxy.commands.group import run_group
from tapproxy.errors import USAGE, TapError
from tapproxy.opening import opened
from tapproxy_store import locate
from tests.tapproxy.calls import Said, said
from tests.tapproxy.commands.terminals import TAP

FIXTURES = Path(__file__).parents[3] / "fixtures" / "dialects" / "xlings"
LIST = str(FIXTURES / "list.tape")
HELP = " (see `tap replay --help`)"


def call(second: int, answer: str) -> str:
    """Return the tape of a call that is answered in a line."""
    head = {
        "tape": 1,
        "name": "xlings",
        "started": f"2026-12-01T00:00:{second:02}Z",
        "facts": {"argv": ["xlings", "interface", "env", "--args", '{"a":1,"b":2}']},
    }
    happened = (
        [0.001, "event", "eof", {"stream": "in", "by": "host"}],
        [0.002, "out", f"{answer}\n"],
        [0.003, "event", "exit", {"code": second}],
    )
    return "".join(f"{json.dumps(it)}\n" for it in (head, *happened))


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep recordings, notes and temporary files in a folder of the test."""
    for name, variable in (("taps", "TAP_DIR"), ("run", "XDG_RUNTIME_DIR"), ("tmp", "TMPDIR")):
        (tmp_path / name).mkdir()
        monkeypatch.setenv(variable, str(tmp_path / name))
    monkeypatch.setenv("COLUMNS", "100")


@pytest.fixture
def calls(tmp_path: Path) -> str:
    folder = tmp_path / "calls"
    folder.mkdir()
    for second, answer in ((1, "one"), (2, "two")):
        (folder / f"{answer}.tape").write_text(call(second, answer), encoding="utf-8")
    return str(folder)


def replay(*arguments: str) -> Said:
    return said([*TAP, "replay", *arguments])


def shell(*lines: str) -> Said:
    """Have a shell be the host: it starts tap once for each line, with a stdin of its own."""
    tap = shlex.join([*TAP, "replay"])
    commands = [f': | {tap} {line}; echo "exit $?"' for line in lines]
    return said(["sh", "-c", "\n".join(commands)])


WRONG = {
    "": "name a recording, a tape, or a folder of them",
    "x": "say which side tap plays: --as plugin, or --as host",
    "x --as nobody": "Invalid value for '--as': 'nobody' is not one of 'plugin', 'host'",
    "x --as host": "as host, tap needs a plugin: name its command after --, "
    "or add --recorded-command to start the recorded one",
    "x y --as host -- z": "as host, tap plays one recording; the plugin's command stands after --",
    "x --as host -- ''": "the plugin's command after -- is empty",
    "x --as host --recorded-command -- z": "--recorded-command and a command after -- "
    "contradict each other: leave one out",
    "x --as plugin --recorded-command": "--recorded-command is for --as host: "
    "as plugin, a command is named after --",
    "x --as plugin --on-miss forward": "--on-miss forward needs the real plugin: "
    "name its command after --",
    "x --as plugin --on-miss forward -- -- a": "--on-miss forward needs the real plugin: "
    "name its command after --",
    "x --as host --on-miss forward -- z": "--on-miss forward is for --as plugin: "
    "as host, the real plugin is asked anyway",
    "x --as plugin --record-mode once": "--record-mode once needs the real plugin: "
    "name its command after --",
    "x --as host --record-mode new -- z": "--record-mode new is for --as plugin: "
    "as host, the real plugin is asked anyway",
    "x y --as plugin --record-mode all -- z": "--record-mode all is about one tape: name no more",
    "x --as plugin --record-mode new --print -- z": "--print runs nothing, and --record-mode is "
    "about what was run: leave one out",
    "x --as plugin --record-mode new --on-miss error -- z": "--record-mode new and "
    "--on-miss error contradict each other: leave one out",
    "x --as plugin --record-mode all --on-miss exit -- z": "--record-mode all and "
    "--on-miss exit contradict each other: leave one out",
    "x --as plugin --print --junit f": "--print runs nothing, and --junit is about what was run: "
    "leave one out",
    "x --as plugin --print --report json": "--print runs nothing, and --report json is about "
    "what was run: leave one out",
    "x --as plugin --no-record -o f": "--no-record and --output contradict each other: "
    "leave one out",
    "x --as plugin -o -": "--output: a recording is a file, and stdout is the plugin's; "
    "name a file",
    "x --as plugin --pace -1": "Invalid value for '--pace': -1.0 is not in the range x>=0",
    "x --as plugin --pace nan": "--pace: nan is no number of times",
    "x --as plugin --late inf": "--late: inf is no number of times",
    "x --as plugin --session 0": "Invalid value for '--session': 0 is not in the range x>=1",
    "x --as plugin --ignore ''": "--ignore: '' is no path; "
    "write names with dots between: params.cwd",
    "x --as plugin --ignore a..b": "--ignore: 'a..b' is no path; "
    "write names with dots between: params.cwd",
}


@pytest.mark.parametrize("line", WRONG)
def test_a_wrong_command_line_is_explained(line: str) -> None:
    with pytest.raises(TapError) as error:
        run_group(["replay", *shlex.split(line)])
    assert (str(error.value), error.value.exit_code) == (WRONG[line] + HELP, USAGE)


@pytest.mark.parametrize("role", ["plugin", "host"])
def test_what_cannot_be_played_is_named_as_the_user_did(
    role: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bad.tape").write_text(f"{call(1, 'one')}[0.1,\n", encoding="utf-8")
    Path("empty.tape").write_text('{"tape":1}\n', encoding="utf-8")
    for name, words in {
        "no/such.tape": "tap: no file no/such.tape; `tap ls` lists the recordings\n",
        "bad.tape": "tap: bad.tape:5:6: this is not JSON: Expecting value\n",
        "empty.tape": "tap: empty.tape: neither the plugin nor its host has said a byte; "
        "there is nothing to play\n",
    }.items():
        assert replay(name, "--as", role, "--", "true") == Said(USAGE, "", words)
    assert os.listdir(tmp_path / "taps") == []


def test_a_recording_that_is_meant_has_to_be_the_only_one(tmp_path: Path) -> None:
    for second, name in enumerate(("bug-one.tap", "bug-two.tap")):
        (tmp_path / "taps" / name).write_bytes(b"")
        os.utime(tmp_path / "taps" / name, (second, second))
    told = replay("bug", "--as", "host", "--", "true")
    names = "bug-two, bug-one"  # the newest first
    assert told == Said(USAGE, "", f"tap: bug may be any of {names}; type more of the name\n")


HEAD = {"tape": 1, "framing": "lines"}
ASKED = [0.001, "in", '{"jsonrpc":"2.0","id":1,"method":"ping"}\n']
ANSWERED = [0.002, "out", '{"jsonrpc":"2.0","id":1,"result":{}}\n']
NOTICED = [0.003, "out", '{"jsonrpc":"2.0","method":"ready"}\n']
ENDED = [0.004, "event", "exit", {"code": 0}]

ANSWERS_ALONE = (
    "it.tape has only what the plugin said: its answers belong to questions that are not on record"
)
ONE_SIDED = {
    ("plugin", "out"): ANSWERS_ALONE,
    ("host", "out"): ANSWERS_ALONE,
    ("plugin", "in"): "it.tape has only what the host said: there is nothing to answer a host with",
    ("host", "in"): "it.tape has only what the host said: "
    "there is nothing to compare a plugin's answers with",
}


@pytest.mark.parametrize(("role", "stream"), ONE_SIDED)
def test_a_recording_without_the_other_side_is_explained(
    role: str, stream: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    happened = [HEAD, ASKED] if stream == "in" else [HEAD, ANSWERED]
    Path("it.tape").write_text("".join(f"{json.dumps(it)}\n" for it in happened), encoding="utf-8")
    told = replay("it.tape", "--as", role, "--no-record", *(["--", "true"] * (role == "host")))
    words = f"tap: {ONE_SIDED[role, stream]}; record both sides with tap run\n"
    assert told == Said(USAGE, "", words)


@pytest.mark.parametrize("happened", [[NOTICED], [ASKED, ENDED]])
def test_one_that_was_silent_or_has_no_answers_is_played(
    happened: list[list[object]], tmp_path: Path
) -> None:
    tape = tmp_path / "it.tape"
    lines = [json.dumps(it) for it in (HEAD, *happened)]
    tape.write_text("\n".join(lines), encoding="utf-8")
    plugin = [*TAP, "replay", str(tape), "--as", "plugin", "--pace", "0", "--no-record"]
    told = replay(str(tape), "--as", "host", "--pace", "0", "--no-record", "--", *plugin)
    assert (told.code, told.err.splitlines()[0][:6]) == (0, "same: ")


def test_a_command_that_is_not_there_is_not_started(tmp_path: Path) -> None:
    words = "tap: cannot start 'no-such-plugin': there is no such program\n"
    assert replay(LIST, "--as", "host", "--", "no-such-plugin") == Said(USAGE, "", words)
    (tmp_path / "notes").touch(0o600)
    words = f"tap: cannot start '{tmp_path}/notes': it is no file that may be executed\n"
    assert replay(LIST, "--as", "host", "--", f"{tmp_path}/notes") == Said(USAGE, "", words)
    assert os.listdir(tmp_path / "taps") == []


def test_the_pace_is_a_number_or_the_recorded_one() -> None:
    assert replay(LIST, "--as", "host", "--pace", "recorded", "--print").code == 0
    words = f"tap: Invalid value for '--pace': 'fast' is not a valid number{HELP}\n"
    assert replay(LIST, "--as", "host", "--pace", "fast", "--print") == Said(USAGE, "", words)


def test_a_recorded_command_is_shown_before_it_is_started(tmp_path: Path) -> None:
    words = (
        "starting xlings interface --list\ntap: cannot start 'xlings': there is no such program\n"
    )
    assert replay(LIST, "--as", "host", "--recorded-command") == Said(USAGE, "", words)
    silent = tmp_path / "silent.tape"
    silent.write_text('{"tape":1,"facts":{"argv":[7]}}\n[0,"out","x"]\n', encoding="utf-8")
    assert replay(str(silent), "--as", "host", "--recorded-command").err == (
        f"tap: {silent} does not tell in words how its plugin was started: "
        "name its command after --\n"
    )


def test_a_host_that_said_nothing_is_played_too(tmp_path: Path) -> None:
    told = replay(LIST, "--as", "host", "--", *TAP, "replay", LIST, "--as", "plugin")
    assert (told.code, told.out, told.err.splitlines()[0]) == (0, "", "same: 3 of 3")
    recorded = locate.recordings(str(tmp_path / "taps"))
    assert [os.path.basename(path).split("-")[2] for path in recorded] == ["list", "list"]
    assert os.listdir(tmp_path / "tmp") == []


def test_the_command_line_chooses_the_session(tmp_path: Path) -> None:
    line = f"{FIXTURES} --as plugin -- interface"
    told = shell(f"{line} --version", f"{line} 'no such'")
    version, its_end, refused, end = told.out.splitlines()
    assert (version, its_end, end) == ('{"protocol_version":"1.7"}', "exit 0", "exit 2")
    assert told.err.startswith("tap: no session was started with interface 'no such'; the nearest")
    why = told.err.splitlines()[0].removeprefix("tap: ")
    assert json.loads(refused) == {"kind": "log", "level": "warn", "message": why}
    (recorded,) = locate.recordings(str(tmp_path / "taps"))
    with opened(recorded) as recording:
        tags = recording.session().facts["tags"]
    assert tags == {"replay-of": "version.tape", "replayed-as": "plugin"}


def test_arguments_are_the_same_in_any_spelling_and_from_a_file(calls: str, tmp_path: Path) -> None:
    (tmp_path / "arguments.json").write_text('{"b": 2, "a": 1}', encoding="utf-8")
    line = f"{calls}/one.tape --as plugin --no-record --on-miss silent -- interface env"
    told = shell(
        f'{line} --args \'{{ "b": 2, "a": 1 }}\'',
        f"{line} --args-file {tmp_path}/arguments.json",
        f"{line} --args '{{}}'",
    )
    assert told == Said(
        0,
        "one\nexit 1\none\nexit 1\nexit 2\n",
        "tap: no session was started with interface env --args '{}'; the nearest is "
        f'interface env --args \'{{"a":1,"b":2}}\' in {calls}/one.tape: a was 1, now absent\n',
    )


def test_a_command_that_is_taken_for_the_hosts_words_is_told_how_it_is_asked(
    tmp_path: Path,
) -> None:
    tape = tmp_path / "it.tape"
    tape.write_text('{"tape":1}\n[0,"out","x\\n"]\n', encoding="utf-8")
    why = "no session was started with cat -u: no recorded command line is known"
    hint = "if cat is the real plugin, --on-miss forward has it answer"
    told = replay(str(tape), "--as", "plugin", "--", "cat", "-u")
    assert told == Said(USAGE, "", f"tap: {why}; {hint}\n")


def test_what_is_only_printed_starts_no_real_plugin(tmp_path: Path) -> None:
    command = ("--on-miss", "forward", "--", "touch", "--", str(tmp_path / "started"))
    told = replay(str(FIXTURES), "--as", "plugin", "--print", *command)
    assert (told.code, told.out, told.err[:32]) == (USAGE, "", "tap: no session was started with")
    assert not (tmp_path / "started").exists()


def test_a_host_that_starts_its_plugin_again_gets_the_next_session(calls: str) -> None:
    again = (
        "tap: this host has had all 2 sessions; the last is played again "
        "(--session N plays another)\n"
    )
    told = shell(*[f"{calls} --as plugin"] * 3)
    assert told == Said(0, "one\nexit 1\ntwo\nexit 2\ntwo\nexit 2\n", again)
    assert shell(f"{calls} --as plugin").out == "one\nexit 1\n"


def test_a_session_can_be_asked_for_by_its_number(calls: str) -> None:
    told = shell(*[f"{calls} --as plugin --session 2"] * 2, f"{calls} --as plugin --session 3")
    assert told == Said(0, "two\nexit 2\n" * 2 + "exit 2\n", "tap: --session 3: there are 2\n")


def test_a_script_can_be_read_before_it_is_played(calls: str, tmp_path: Path) -> None:
    line = [calls, "--as", "plugin", "--print", "--", "interface", "env", "--args"]
    shown = [replay(*line, '{"a":1,"b":2}') for _ in range(2)]
    assert shown[0] == shown[1]
    assert "one" in shown[0].out
    assert os.listdir(tmp_path / "run") == []
