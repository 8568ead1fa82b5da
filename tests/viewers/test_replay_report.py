"""What a replay has found is read from its first line on, and nothing of it steers a terminal."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from tapproxy_viewers.jsonl import dumped
from tapproxy_viewers.lines import painter, plain
from tapproxy_viewers.replay_report import Found, FoundKind, Verdict, report, report_object
from tapproxy_viewers.visible import shown
from tests.viewers.made import MS, SECOND
from tests.viewers.replayed import BADLY, HOSTILE, WELL


def told(verdict: Verdict, width: int = 100, most: int = 50) -> str:
    return "".join(f"{plain(line)}\n" for line in report(verdict, width, most=most))


def test_a_replay_that_went_well_is_told_in_three_lines() -> None:
    expected = """\
same: 31 of 31
  bug as host: 14 steps in 3.0 s (recorded: 3.1 s)
  recorded as bug-2
"""
    assert told(WELL) == expected


def test_what_differs_is_told_one_by_one() -> None:
    expected = """\
differs: 2 changed, 1 missing, 2 extra, 1 late, 1 miss, 1 unused, 1 stuck · 29 of 32 same
changed  #7    response tools/call (3)
               result.content.0.text: "a lovely day in Paris, sunny"
                                    → "a dark night in Rome, with rain"
changed  #12   "pong"  "pong" → "pang ␛[31m"
miss           nothing recorded answers request tools/call (4); the nearest has
               params.arguments.city "Paris", not "Rome"
