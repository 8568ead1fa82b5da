"""The recorded xlings sessions read as what they were made to show."""

import json
from itertools import pairwise
from pathlib import Path

import pytest

from tapproxy.dialects.api import Heard, Meaning
from tapproxy.dialects.xlings import XLINGS, XlingsReading
from tests.tapproxy.dialects.heard import FIXTURES, heard_of

FOLDER = FIXTURES / "dialects" / "xlings"
TAPES = sorted(FOLDER.glob("*.tape"))


def argv_of(tape: Path) -> list[str]:
    header = json.loads(tape.read_text(encoding="utf-8").partition("\n")[0])
    return list(header["facts"]["argv"])


def read(name: str) -> list[tuple[Heard, Meaning]]:
    tape = FOLDER / f"{name}.tape"
    reading = XlingsReading(argv_of(tape))
    return [(it, meaning) for it in heard_of(tape) for meaning in reading.read(it)]


def kinds(name: str) -> list[str]:
    """Return the kinds in their order, each once for as often as it comes in a row."""
    said = [meaning.kind for _, meaning in read(name)]
    return [kind for kind, before in zip(said, [None, *said], strict=False) if kind != before]


def oddities(name: str) -> list[tuple[str, tuple[str, ...], str]]:
    """Return kind, flags and note of what is marked."""
    return [(it.kind, it.flags, it.note) for _, it in read(name) if it.note or it.flags]


@pytest.mark.parametrize("tape", TAPES, ids=lambda it: it.stem)
def test_a_recorded_session_is_recognised_with_and_without_its_command_line(tape: Path) -> None:
    assert str(XLINGS.recognise(argv_of(tape), [])).startswith("started as xlings interface ")
    assert XLINGS.recognise([], heard_of(tape)) is not None


def test_an_install_has_every_kind() -> None:
    assert kinds("install") == [
        *("data", "prompt", "control", "progress", "data", "error", "log", "heartbeat"),
        *("progress", "heartbeat", "progress", "data", "result"),
    ]
    assert oddities("install") == [("error", ("error",), "")]


def test_the_prompt_of_an_install_is_answered_under_its_key() -> None:
    asked = [it.asks for _, it in read("install") if it.asks]
    replied = [it.replies for _, it in read("install") if it.replies]
    assert asked == replied == ['"confirm-install"']


def test_the_downloads_of_an_install_are_one_run_of_two_streams() -> None:
    runs = [it.run for _, it in read("install") if it.method == "download_progress"]
    streams = {it.summary.split()[0] for _, it in read("install") if it.run == "download"}
    assert runs == ["download"] * 8
    assert streams == {"index:xim", "install:1"}


@pytest.mark.parametrize(("name", "gaps"), [("install", []), ("heartbeat-gap", [12])])
def test_a_missing_heartbeat_is_a_silence_longer_than_allowed(name: str, gaps: list[int]) -> None:
    out = [(it.t_ns, meaning.within_ns) for it, meaning in read(name) if it.side == "out"]
    silences = [
        round((later - t_ns) / 1e9)
        for (t_ns, within_ns), (later, _) in pairwise(out)
        if within_ns is not None and later - t_ns > within_ns
    ]
    assert silences == gaps


def test_a_cancel_ends_with_its_error_and_130() -> None:
    *_, cancel, error, result = (meaning for _, meaning in read("cancel"))
    assert (cancel.kind, cancel.method) == ("control", "cancel")
    assert (error.method, error.summary) == ("E_CANCELLED", "operation cancelled, recoverable")
    assert (result.summary, result.note) == ("exit 130 cancelled", "")


def test_the_options_are_answered_by_one_object() -> None:
    version, listed = ([meaning for _, meaning in read(name)] for name in ("version", "list"))
    assert version == [Meaning("version", None, "protocol 1.7")]
    names = "search_packages, install_packages, plan_install, …"
    assert listed == [Meaning("list", None, f"12 capabilities: {names}")]


def test_the_output_of_a_command_is_whole_again() -> None:
    assert [it.summary for _, it in read("exec")] == [
        'stdout "caf"',
        'stdout "é "',
        'stdout "☕"',
        'stdout " " + 2 bytes of a character',
        'stdout "你" + 2 bytes of a character',
        'stdout "好\n"',
        "exit 0",
    ]


def test_an_old_session_has_a_progress_bar_before_a_line_and_whole_percents() -> None:
    bar = "[1/2] ns::one\x1b[K\r[2/2] ns::two\x1b[K"
    assert oddities("old-1.0") == [
        ("data", ("not-json", "ansi"), f"text before the JSON: {bar}"),
        ("error", ("error",), ""),
    ]
    assert [it.summary for _, it in read("old-1.0") if it.kind == "progress"] == [
        "50 % installed xim:node@22.4.0",
        "100 % installed xim:gcc@14.2.0",
    ]
