"""`tap diff` tells what differs between two recordings, and exits 1 if anything does."""

import json
import re
from pathlib import Path

import pytest

from tapproxy.commands.group import run_group
from tapproxy.errors import USAGE, TapError
from tapproxy_store.tags import REPLAY_OF

HEADER = '{"tape":1,"framing":"lines","facts":{"argv":["server"]}}'

Outcome = tuple[int, str]


def call(number: int, name: str, **more: object) -> str:
    params = {"name": name, "arguments": {"n": 1}, **more}
    return line("in", {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params})


def result(number: int, text: str) -> str:
    content = {"content": [{"type": "text", "text": text}]}
    return line("out", {"jsonrpc": "2.0", "id": number, "result": content})


def progress(value: int) -> str:
    params = {"progressToken": value + 7, "progress": value}
    return line("out", {"jsonrpc": "2.0", "method": "notifications/progress", "params": params})


def line(stream: str, value: object) -> str:
    return json.dumps([0.001, stream, json.dumps(value) + "\n"])


INITIALIZE = line(
    "in",
    {
        "jsonrpc": "2.0",
        "id": "i",
        "method": "initialize",
        "params": {"protocolVersion": "2025-06-18", "capabilities": {}},
    },
)

GOOD = (
    INITIALIZE,
    call(1, "search"),
    progress(1),
    progress(2),
    result(1, "found"),
    call(2, "read"),
    result(2, "the text, a long one, that is here"),
    call(3, "list"),
    result(3, "none"),
    json.dumps([0.001, "err", "started\n"]),
)
OTHER = (
    INITIALIZE,
    call(11, "search", limit=3),
    progress(2),
    progress(1),
    result(11, "found"),
    call(12, "read"),
    result(12, "the text, a long one, that is there"),
    json.dumps([0.001, "out", "Traceback: \x1b[31moops\n"]),
    json.dumps([0.001, "err", "started again\n"]),
)

TOLD = """\
A good.tape · B other.tape
                     A       B
changed    ──→      #2      #2  tools/call  params.limit: absent → 3
only in B  ←──              #8  unknown  Traceback: ␛[31moops
moved      ←──      #4      #3  notifications/progress  2
changed    ←──      #7      #7  tools/call
           result.content.0.text
           A  "the text, a long one, that is here"
           B  "the text, a long one, that is there"
only in A  ──→      #8          tools/call  list n=1 · and its answer #9

2 changed, 1 moved, 1 only in A, 1 only in B, 4 same · 1 in stderr (see --stderr)"""


@pytest.fixture(autouse=True)
def place(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand before a terminal of 100 columns."""
    monkeypatch.setenv("COLUMNS", "100")


def tape(folder: Path, name: str, *lines: str) -> str:
    path = folder / f"{name}.tape"
    path.write_text("\n".join([HEADER, *lines]) + "\n", encoding="utf-8")
    return str(path)


def diff(capsys: pytest.CaptureFixture[str], *arguments: str) -> Outcome:
    try:
        run_group(["diff", *arguments])
    except SystemExit as error:
        return int(error.code or 0), capsys.readouterr().out
    return 0, capsys.readouterr().out


@pytest.fixture
def good(tmp_path: Path) -> str:
    return tape(tmp_path, "good", *GOOD)


@pytest.fixture
def other(tmp_path: Path) -> str:
    return tape(tmp_path, "other", *OTHER)


def test_differences_are_told_a_line_each(
    good: str, other: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out = diff(capsys, good, other)
    assert "\n".join(line.rstrip() for line in out.splitlines()) == TOLD
    assert code == 1


def test_recordings_that_are_the_same_say_so_in_a_line(
    good: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    renumbered = tape(
        tmp_path, "again", *(re.sub(r"(?<=id..: )([0-9])", r"10\1", it) for it in GOOD)
    )
    same = "no difference: 10 messages are the same, volatile values aside\n"
    assert diff(capsys, good, renumbered) == (0, "A good.tape · B again.tape\n" + same)


def test_a_recording_beside_itself_is_called_so(
    good: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    link = tmp_path / "link.tape"
    link.symlink_to(good)
    same = "A and B are the same recording\n"
    assert diff(capsys, good, good) == diff(capsys, good, str(link)) == (0, same)
    assert json.loads(diff(capsys, good, good, "--json")[1])["same"] == 10
    recording = tmp_path / "a.tap"
    run_group(["import", good, "-o", str(recording)])
    assert diff(capsys, str(recording), str(recording))[1].endswith(same)
    assert diff(capsys, str(recording), good)[1].startswith("A a · B good.tape\n")


def test_what_differs_in_stderr_counts_only_when_asked_for(
    good: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    quiet = tape(tmp_path, "quiet", *GOOD[:-1])
    words = "no difference: 9 messages are the same, volatile values aside"
    told = f"A good.tape · B quiet.tape\n{words} · 1 in stderr (see --stderr)\n"
    assert diff(capsys, good, quiet) == (0, told)
    code, out = diff(capsys, good, quiet, "--stderr")
    assert (code, out.splitlines()[2].split()) == (
        1, ["only", "in", "A", "err", "#10", "stderr", "started"],
    )  # fmt: skip


def test_swapping_the_recordings_swaps_the_counts(
    good: str, other: str, capsys: pytest.CaptureFixture[str]
) -> None:
    there = json.loads(diff(capsys, good, other, "--json")[1].splitlines()[-1])
    back = json.loads(diff(capsys, other, good, "--json")[1].splitlines()[-1])
    assert back | {"only_in_a": back["only_in_b"], "only_in_b": back["only_in_a"]} == there


def test_programs_get_values_whole(
    good: str, other: str, capsys: pytest.CaptureFixture[str]
) -> None:
    *found, summary = map(json.loads, diff(capsys, good, other, "--json")[1].splitlines())
    assert found[0] == {
        "type": "difference",
        "how": "changed",
        "subject": "message",
        "stream": "in",
        "a": 2,
        "b": 2,
        "kind": "request",
        "method": "tools/call",
        "summary": "",
        "answer": None,
        "path": "params.limit",
        "more": 0,
        "b_value": 3,
    }
    assert summary == {
        "type": "summary",
        "differ": True,
        "same": 4,
        "changed": 2,
        "moved": 1,
        "only_in_a": 1,
        "only_in_b": 1,
        "stderr": 1,
    }


def test_how_a_session_was_started_and_what_it_speaks_is_compared(
    good: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    changed = tmp_path / "changed.tape"
    changed.write_text(
        "\n".join([HEADER.replace('"server"', '"server","-v"'), *GOOD]), encoding="utf-8"
    )
    code, out = diff(capsys, good, str(changed))
    assert (code, out.splitlines()[2].split()) == (
        1, ["changed", "session", "argv.1:", "absent", "→", '"-v"'],
    )  # fmt: skip


def test_the_command_of_a_replay_is_not_compared(
    good: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    replay = tmp_path / "replay.tape"
    facts = {"argv": ["my-server", "-v"], "tags": {REPLAY_OF: "good.tape"}}
    header = json.dumps({"tape": 1, "framing": "lines", "facts": facts})
    replay.write_text("\n".join([header, *GOOD]), encoding="utf-8")
    assert diff(capsys, good, str(replay))[0] == diff(capsys, str(replay), good)[0] == 0


def test_a_recording_that_is_not_there_is_a_wrong_command_line(good: str) -> None:
    with pytest.raises(TapError) as told:
        run_group(["diff", good, "nowhere"])
    assert told.value.exit_code == USAGE
