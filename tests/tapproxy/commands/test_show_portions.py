"""Which frames `tap show` draws: a filter's, a portion's, one whole, or their exchanges."""

import json
import re
from pathlib import Path

import pytest

from tapproxy.commands.group import run_group
from tapproxy.errors import TapError

TAPE = str(Path(__file__).parents[3] / "fixtures/dialects/mcp/time.tape")
"""16 frames: #5, #7, #10, #12, #14 are calls of tools, #6, #9, #11, #15, #16 their answers."""

EVENTS = 5


def shown(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    """Return the lines below the header."""
    run_group(["show", TAPE, *arguments])
    return capsys.readouterr().out.partition("\n\n")[2].splitlines()


def numbers(lines: list[str]) -> list[int]:
    """Return the numbers of the frames that the lines begin with."""
    found = [re.search(r"(?:→|←──|err) +#(\d+)", line) for line in lines]
    return [int(it[1]) for it in found if it]


def test_everything_is_shown_when_nothing_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    lines = shown(capsys)
    assert numbers(lines) == list(range(1, 17))
    assert len([line for line in lines if "•" in line]) == EVENTS


CHOSEN = [
    (("method:tools/call", "kind:request"), [5, 7, 10, 12, 14]),
    (("flag:error",), [9, 11]),
    (("latency:>3ms",), [2, 6]),
    (("gap:>40ms",), [2, 7]),
    (("id:4", "or", "stream:err"), [7, 8, 9]),
    (("text:no*tool",), [10, 11]),
    (("json:params.name=get_*",), [12, 14]),
    (("not", "(method:tools/*", "or", "stream:err)"), [1, 2, 13]),
    (("n:..2",), [1, 2]),
    (("kind:nothing",), []),
]


@pytest.mark.parametrize(("words", "expected"), CHOSEN)
def test_a_filter_chooses_frames_and_leaves_events_out(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], expected: list[int]
) -> None:
    lines = shown(capsys, *words)
    assert numbers(lines) == expected
    assert not [line for line in lines if "•" in line]
    assert expected or lines == [
        "no frame matches kind:nothing; kinds here: request, response, notification, error"
    ]


PORTIONS = [
    (("-n", "2"), [15, 16], 4),
    (("-n", "0"), [], 0),
    (("-n", "2", "kind:request"), [12, 14], 0),
    (("--around", "3"), list(range(1, 14)), 0),
    (("--around", "#3"), list(range(1, 14)), 0),
    (("--since", "653ms"), [13, 14, 15, 16], 4),
    (("--until", "594ms"), [1, 2], 1),
    (("--since", "0.6s", "--until", "0.65s"), [6, 7, 8], 0),
    (("--since", "0.65s", "flag:error"), [9, 11], 0),
]


@pytest.mark.parametrize(("words", "expected", "events"), PORTIONS)
def test_a_portion_keeps_the_events_within_it(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], expected: list[int], events: int
) -> None:
    lines = shown(capsys, *words)
    assert (numbers(lines), len([line for line in lines if "•" in line])) == (expected, events)


INSTEAD = [
    (
        ("flag:no-answer",),
        "no frame matches flag:no-answer; did you mean flag:unanswered? "
        "flags here: error, after-cancel",
    ),
    (
        ("method:tools/cal", "kind:request"),
        "no frame matches method:tools/cal kind:request; "
        "methods here: tools/call, server/discover, tools/list, notifications/cancelled",
    ),
    (
        ("#2", "#3"),
        "no frame matches n:2 n:3; "
        "all terms must hold at once: write '#2,3', or put `or` between them",
    ),
    (("id:99",), "no frame matches id:99"),
    (("--since", "1h"), "no frame is in that portion"),
    (("--exchanges", "text:nowhere"), "no exchange matches text:nowhere"),
]


