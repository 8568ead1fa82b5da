"""Each question with its answer in one line."""

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from tapproxy_store.pages import Selection
from tapproxy_store.reading import open_recording
from tapproxy_store.recording import MessageRow
from tapproxy_store.records import Stream
from tapproxy_viewers.cells import width_of
from tapproxy_viewers.exchanges import exchanges
from tapproxy_viewers.layout import layout
from tapproxy_viewers.lines import plain
from tapproxy_viewers.visible import shown
from tests.viewers.made import MS, SECOND, session
from tests.viewers.spoken import SPOKEN, message, record_hostile, record_messages

FRAMES: list[tuple[Stream, int, bytes]] = [
    ("in", 1 * MS, b"{}\n"),
    ("in", 2 * MS, b"{}\n"),
    ("out", 3 * MS, b"{}\n"),
    ("out", 4 * MS, b"{}\n"),
    ("in", 6 * MS, b"{}\n"),
    ("out", 3202 * MS, b"{}\n"),
    ("in", 3300 * MS, b"[{},{}]\n"),
    ("out", 3400 * MS, b"[{},{}]\n"),
    ("out", 3500 * MS, b"{}\n"),
]


def answering(frame: int, question: int, latency_ns: int, **other: Any) -> MessageRow:
    kind = other.pop("kind", "response")
    answers = {"answers": question, "answers_part": other.get("part", 0)}
    return message(frame, kind, latency_ns=latency_ns, **answers, **other)


MESSAGES = [
    message(1, "request", "initialize", id="1", asks=1, summary="demo-editor 1.0, root demo"),
    message(
        2, "request", "tools/call", id="2", asks=1, summary='echo text="你好，世界" and much more'
    ),
    message(3, "prompt", asks=1, summary='"Install 2 packages?"'),
    answering(4, 1, 3 * MS, summary="ruff 0.17.6: codeAction, diagnostic, documentFormatting"),
    answering(5, 3, 3 * MS, kind="control", summary='"yes"'),
    answering(6, 2, 3200 * MS, note="late: due within 3.0 s", summary="text"),
    message(7, "request", "add", asks=1, note="unknown method", summary="a=1"),
    message(7, "request", "add", part=1, asks=1),
    answering(8, 7, 100 * MS),
    answering(8, 7, 100 * MS, part=1, kind="error", flags="error", summary="-32601 no"),
    message(9, "request", "roots/list", id="0", asks=1),
]


def told(path: Path, width: int = 100, selection: Selection | None = None, **changes: Any) -> str:
    record_messages(str(path), session(**changes), FRAMES, MESSAGES)
    return drawn(path, width, selection)


def drawn(path: Path, width: int, selection: Selection | None = None) -> str:
    with open_recording(str(path)) as recording:
        one = recording.session()
        entries = recording.entries(one.id, selection)
        lines = exchanges(recording, one, entries, layout(width, SECOND, 9))
        return "".join(f"{plain(line)}\n" for line in lines)


def test_questions_and_answers_stand_in_columns(tmp_path: Path) -> None:
    expected = """\
  0.001 s  ──→  #1    3.0 ms  initialize  demo-editor 1.0, roo…  ↩ #4  ruff 0.17.6: codeAction, dia…
  0.002 s  ──→  #2     3.2 s  tools/call  echo text="你好，世…   ! #6  late: due within 3.0 s · text
  0.003 s  ←──  #3    3.0 ms  prompt  "Install 2 packages?"      ↩ #5  "yes"
  3.300 s  ──→  #7    100 ms  ! add  a=1 · unknown method        ↩ #8
  3.300 s  ──→  #7    100 ms  add                                ✗ #8  -32601 no
  3.500 s  ←──  #9            roots/list                         ! no answer
"""
    assert told(tmp_path / "a.tap") == expected


def test_a_narrow_terminal_still_shows_who_asked_what_and_how_it_ended(tmp_path: Path) -> None:
    expected = """\
  0.001 s  ──→  #1    3.0 ms  initialize  dem…  ↩ #4  ruff …
  0.002 s  ──→  #2     3.2 s  tools/call  ech…  ! #6  late:…
  0.003 s  ←──  #3    3.0 ms  prompt  "Instal…  ↩ #5  "yes"
  3.300 s  ──→  #7    100 ms  ! add  a=1 · un…  ↩ #8
  3.300 s  ──→  #7    100 ms  add               ✗ #8  -3260…
  3.500 s  ←──  #9            roots/list        ! no answer
"""
    assert told(tmp_path / "a.tap", 60) == expected


def test_while_the_session_lives_an_answer_may_still_come(tmp_path: Path) -> None:
    last = told(tmp_path / "a.tap", duration_ns=None, outcome=None).splitlines()[-1]
    assert last.endswith("! no answer yet")


def test_an_answer_that_was_chosen_brings_its_question_with_it(tmp_path: Path) -> None:
    failed = Selection("m.flags = 'error'")
    assert told(tmp_path / "a.tap", selection=failed).splitlines() == [
        "  3.300 s  ──→  #7    100 ms  add                                ✗ #8  -32601 no"
    ]


def test_each_exchange_is_drawn_once_whichever_of_its_sides_were_chosen(tmp_path: Path) -> None:
    both = Selection("m.frame IN (1, 4)")
    assert len(told(tmp_path / "a.tap", selection=both).splitlines()) == 1


def test_what_asks_nothing_and_answers_nothing_that_is_known_is_no_exchange(
    tmp_path: Path,
) -> None:
    path = tmp_path / "a.tap"
    orphans = [
        message(1, "notification", "log"),
        answering(2, 1, MS),  # of what asked nothing
        answering(3, 77, MS),  # of what is not there
    ]
    record_messages(str(path), session(), FRAMES, orphans)
    assert drawn(path, 100) == ""


def test_a_slow_answer_and_one_that_is_odd_catch_the_eye(tmp_path: Path) -> None:
    path = str(tmp_path / "a.tap")
    record_messages(path, session(), FRAMES, MESSAGES)
    with open_recording(path) as recording:
        chosen = recording.entries(1, Selection("m.frame = 2"))
        (line,) = exchanges(recording, recording.session(), chosen, layout(100, SECOND, 9))
    assert line[3:] == [
        ("slow", "  3.2 s  "),
        ("method", "tools/call"),
        ("text", '  echo text="你好，世'),
        ("quiet", "…"),
        ("text", "   "),
        ("note", "! "),
        ("number", "#6"),
        ("note", "  late: due within 3.0 s"),
        ("text", " · text"),
    ]


def test_of_very_many_open_questions_the_oldest_are_forgotten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tapproxy_viewers.exchanges.MOST_WAITING", 1)
    assert [line[16:18] for line in told(tmp_path / "a.tap").splitlines()] == [
        "#1",
        "#2",
        "#3",
        "#1",  # drawn again where its answer is met: the price of a bound on memory
        "#2",
        "#7",
        "#7",
        "#7",
        "#9",
    ]


@settings(deadline=None, max_examples=30)  # each writes a file
@given(SPOKEN)
def test_no_line_is_too_wide_or_holds_anything_that_a_terminal_obeys(
    spoken: list[tuple[Stream, str, bytes]],
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.tap"
        record_hostile(str(path), spoken)
        for line in drawn(path, 60).splitlines():
            assert width_of(line) <= 60
            assert shown(line) == line
