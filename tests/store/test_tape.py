"""The tape: lossless both ways, and what is wrong with one is told to the column."""

import json
import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tapproxy_store.errors import BadTape
from tapproxy_store.exact_json import LARGEST_NS
from tapproxy_store.reading import open_recording
from tapproxy_store.records import ASKED_FOR, STREAMS, Chunk, Event, Session
from tapproxy_store.tape import read_tape, tape_lines
from tests.store.made import RECORDS, SPOKEN, session, write

PAGE = Path(__file__).parents[2] / "docs/tape.md"

Records = list[Session | Chunk | Event]

TEXTS = st.text(st.characters(codec="utf-8"), max_size=20)
NS = st.integers(min_value=0, max_value=LARGEST_NS) | st.integers(min_value=0, max_value=10**10)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=()), max_size=10),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)  # fmt: skip
OBJECTS = st.dictionaries(TEXTS, VALUES, max_size=3)
BYTES = st.binary(max_size=20) | TEXTS.map(str.encode) | st.just("\x1b\x7f\x9b\u2028".encode())


@st.composite
def recorded(draw: st.DrawFn) -> Records:
    """Draw what a recording may hold: sessions, and after each its chunks and events."""
    records: Records = []
    number, seq = 0, 0
    for _ in range(draw(st.integers(min_value=1, max_value=2))):
        number += draw(st.integers(min_value=1, max_value=2))
        records.append(draw(sessions(number)))
        ends = dict.fromkeys(STREAMS, 0)
        for _ in range(draw(st.integers(min_value=0, max_value=6))):
            seq += 1
            if draw(st.booleans()):
                kind = draw(TEXTS.filter(bool))
                records.append(Event(seq, number, draw(NS), kind, draw(OBJECTS)))
                continue
            stream, data = draw(st.sampled_from(STREAMS)), draw(BYTES)
            start = draw(st.just(ends[stream]) | st.integers(min_value=0, max_value=2**62))
            records.append(Chunk(seq, number, stream, draw(NS), start, data))
            ends[stream] = start + len(data)
    return records


def sessions(number: int) -> st.SearchStrategy[Session]:
    dialects = st.sampled_from([(None, None), ("lsp", ASKED_FOR)])
    return dialects.flatmap(lambda it: sessions_read_by(number, *it))


def sessions_read_by(
    number: int, dialect: str | None, reason: str | None
) -> st.SearchStrategy[Session]:
    return st.builds(
        Session,
        dialect=st.just(dialect),
        dialect_reason=st.just(reason),
        id=st.just(number),
        name=TEXTS,
        started_ns=st.integers(min_value=-LARGEST_NS, max_value=LARGEST_NS),
        started_mono_ns=NS,
        duration_ns=st.none() | NS,
        outcome=st.none() | TEXTS.filter(bool),
        framing=st.sampled_from(["auto", "lines", "content-length", "raw"]),
        facts=OBJECTS,
    )


def recording_of(path: Path, records: Iterable[Session | Chunk | Event]) -> str:
    path.unlink(missing_ok=True)
    records = list(records)
    made = [record for record in records if isinstance(record, Session)]
    rest = [record for record in records if not isinstance(record, Session)]
    return write(str(path), rest, [], made)


def everything_in(path: str) -> Records:
    with open_recording(path) as recording:
        return [
            record
            for session in recording.sessions()
            for record in (session, *recording.records(session.id))
        ]


def tape_of(path: str) -> list[bytes]:
    with open_recording(path) as recording:
        return list(tape_lines(recording))


