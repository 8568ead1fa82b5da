"""What people met with xlings in the field can be seen in the words, the note or the flags."""

import pytest

from tapproxy.dialects.api import Heard, Meaning
from tapproxy.dialects.xlings import XlingsReading
from tests.tapproxy.dialects.xlings_talk import data, talk

SILENCE_NS = 6_000_000_000


def test_a_non_zero_result_that_is_the_only_line_names_no_reason() -> None:
    argv = ["xlings", "interface", "install_packages", "--args", '{"targets":["demo"],"yes":true}']
    assert talk('{"exitCode":1,"kind":"result"}', argv=argv) == [
        Meaning(
            "result",
            None,
            "exit 1 failed",
            flags=("error", "no-error-event"),
            note="failed (1) without an error event before it",
        )
    ]


def test_a_summary_with_failures_before_exit_0_is_a_contradiction() -> None:
    lines = data("install_summary", '{"failed":1,"success":0}'), '{"exitCode":0,"kind":"result"}'
    assert talk(*lines, argv=[]) == [
        Meaning(
            "data",
            "install_summary",
            "0 installed, 1 failed",
            within_ns=SILENCE_NS,
            flags=("error",),
        ),
        Meaning(
            "result",
            None,
            "exit 0",
            flags=("summary-exit",),
            note="exit 0, but install_summary counts failures",
        ),
    ]


def test_a_progress_bar_glued_before_a_line_is_told_and_the_line_is_read() -> None:
    result = '{"exitCode":0,"kind":"result"}'
    assert talk(f"\r[1/2] ns::one\x1b[K\r[2/2] ns::two\x1b[K{result}", argv=[]) == [
        Meaning(
            "result",
            None,
            "exit 0",
            flags=("not-json", "ansi"),
            note="text before the JSON: [1/2] ns::one\x1b[K\r[2/2] ns::two\x1b[K",
            decoded=result.encode(),
        )
    ]


def test_a_session_of_heartbeats_alone_shows_heartbeats_alone() -> None:
    meanings = talk(
        '{"kind":"heartbeat","ts":"2026-01-01T00:00:05Z"}',
        '{"kind":"heartbeat","ts":"2026-01-01T00:00:10Z"}',
        '{"exitCode":0,"kind":"result"}',
        argv=[],
    )
    assert [it.kind for it in meanings] == ["heartbeat", "heartbeat", "result"]


def test_fragments_that_cut_a_character_show_it_when_it_is_whole() -> None:
    meanings = talk(
        data("subos_exec_output", '{"data":"caf","stream":"stdout"}'),
        data("subos_exec_output", '{"data":"ww==","encoding":"base64","stream":"stdout"}'),
        data("subos_exec_output", '{"data":"qQo=","encoding":"base64","stream":"stdout"}'),
        '{"exitCode":0,"kind":"result"}',
        argv=[],
    )
    assert [it.summary for it in meanings] == [
        'stdout "caf"',
        'stdout "" + 1 byte of a character',
        'stdout "é\n"',
        "exit 0",
    ]
    assert [it.note for it in meanings] == [""] * 4


def test_two_control_lines_in_one_read_show_that_the_second_waits() -> None:
    reading = XlingsReading([])
    pause, resume = (
        reading.read(Heard("in", b'{"action":"pause"}', 1)),
        reading.read(Heard("in", b'{"action":"resume"}', 2, shares_read=True)),
    )
    assert pause == [Meaning("control", "pause")]
    assert resume == [
        Meaning(
            "control",
            "resume",
            flags=("coalesced",),
            note="in one read with the line before: xlings acts on it only when more input comes",
        )
    ]


def test_a_reply_with_a_number_for_an_id_is_seen_to_be_fatal() -> None:
    prompt, reply = talk(
        '{"defaultValue":"no","id":"p1","kind":"prompt","options":["yes","no"],"question":"go?"}',
        '> {"action":"prompt-reply","id":1,"value":"yes"}',
        argv=[],
    )
    assert prompt.asks == '"p1"'
    assert reply == Meaning(
        "control",
        "prompt-reply",
        '"yes"',
        "1",
        replies="1",
        flags=("reply-type",),
        note="id is a number: xlings dies of it",
    )


def test_a_cancel_that_a_resume_overwrites_is_seen_at_both() -> None:
    meanings = talk(
        '> {"action":"cancel"}',
        '> {"action":"resume"}',
        '{"exitCode":0,"kind":"result"}',
        argv=[],
    )
    assert [it.note for it in meanings] == [
        "",
        "takes back the cancel of #1 where xlings has not acted on it yet",
        "cancelled in #1, and yet exit 0",
    ]


@pytest.mark.parametrize(
    ("percent", "phase", "words"),
    [("0.3333333432674408", "index_sync", "33 % m"), ("42", "download", "42 % m")],
)
def test_both_scales_of_percent_read_the_same(percent: str, phase: str, words: str) -> None:
    line = f'{{"kind":"progress","message":"m","percent":{percent},"phase":"{phase}"}}'
    (meaning,) = talk(line, argv=[])
    assert (meaning.method, meaning.summary, meaning.note) == (phase, words, "")


def test_a_phase_that_stops_has_a_time_by_which_more_is_due() -> None:
    assert talk('{"kind":"progress","message":"x","percent":0.9,"phase":"extract"}', argv=[]) == [
        Meaning("progress", "extract", "90 % x", within_ns=SILENCE_NS, run="extract")
    ]
