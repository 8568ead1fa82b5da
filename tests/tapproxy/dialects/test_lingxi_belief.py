"""LingXi's hosts compare no ids: what they take a plugin's line for is said beside it."""

from typing import Any

import pytest

from tests.tapproxy.dialects.lingxi_lines import (
    SHAKEN,
    Line,
    S,
    answered,
    data,
    frames,
    read,
    remarks,
    tool,
)


@pytest.mark.parametrize(
    "line",
    [b"loading model...", b"", {"event": 1}, {"id": "9", "result": data("late")}],
)
def test_a_line_that_is_not_the_awaited_answer_is_taken_for_it(line: Any) -> None:
    note, flags = remarks(*SHAKEN, tool("2"), ("out", line))
    assert note.split("; ")[-1] == "host takes it for #3's answer"
    assert flags[-1] == "mistaken"


def test_a_line_while_nothing_is_open_is_taken_for_nothing() -> None:
    assert remarks(*SHAKEN, ("out", b"idle"))[1] == ("not-json",)


def test_the_answer_after_a_stray_line_is_taken_for_nothing() -> None:
    lines: list[Line] = [*SHAKEN, tool("2"), ("out", b""), answered("2", result=data("ok"))]
    assert remarks(*lines) == ("", ("swift-data",))


def test_answers_that_cross_are_taken_for_each_others() -> None:
    crossed = frames(
        *SHAKEN,
        tool("2"),
        tool("3"),
        answered("3", result=data("second")),
        answered("2", result=data("first")),
    )
    assert [it.note for it in read(crossed)[4:]] == [
        "host takes it for #3's answer",
        "host takes it for #4's answer",
    ]


def test_a_late_answer_is_taken_for_the_next_requests() -> None:
    late = frames(
        *SHAKEN,
        tool("2"),
        tool("3"),
        answered("2", result=data("late")),
        every_ns=2 * S,
    )
    assert read(late)[-1].note == "host takes it for #4's answer"


def test_a_late_answer_alone_is_taken_for_nothing() -> None:
    late = frames(*SHAKEN, tool("2"), answered("2", result=data("late")), every_ns=4 * S)
    assert read(late)[-1].note == ""


def test_a_line_that_shares_a_read_is_lost_to_a_swift_host() -> None:
    heard = frames(*SHAKEN, tool("2"), ("out", b"log"), answered("2", result=data("ok")))
    heard[-1] = heard[-1]._replace(shares_read=True)
    stray, lost = read(heard)[3:]
    assert stray.flags == ("not-json", "mistaken")
    assert (lost.note, lost.flags) == (
        "came in one read with the line before it: this host loses it",
        ("swift-data", "lost"),
    )