@given(records=recorded())
@settings(
    max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_a_recording_comes_back_from_its_tape_as_it_was(tmp_path: Path, records: Records) -> None:
    path = recording_of(tmp_path / "first.tap", records)
    assert everything_in(path) == records
    tape = tape_of(path)
    assert list(read_tape(tape)) == records
    again = recording_of(tmp_path / "second.tap", read_tape(tape))
    assert everything_in(again) == records
    assert tape_of(again) == tape


@given(records=recorded())
@settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_a_tape_is_lines_of_json_without_control_characters(
    tmp_path: Path, records: Records
) -> None:
    for line in tape_of(recording_of(tmp_path / "a.tap", records)):
        json.loads(line)
        assert (
            re.search("[\x00-\x1f\x7f-\x9f\u2028\u2029]", line.decode().removesuffix("\n")) is None
        )


def test_a_tape_looks_as_its_page_says(tmp_path: Path) -> None:
    records = [*RECORDS[:3], Chunk(4, 1, "out", 3_000_000, 20, b"after a gap")]
    path = write(str(tmp_path / "a.tap"), records, [], [session()])
    assert b"".join(tape_of(path)).decode() == (
        '{"tape": 1, "name": "my plugin", "started": "2026-11-30T20:30:05.123456789Z", '
        '"monotonic": 987.654321123, "duration": 3.000000000, "outcome": "exit 0", '
        '"framing": "lines", "facts": {"argv": ["my plugin", "--verbose"], "cwd": "/home/ada", '
        '"pid": 4242}}\n'
        '[0.000000000, "event", "spawn", {"pid": 4243}]\n'
        '[0.001000000, "in", "{\\"id\\":1}\\n{\\"id\\":2}\\n"]\n'
        '[0.002500000, "out", {"base64": "eyJpZCI6MSwiciI6IuS9"}]\n'
        '[0.003000000, "out", "after a gap", {"offset": 20}]\n'
    )


def test_a_tape_names_the_dialect_that_a_person_has_chosen_and_no_other(tmp_path: Path) -> None:
    recognised = replace(SPOKEN, dialect_reason="its first frame is a header")
    tapes = [
        b"".join(tape_of(write(str(tmp_path / f"{number}.tap"), [], [], [one]))).decode()
        for number, one in enumerate((session(), recognised, SPOKEN))
    ]
    assert tapes == [
        tapes[0],
        tapes[0],
        tapes[0].replace('"lines", ', '"lines", "dialect": "jsonrpc", '),
    ]
    assert list(read_tape(tapes[2].encode().splitlines())) == [replace(SPOKEN, traits=())]


def test_the_example_of_the_page_is_a_tape(tmp_path: Path) -> None:
    example = PAGE.read_text(encoding="utf-8").split("```json\n")[1].split("```")[0]
    path = recording_of(tmp_path / "a.tap", read_tape(example.splitlines(), "tape.md"))
    rewritten = b"".join(tape_of(path)).decode().replace(' "monotonic": 0.000000000,', "")
    assert rewritten == example


def test_a_tape_may_be_written_by_hand() -> None:
    lines = [
        b'\xef\xbb\xbf{"tape": 1, "note": "unknown keys are ignored", "outcome": null}\r\n',
        b"\r\n",
        b' [0, "in", "a"]\t\n',
        b'[1.5e-3,"in","b",{"offset":7}]\n',
        '[9.000000001, "event", "told", {"by": "我"}]\n'.encode(),
        b'{"tape": 1, "id": 5, "started": "2026-11-30T21:30:05.5+01:00", "framing": "raw"}',
        b'[0, "err", {"base64": "/w=="}]',
    ]
    assert list(read_tape(lines)) == [
        Session(1, "", 0, 0, None, None, "auto", {}),
        Chunk(1, 1, "in", 0, 0, b"a"),
        Chunk(2, 1, "in", 1_500_000, 7, b"b"),
        Event(3, 1, 9_000_000_001, "told", {"by": "我"}),
        Session(5, "", 1_796_070_605_500_000_000, 0, None, None, "raw", {}),
        Chunk(4, 5, "err", 0, 0, b"\xff"),
    ]


HEADER = '{"tape": 1}'
TIME = "expected the time, a number of seconds, with at most nine digits after the point, not "
SECONDS = "a number of seconds, with at most nine digits after the point"
INSTANT = 'an instant such as "2026-11-30T20:30:05.123456789Z"'

BAD_HEADERS: list[tuple[str | bytes, str]] = [
    ("", '2:1: the tape ends here; expected a header, such as {"tape": 1}'),
    ('[0, "in", "x"]', '1:1: no session has begun; expected a header, such as {"tape": 1}'),
    ('{"name": "x"}', '1:1: this object has no "tape"; expected a header, such as {"tape": 1}'),
    ('{"tape": 2}', "1:2: the tape has version 2, and this tap reads version 1; "
     "install a newer tap"),
    ('{"tape": true}', '1:2: "tape" must be the version of the format, 1, not true'),
    ('{"tape": 1, "name": 3}', '1:13: "name" must be a text, not 3'),
    ('{"tape": 1, "name": "\\ud800"}', '1:13: "name" must be a text, not "\\ud800"'),
    ('{"tape": 1, "dialect": ["lsp"]}', '1:13: "dialect" must be a text, not ["lsp"]'),
    ('{"tape": 1, "id": 0}', '1:13: "id" must be a whole number above 0, not 0'),
    ('{"tape": 1, "started": "today"}', f'1:13: "started" must be {INSTANT}, not "today"'),
    ('{"tape": 1, "started": "9999-01-01T00:00:00Z"}',
     f'1:13: "started" must be {INSTANT}, not "9999-01-01T00:00:00Z"'),
    ('{"tape": 1, "started": "2026-11-30T20:30:05"}',
     f'1:13: "started" must be {INSTANT}, not "2026-11-30T20:30:05"'),
    ('{"tape": 1, "duration": -0.5}', f'1:13: "duration" must be {SECONDS}, not -0.5'),
    ('{"tape": 1, "facts": [1]}', '1:13: "facts" must be an object, not [1]'),
    ('{"tape": 1, "facts": {"a": NaN}}', "1:1: unreadable number: JSON has no NaN"),
    ('{"tape": 1, "facts": {"a": 1e999}}', "1:1: unreadable number: 1e999 is too large"),
]  # fmt: skip

BAD_RECORDS: list[tuple[str | bytes, str]] = [
    ("5", "1: expected a header {…}, or an array […] for a chunk or an event"),
    ("[]", f"2: {TIME}the end of the array"),
    ('["0", "in", "x"]', f'2: {TIME}"0"'),
    ('[-1, "in", "x"]', f"2: {TIME}-1"),
    ('[true, "in", "x"]', f"2: {TIME}true"),
    ('[0.1234567891, "in", "x"]', f"2: {TIME}0.1234567891"),
    ('[1e999999999, "in", "x"]', f"2: {TIME}1E+999999999"),
    ("[0]", '3: expected "in", "out", "err" or "event", not the end of the array'),
    ('[0,  "stdout", "x"]', '6: expected "in", "out", "err" or "event", not "stdout"'),
    ('[0, "in"]',
     '9: expected the bytes, as "text" or as {"base64": "…"}, not the end of the array'),
    ('[0, "in", 5]', '11: expected the bytes, as "text" or as {"base64": "…"}, not 5'),
    ('[0, "in", {"base64": "a?=="}]',
     '11: expected base64 (Only base64 data is allowed), not {"base64": "a?=="}'),
    ('[0, "in", {"base64": 5}]', "11: expected base64 (argument should be bytes, buffer or ASCII "
     'string, not \'int\'), not {"base64": 5}'),
    ('[0, "in", "\\udc80"]',
     '11: expected text without lone surrogates (else base64), not "\\udc80"'),
    ('[0, "in", "a", {"offset": -1}]', "16: expected where in its stream the chunk begins, "
     'as {"offset": 0}, not {"offset": -1}'),
    ('[0, "in", "a", {"offset": 1}, 5]', "31: expected the end of the array, not 5"),
    ('[0, "event"]', '12: expected what happened, such as "exit", not the end of the array'),
    ('[0, "event", ""]', '14: expected what happened, such as "exit", not ""'),
    ('[0, "event", "exit", []]', '22: expected the details, such as {"code": 0}, not []'),
    ('[0, "event", "exit", {}, 5]', "26: expected the end of the array, not 5"),
    ('[0, "in", "a"', "14: this is not JSON: Expecting ',' delimiter"),
    ('[0, "in", "a"] # no', "16: this is not JSON: Extra data"),
    ("[" * 100_000, "1: brackets are nested too deep"),
    (b'[0, "in", "\xe4\xbd"]', "12: this is not UTF-8; such bytes belong in base64"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "words"), BAD_HEADERS)
def test_what_is_wrong_with_a_header_is_told(line: str | bytes, words: str) -> None:
    with pytest.raises(BadTape) as caught:
        list(read_tape([line], "my.tape"))
    assert str(caught.value) == f"my.tape:{words}"


@pytest.mark.parametrize(("line", "words"), BAD_RECORDS)
def test_what_is_wrong_with_a_line_is_told(line: str | bytes, words: str) -> None:
    reading = read_tape([HEADER, "", line], "my.tape")
    assert next(reading) == Session(1, "", 0, 0, None, None, "auto", {})
    with pytest.raises(BadTape) as caught:
        next(reading)
    assert str(caught.value) == f"my.tape:3:{words}"


@given(line=st.binary(max_size=60) | VALUES.map(json.dumps), insert=TEXTS, at=st.integers(0, 60))
@settings(max_examples=200, deadline=None)
def test_rubbish_is_a_bad_tape_and_nothing_else(line: Any, insert: str, at: int) -> None:
    bent = '[0.5, "in", {"base64": "/w=="}, {"offset": 5}]'
    for one in (line, bent[:at] + insert + bent[at:]):
        with suppress(BadTape):
            list(read_tape([HEADER, one]))
