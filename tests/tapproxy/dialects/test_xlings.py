"""xlings' events: what each of the seven kinds says, in every shape that a version gave it."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tapproxy.dialects.api import Meaning
from tapproxy.dialects.xlings_events import NEEDED
from tests.tapproxy.dialects.xlings_talk import data, progress, talk, traits

SILENCE_NS = 6_000_000_000
ANSWER_NS = 30_000_000_000
LONGEST = 300  # characters of a summary whose values are all odd

DATA_KINDS = (
    *("install_plan", "install_targets", "install_summary"),
    *("download_progress", "subos_exec_output", "env"),
)
MEMBERS = st.sampled_from(
    [
        *("phase", "percent", "message", "level", "payload", "id", "question", "options", "hint"),
        *("defaultValue", "code", "recoverable", "ts", "exitCode", "data", "error", "packages"),
        *("targets", "request", "version", "status", "success", "failed", "files", "name"),
        *("totalBytes", "downloadedBytes", "started", "finished", "sizesReady", "stream"),
        "encoding",
    ]
)


def test_a_log_has_its_level_as_method_and_a_heartbeat_is_due_after_it() -> None:
    assert talk('{"kind":"log","level":"info","message":"extracting"}') == [
        Meaning("log", "info", "extracting", within_ns=SILENCE_NS)
    ]


def test_a_log_of_level_error_is_flagged() -> None:
    (meaning,) = talk('{"kind":"log","level":"error","message":"no"}')
    assert meaning == Meaning("log", "error", "no", within_ns=SILENCE_NS, flags=("error",))


def test_a_heartbeat_tells_its_time() -> None:
    assert talk('{"kind":"heartbeat","ts":"2026-01-01T00:00:05Z"}') == [
        Meaning("heartbeat", None, "2026-01-01T00:00:05Z", within_ns=SILENCE_NS)
    ]


def test_a_prompt_asks_under_its_id_and_is_answered_within_30_s() -> None:
    line = '{"defaultValue":"no","id":"p1","kind":"prompt","options":["yes","no"],"question":"go?"}'
    words = '"go?" [yes, no], default no'
    assert talk(line) == [Meaning("prompt", None, words, '"p1"', asks='"p1"', within_ns=ANSWER_NS)]


def test_a_prompt_without_options_and_default_is_its_question() -> None:
    (meaning,) = talk('{"kind":"prompt","id":"p1","options":[],"question":"name?"}')
    assert meaning.summary == '"name?"'


def test_a_prompt_without_id_asks_nothing_that_can_be_answered() -> None:
    note = "no id: nobody can answer it"
    assert talk('{"kind":"prompt","question":"go?"}') == [
        Meaning("prompt", None, '"go?"', within_ns=SILENCE_NS, note=note)
    ]


def test_a_prompt_whose_id_is_a_number_says_so() -> None:
    (meaning,) = talk('{"kind":"prompt","id":7,"question":"go?"}')
    assert (meaning.asks, meaning.note) == ("7", "id is no text")


def test_an_error_has_its_code_as_method_and_says_its_hint() -> None:
    line = (
        '{"code":"E_NETWORK","hint":"try again","kind":"error","message":"no route",'
        '"recoverable":true}'
    )
    words = "no route (try again), recoverable"
    assert talk(line) == [
        Meaning("error", "E_NETWORK", words, within_ns=SILENCE_NS, flags=("error",))
    ]


@pytest.mark.parametrize(
    ("code", "method", "note", "flag"),
    [
        ('"E_PROTOCOL"', "E_PROTOCOL", "no code of the protocol", "unknown-code"),
        ("3", "3", "the code is a number, as in early versions", "numeric-code"),
        ("null", None, "no code", "unknown-code"),
    ],
)
def test_an_error_code_that_is_none_of_the_seven_is_told(
    code: str, method: str | None, note: str, flag: str
) -> None:
    (meaning,) = talk(f'{{"kind":"error","code":{code},"message":"m"}}')
    assert meaning == Meaning(
        "error", method, "m", within_ns=SILENCE_NS, flags=("error", flag), note=note
    )


@pytest.mark.parametrize(
    ("percent", "words"),
    [
        ("0.3333333432674408", "33 %"),
        ("0.0", "0 %"),
        ("1.0", "100 %"),
        ("0", "0 %"),
        ("1", "1 %"),
        ("42", "42 %"),
        ("100", "100 %"),
        ("-1", "? %"),
        ("-1.0", "? %"),
    ],
)
def test_a_percent_is_read_in_both_scales(percent: str, words: str) -> None:
    assert talk(progress(percent)) == [
        Meaning("progress", "extract", f"{words} m", within_ns=SILENCE_NS, run="extract")
    ]


@pytest.mark.parametrize(
    ("before", "percent", "words"),
    [("0.5", "1", "100 %"), ("42", "1", "1 %"), ("42", "1.0", "1 %")],
)
def test_a_one_is_read_in_the_scale_of_the_session(before: str, percent: str, words: str) -> None:
    _, meaning = talk(progress(before), progress(percent))
    assert (meaning.summary, meaning.flags) == (f"{words} m", ())


def test_a_session_that_mixes_the_scales_is_flagged_where_it_does() -> None:
    first, second, third = talk(progress("42"), progress("0.5"), progress("43"))
    assert (first.flags, third.flags) == ((), ())
    assert second.summary == "50 % m"
    assert second.flags == ("mixed-scale",)
    assert second.note == "percent of 0-1 here, of 0-100 before"


@pytest.mark.parametrize(
    ("percent", "words", "note"),
    [
        ("101", "101 %", "percent is not within its range"),
        ("-2", "-2 %", "percent is not within its range"),
        ("true", "true", "percent is no number"),
        ('"half"', '"half"', "percent is no number"),
    ],
)
def test_a_percent_that_is_none_is_told(percent: str, words: str, note: str) -> None:
    (meaning,) = talk(progress(percent))
    assert (meaning.summary, meaning.flags) == (f"{words} m", ("percent-range",))
    assert meaning.note == note


@pytest.mark.parametrize(
    ("phase", "run"), [("download", "download"), ("downloading", "download"), ("hook", "hook")]
)
def test_progress_is_one_run_per_phase_and_downloads_are_one(phase: str, run: str) -> None:
    (meaning,) = talk(progress("0.5", phase))
    assert (meaning.method, meaning.run) == (phase, run)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"kind":"done"}', 'kind "done" is none of the seven'),
        ('{"kind":["log"]}', 'kind ["log"] is none of the seven'),
        ('{"protocol_version":"1.7"}', "no kind"),
    ],
)
def test_an_object_of_no_known_kind_stays_visible_with_the_reason(line: str, reason: str) -> None:
    assert talk(line) == [
        Meaning(
            "unknown", within_ns=SILENCE_NS, flags=("not-dialect",), note=f"not xlings: {reason}"
        )
    ]


def test_json_that_is_no_object_stays_visible_with_the_reason() -> None:
    (meaning,) = talk("[1]")
    assert (meaning.kind, meaning.note) == ("unknown", "JSON, but a list and no object")


def test_members_that_are_no_text_are_said_as_json() -> None:
    log, event = talk('{"kind":"log","level":1,"message":{"a":1}}', data("x", "null"))
    assert (log.method, log.summary) == ("1", "{a=1}")
    assert event.summary == ""


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (data("install_targets", '{"targets":[]}'), "protocol ≥ 1.1 (seen: install_targets)"),
        (
            data("install_plan", '{"packages":[["a","",0]]}'),
            "protocol ≥ 1.1 (seen: install_plan has revisions)",
        ),
        (progress("0.5", "index_sync"), "protocol ≥ 1.2 (seen: progress of index_sync)"),
        (
            data("download_progress", '{"files":[],"stream":"s"}'),
            "protocol ≥ 1.3 (seen: download_progress names its stream)",
        ),
        (progress("0.5", "configure"), "protocol ≥ 1.4 (seen: progress of configure)"),
        (progress("0.5", "hook"), "protocol ≥ 1.5 (seen: progress of hooks)"),
        (data("subos_exec_output", "{}"), "protocol ≥ 1.6 (seen: subos_exec_output)"),
        (progress("0.5", "extract"), "protocol ≥ 1.7 (seen: progress of extract)"),
    ],
)
def test_a_feature_shows_which_version_it_is_at_least(line: str, words: str) -> None:
    older = data("install_plan", '{"packages":[["a",""]]}')
    assert traits(older, line, data("install_targets", "{}"))[1:] == [words]


def test_a_session_of_the_first_version_shows_none() -> None:
    lines = data("install_plan", '{"packages":[["a",""]]}'), data("download_progress", "{}")
    assert traits(*lines) == ["capability install_packages"]


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(MEMBERS, inner, max_size=5),
    max_leaves=8,
)
EVENTS = st.dictionaries(MEMBERS, ANYTHING, max_size=6).flatmap(
    lambda members: st.fixed_dictionaries(
        {"kind": st.sampled_from(sorted(NEEDED)), "dataKind": st.sampled_from(DATA_KINDS)}
    ).map(lambda named: members | named)
)


@settings(max_examples=50, deadline=None)
@given(st.lists(EVENTS, max_size=4))
def test_no_event_of_whatever_shape_is_too_odd_to_be_said_in_a_few_words(events: list[Any]) -> None:
    meanings = talk(*map(json.dumps, events))
    assert [it.kind for it in meanings] == [it["kind"] for it in events]
    assert max((len(it.summary) for it in meanings), default=0) <= LONGEST