extra          notification notifications/message
late     #9    response tools/list (2) took 3.4 s, not 1.0 s
missing  #118  notification notifications/progress
unused   #25   response roots/list
stuck          step 14 (write #24) waits for #23 request roots/list, which does not come
and 1 more
  bug of monday as plugin: 13 steps in 13.0 s (recorded: 2.0 s) · 10× as fast
  recorded as bug-3 · tap diff 'bug of monday' bug-3
"""
    assert told(BADLY) == expected


def test_what_happened_in_another_way_is_not_named_twice() -> None:
    was, now = "plugin exited with code 0", "plugin was killed by SIGTERM"
    ended = Found("changed", now, None, None, was, now)
    verdict = Verdict("bug", "host", 2, 3, 9 * MS, {"changed": 1}, (ended,))
    last = "  bug as host: 3 steps in 9.0 ms\n"
    first = "differs: 1 changed · 2 of 3 same\n"
    assert told(verdict) == f"{first}changed  {was} → {now}\n{last}"
    assert told(verdict, 50) == f"{first}changed  {was}\n       → {now}\n{last}"


def test_on_a_narrow_terminal_nothing_is_cut() -> None:
    few = replace(BADLY, found=BADLY.found[:3], ended=None, replay=None)
    expected = """\
differs: 2 changed, 1 missing, 2 extra, 1
late, 1 miss, 1 unused, 1 stuck · 29 of 32
same
changed  #7   response tools/call (3)
              result.content.0.text: "a
                      lovely day in Paris,
                      sunny"
                    → "a dark night in Rome,
                      with rain"
changed  #12  "pong"  "pong" → "pang ␛[31m"
miss          nothing recorded answers
              request tools/call (4); the
              nearest has
              params.arguments.city "Paris",
              not "Rome"
and 6 more
  bug of monday as plugin: 13 steps in 13.0 s
    (recorded: 2.0 s) · 10× as fast
"""
    assert told(few, 45) == expected


def test_of_many_findings_the_first_are_told_and_the_rest_counted() -> None:
    found = tuple(Found("extra", f"notification n{number}") for number in range(1000))
    many = Verdict("bug", "host", 2, 1, 9 * MS, {"extra": 12_345}, found, pace=0)
    expected = """\
differs: 12,345 extra · 2 of 2 same
extra    notification n0
extra    notification n1
and 12,343 more
  bug as host: 1 step in 9.0 ms · without waiting
"""
    assert told(many, most=2) == expected


def test_what_was_decided_by_hand_is_told_instead_of_the_pace() -> None:
    plain = Verdict("bug", "host", 4, 2, 9 * MS, pace=0, by_hand=True)
    assert told(plain) == "same: 4 of 4\n  bug as host: 2 steps in 9.0 ms · by hand\n"
    some = replace(plain, skipped=1200, edited=1)
    assert told(some) == (
        "same: 4 of 4\n  bug as host: 2 steps in 9.0 ms · by hand, 1,200 skipped, 1 edited\n"
    )


def test_what_the_real_plugin_has_answered_is_told_and_is_no_difference() -> None:
    words = "nothing recorded answers request add (3)"
    found = (Found("forwarded", words), Found("changed", '"a"', 7, "", '"a"', '"b"'))
    well = Verdict("bug", "plugin", 4, 3, 9 * MS, {"forwarded": 1}, found[:1])
    expected = f"""\
same: 4 of 4 · 1 forwarded
forwarded  {words}
  bug as plugin: 3 steps in 9.0 ms
"""
    assert told(well) == expected
    counts: dict[FoundKind, int] = {"forwarded": 1, "changed": 1}
    expected = f"""\
differs: 1 changed, 1 forwarded · 4 of 5 same
forwarded      {words}
changed    #7  "a"  "a" → "b"
  bug as plugin: 3 steps in 9.0 ms
"""
    assert told(replace(well, counts=counts, found=found)) == expected


def test_an_end_before_its_time_is_told_once_and_never_left_out() -> None:
    ended = Verdict("bug", "host", 2, 3, 10 * SECOND, ended="the plugin was not started")
    expected = """\
differs: ended early · 2 of 2 same
ended early: the plugin was not started
  bug as host: 3 steps in 10.0 s
"""
    assert told(ended) == expected
    words = "the plugin was not started"
    told_already = replace(ended, counts={"stuck": 1}, found=(Found("stuck", words),))
    expected = """\
differs: 1 stuck · 2 of 2 same
stuck    the plugin was not started
  bug as host: 3 steps in 10.0 s
"""
    assert told(told_already) == expected
    expected = """\
differs: 1 stuck · 2 of 2 same
and 1 more
ended early: the plugin was not started
  bug as host: 3 steps in 10.0 s
"""
    assert told(told_already, most=0) == expected


@pytest.mark.parametrize(
    ("verdict", "first"),
    [
        (WELL, "\x1b[32msame\x1b[0m: 31 of 31"),
        (replace(WELL, counts={"late": 1}), "\x1b[1;31mdiffers\x1b[0m: 1 late · 31 of 31 same"),
    ],
)
def test_the_verdict_is_green_or_red(verdict: Verdict, first: str) -> None:
    assert painter("dark")(next(iter(report(verdict, 100)))) == first


def test_programs_get_one_object() -> None:
    few = replace(BADLY, found=BADLY.found[1:2])
    assert json.loads(dumped(report_object(few))) == {
        "type": "replay",
        "verdict": "differs",
        "recording": "bug of monday",
        "replay": "bug-3",
        "role": "plugin",
        "pace": 10,
        "took_ns": 13_000_000_000,
        "recorded_ns": 2_000_000_000,
        "ended_early": BADLY.ended,
        "counts": {
            "same": 29,
            "changed": 2,
            "missing": 1,
            "extra": 2,
            "late": 1,
            "miss": 1,
            "forwarded": 0,
            "unused": 1,
            "stuck": 1,
            "steps": 13,
            "skipped": 0,
            "edited": 0,
        },
        "findings": [
            {
                "kind": "changed",
                "frame": 12,
                "words": '"pong"',
                "path": "",
                "recorded": '"pong"',
                "live": '"pang ␛[31m"',
            }
        ],
    }


@given(HOSTILE, st.integers(20, 120))
def test_nothing_unescaped_reaches_a_terminal_nor_is_a_line_too_wide(
    verdict: Verdict, width: int
) -> None:
    for line in report(verdict, width):
        said = plain(line)
        assert said == shown(said)
        assert cell_len(said) <= width


@given(HOSTILE)
def test_every_report_is_one_line_of_json(verdict: Verdict) -> None:
    line = dumped(report_object(verdict)).decode()
    assert line.count("\n") == 1
    assert line[:-1] == shown(line[:-1])
    assert json.loads(line)["findings"] == [
        {"kind": it.kind, "frame": it.frame, "words": it.words, "path": it.path}
        | {"recorded": it.recorded, "live": it.live}
        for it in verdict.found
    ]
