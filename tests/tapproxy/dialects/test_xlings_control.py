"""xlings' control lines: what they say, and what xlings makes of them."""

import pytest

from tapproxy.dialects.api import Heard, Meaning
from tapproxy.dialects.xlings import XlingsReading
from tests.tapproxy.dialects.xlings_talk import talk

IGNORED = "xlings ignores this line"


@pytest.mark.parametrize("action", ["cancel", "pause", "resume"])
def test_an_action_is_the_method(action: str) -> None:
    assert talk(f'> {{"action":"{action}"}}') == [Meaning("control", action)]


def test_a_reply_answers_the_prompt_of_its_id() -> None:
    assert talk('> {"action":"prompt-reply","id":"p1","value":"yes"}') == [
        Meaning("control", "prompt-reply", '"yes"', '"p1"', replies='"p1"')
    ]


@pytest.mark.parametrize(
    ("members", "note"),
    [
        ('"id":1,"value":"yes"', "id is a number: xlings dies of it"),
        ('"id":"p1","value":true', "value is a boolean: xlings dies of it"),
        (
            '"id":null,"value":{}',
            "id is null: xlings dies of it; value is an object: xlings dies of it",
        ),
    ],
)
def test_a_reply_whose_members_are_no_text_is_fatal(members: str, note: str) -> None:
    (meaning,) = talk(f'> {{"action":"prompt-reply",{members}}}')
    assert (meaning.note, meaning.flags) == (note, ("reply-type",))


def test_a_reply_of_a_number_keeps_it_as_its_key() -> None:
    (meaning,) = talk('> {"action":"prompt-reply","id":1,"value":"yes"}')
    assert (meaning.id, meaning.replies) == ("1", "1")


def test_a_reply_without_id_and_value_answers_nothing() -> None:
    assert talk('> {"action":"prompt-reply"}') == [
        Meaning("control", "prompt-reply", "no value", note="no id: it answers no prompt")
    ]


@pytest.mark.parametrize(("action", "method"), [('"stop"', "stop"), ("7", "7")])
def test_an_unknown_action_is_told_to_be_one(action: str, method: str) -> None:
    note = "no action that xlings knows: it logs a warning and goes on"
    assert talk(f'> {{"action":{action},"now":true}}') == [
        Meaning("control", method, "now=true", note=note, flags=("unknown-action",))
    ]


@pytest.mark.parametrize(
    ("line", "note", "flag"),
    [
        ("", "empty line", "blank"),
        ("cancel", "not JSON", "not-json"),
        ("[]", "JSON, but a list and no object", "not-object"),
        ('{"kind":"log"}', "no action", "not-dialect"),
    ],
)
def test_a_line_that_xlings_ignores_says_so(line: str, note: str, flag: str) -> None:
    assert talk(f"> {line}") == [Meaning("unknown", note=f"{note}; {IGNORED}", flags=(flag,))]


def test_a_control_line_with_text_around_it_is_read_but_ignored_and_cancels_nothing() -> None:
    cancel, result = talk('> now {"action":"cancel"}', '{"exitCode":0,"kind":"result"}')
    assert (cancel.kind, cancel.method) == ("control", "cancel")
    assert cancel.note == f"text before the JSON: now; {IGNORED}"
    assert result.note == ""


def test_a_reply_that_xlings_ignores_answers_no_prompt() -> None:
    (meaning,) = talk('> x{"action":"prompt-reply","id":"p","value":""}')
    assert (meaning.id, meaning.replies) == ('"p"', None)


def test_a_byte_order_mark_does_not_keep_xlings_from_reading_a_line() -> None:
    (meaning,) = talk('> \ufeff{"action":"cancel"}')
    assert (meaning.method, meaning.flags) == ("cancel", ("bom",))
    assert IGNORED not in meaning.note


def test_the_second_line_of_a_read_waits_for_more_input() -> None:
    frame = Heard("in", b'{"action":"resume"}', number=2, shares_read=True)
    note = "in one read with the line before: xlings acts on it only when more input comes"
    assert XlingsReading([]).read(frame) == [
        Meaning("control", "resume", note=note, flags=("coalesced",))
    ]


def test_events_that_share_a_read_are_nothing_to_speak_of() -> None:
    frame = Heard("out", b'{"kind":"heartbeat","ts":"x"}', number=2, shares_read=True)
    (meaning,) = XlingsReading([]).read(frame)
    assert (meaning.note, meaning.flags) == ("", ())


@pytest.mark.parametrize("action", ["pause", "resume"])
def test_an_action_after_cancel_may_take_it_back(action: str) -> None:
    _, meaning = talk('> {"action":"cancel"}', f'> {{"action":"{action}"}}')
    note = "takes back the cancel of #1 where xlings has not acted on it yet"
    assert (meaning.note, meaning.flags) == (note, ("cancel-overwritten",))


def test_an_action_after_a_cancel_that_was_acted_on_takes_nothing_back() -> None:
    error = '{"code":"E_CANCELLED","kind":"error","message":"operation cancelled"}'
    *_, meaning = talk('> {"action":"cancel"}', error, '> {"action":"resume"}')
    assert meaning == Meaning("control", "resume")
