"""The end of an xlings session: whether it agrees with what was said before it."""

import pytest

from tapproxy.dialects.api import Meaning
from tests.tapproxy.dialects.xlings_talk import data, talk

ERROR = '{"code":"E_INTERNAL","kind":"error","message":"m"}'
CANCELLED = '{"code":"E_CANCELLED","kind":"error","message":"operation cancelled"}'
CANCEL = '> {"action":"cancel"}'


def result(code: str, more: str = "") -> str:
    return f'{{"exitCode":{code},"kind":"result"{more}}}'


def test_a_good_end_says_its_data_and_nothing_is_due_after_it() -> None:
    assert talk(result("0", ',"data":{"updated":2}')) == [
        Meaning("result", None, "exit 0 updated=2")
    ]


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("1", "exit 1 failed"),
        ("2", "exit 2 refused"),
        ("130", "exit 130 cancelled"),
        ("7", "exit 7"),
    ],
)
def test_a_failing_end_after_an_error_event_is_flagged_and_in_words(code: str, words: str) -> None:
    _, meaning = talk(ERROR, result(code))
    assert meaning == Meaning("result", None, words, flags=("error",))


def test_a_failing_end_without_an_error_event_names_no_reason() -> None:
    (meaning,) = talk(result("1"))
    assert meaning.flags == ("error", "no-error-event")
    assert meaning.note == "failed (1) without an error event before it"


def test_the_text_of_an_end_without_capability_is_said() -> None:
    _, meaning = talk(ERROR, '{"kind":"result","exitCode":1,"error":"no capability"}')
    assert meaning.summary == "exit 1 failed no capability"


def test_an_end_without_a_whole_number_is_told() -> None:
    _, meaning = talk(ERROR, '{"kind":"result"}')
    assert (meaning.summary, meaning.note) == ("exit null", "exitCode is no whole number")


def test_exit_0_after_a_summary_that_counts_failures_is_a_contradiction() -> None:
    _, meaning = talk(data("install_summary", '{"failed":1,"success":0}'), result("0"))
    assert meaning.flags == ("summary-exit",)
    assert meaning.note == "exit 0, but install_summary counts failures"


def test_a_cancel_that_ends_with_another_code_was_ignored() -> None:
    _, meaning = talk(CANCEL, result("0"))
    assert meaning == Meaning(
        "result", None, "exit 0", flags=("cancel-ignored",), note="cancelled in #1, and yet exit 0"
    )


def test_a_cancel_that_ends_with_130_is_in_order() -> None:
    *_, meaning = talk(CANCEL, CANCELLED, result("130"))
    assert meaning == Meaning("result", None, "exit 130 cancelled", flags=("error",))


def test_a_pause_ends_the_call_as_an_internal_error() -> None:
    paused = '{"code":"E_INTERNAL","kind":"error","message":"internal: operation paused"}'
    _, meaning = talk('> {"action":"pause"}', paused)
    assert meaning.flags == ("error", "pause-internal")
    assert meaning.note == "the pause ended the call as an internal error"


def test_whatever_comes_after_the_end_is_told_and_nothing_is_due_after_it() -> None:
    _, event, text = talk(result("0"), '{"kind":"heartbeat","ts":"x"}', "bye")
    note = "after the result #1"
    assert event == Meaning("heartbeat", None, "x", flags=("after-result",), note=note)
    assert text == Meaning("unknown", flags=("not-json", "after-result"), note=f"not JSON; {note}")


def test_a_second_end_names_the_first() -> None:
    _, meaning = talk(result("0"), result("0"))
    assert meaning == Meaning(
        "result",
        None,
        "exit 0",
        flags=("second-result", "after-result"),
        note="a second result: the first is #1",
    )


def test_output_that_stops_inside_a_character_is_told_at_the_end() -> None:
    payload = '{"data":"ww==","encoding":"base64","stream":"stderr"}'
    _, meaning = talk(data("subos_exec_output", payload), result("0"))
    assert meaning.note == "stderr ended inside a character (1 byte)"