@pytest.mark.parametrize(("words", "said"), INSTEAD)
def test_where_nothing_is_found_it_is_said_what_there_is(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], said: str
) -> None:
    assert shown(capsys, *words) == [said]


def test_exchanges_are_questions_with_their_answers(capsys: pytest.CaptureFixture[str]) -> None:
    lines = shown(capsys, "--exchanges")
    pairs = [re.findall(r"#(\d+)", line) for line in lines]
    assert pairs == [
        ["1", "2"], ["3", "4"], ["5", "6"], ["7", "9"], ["10", "11"], ["12", "15"], ["14", "16"],
    ]  # fmt: skip


def test_programs_get_what_was_chosen_too(capsys: pytest.CaptureFixture[str]) -> None:
    run_group(["show", TAPE, "--json", "flag:error"])
    objects = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(it["type"], it.get("number")) for it in objects] == [
        ("session", None), ("frame", 9), ("frame", 11),
    ]  # fmt: skip
    run_group(["show", TAPE, "--json", "#9"])
    objects = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [it.get("number") for it in objects] == [None, 9]


def test_one_frame_is_shown_whole(capsys: pytest.CaptureFixture[str]) -> None:
    run_group(["show", TAPE, "#11"])
    told, _, content = capsys.readouterr().out.partition("\n\n")
    assert told.startswith("#11")
    assert json.loads(content)["error"]["code"] == -32602


def test_the_bytes_of_one_frame_are_exact(capsys: pytest.CaptureFixture[str]) -> None:
    run_group(["show", TAPE, "#13", "--hex"])
    dump = capsys.readouterr().out.partition("\n\n")[2]
    found = re.findall(r"(?m)^[0-9a-f]{8}  ((?:[0-9a-f]{2} {1,2})+)", dump)
    data = bytes.fromhex("".join(found))
    assert json.loads(data)["method"] == "notifications/cancelled"
    assert data.endswith(b"}\n")


RAW = "--raw writes a whole stream: leave the filter, -n, --around and the like out (see "

WRONG = [
    (("#99",), "there is no frame #99 in time.tape: it has #1 to #16"),
    (("--around", "#99"), "there is no frame #99 in time.tape: it has #1 to #16"),
    (("--around", "x"), "Invalid value for '--around': 'x' is no number (see "),
    (("-n", "-1"), "Invalid value for '-n' / '--last': '-1' is no number (see "),
    (("--since", "2s", "--until", "1s"), "--until 1s is before --since 2s: swap them (see "),
    (("--raw", "out", "n:2"), RAW),
    (("--raw", "out", "#2"), RAW),
    (("--raw", "out", "-n", "2"), RAW),
    (("--raw", "out", "--exchanges"), RAW),
    (("--json", "--exchanges"), "--json has frames, not exchanges: choose one (see "),
    (("#2", "--exchanges"), "--exchanges and #N exclude each other: choose one (see "),
    (("#2", "--hex", "--json"), "--hex and --json exclude each other: choose one (see "),
    (
        ("#2", "-n", "3"),
        "#N is one frame, whole: leave -n, --around, --since and --until out (see ",
    ),
    (("--hex",), "--hex shows one frame: name it, as in '#12' (see `tap show --help`)"),
    (("--dialect", "mpc"), "no dialect is called 'mpc'; there are "),
]


@pytest.mark.parametrize(("words", "message"), WRONG)
def test_what_is_wrong_is_said_alone(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], message: str
) -> None:
    with pytest.raises(TapError) as raised:
        run_group(["show", TAPE, *words])
    assert str(raised.value).startswith(message)
    assert (raised.value.exit_code, capsys.readouterr().out) == (2, "")


def test_another_dialect_reads_a_copy(capsys: pytest.CaptureFixture[str]) -> None:
    run_group(["show", TAPE, "--dialect", "raw", "-v"])
    head = capsys.readouterr().out.partition("\n\n")[0].splitlines()
    assert "  raw (asked for)" in head
