"""Recordings of tapes: `.tap` to tape to `.tap` changes nothing, and a bad tape leaves nothing."""

import os
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tapproxy.ingest.reindex import reindex
from tapproxy.ingest.rows import event_row
from tapproxy.ingest.tapes import import_tape
from tapproxy.opening import opened
from tapproxy_store.errors import BadTape, CannotWrite
from tapproxy_store.reading import open_recording
from tapproxy_store.recording import create_or_open
from tapproxy_store.records import STREAMS, Chunk, Event, Session
from tapproxy_store.tape import tape_lines
from tests.store.made import query
from tests.tapproxy.calls import tap
from tests.tapproxy.ingest.made import payloads, recorded

TABLES = ("sessions", "chunks", "events", "frames", "messages", "totals")
RAW = ("raw", "no JSON in the first frames", "[]")

NS = st.integers(0, (1 << 63) - 1)
TEXT = st.text(max_size=8)
ANY_TEXT = st.text(st.characters(categories=["Cs", "Cc", "Lu", "Zl"]), max_size=4)
JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | ANY_TEXT,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(ANY_TEXT, inner, max_size=2),
    max_leaves=4,
)  # fmt: skip
OBJECT = st.dictionaries(ANY_TEXT, JSON, max_size=3)


def all_rows(path: str) -> dict[str, list[tuple[Any, ...]]]:
    return {table: sorted(query(path, f"select * from {table}")) for table in TABLES}


@st.composite
def sessions_and_records(draw: st.DrawFn) -> list[Session | Chunk | Event]:
    """Draw sessions, each followed by its chunks and events."""
    drawn: list[Session | Chunk | Event] = []
    session_id = seq = 0
    for _ in range(draw(st.integers(1, 3))):
        session_id += draw(st.integers(1, 3))
        framing = draw(st.sampled_from(("auto", "lines", "content-length", "raw")))
        outcome = draw(TEXT.filter(bool))
        begun = (session_id, draw(TEXT), draw(NS), draw(NS), draw(NS))
        drawn.append(Session(*begun, outcome, framing, draw(OBJECT)))
        ends = dict.fromkeys(STREAMS, 0)
        for _ in range(draw(st.integers(0, 6))):
            seq += 1
            if draw(st.booleans()):
                kind, detail = draw(TEXT.filter(bool)), draw(OBJECT)
                drawn.append(Event(seq, session_id, draw(NS), kind, detail))
            else:
                stream = draw(st.sampled_from(STREAMS))
                start = ends[stream] + draw(st.sampled_from((0, 0, 7)))
                data = draw(payloads | st.binary(max_size=9))
                drawn.append(Chunk(seq, session_id, stream, draw(NS), start, data))
                ends[stream] = start + len(data)
    return drawn


def record(path: str, drawn: Iterable[Session | Chunk | Event]) -> None:
    with create_or_open(path) as writer:
        writer.begin()
        for it in drawn:
            if isinstance(it, Session):
                writer.put_session(it)
            elif isinstance(it, Chunk):
                writer.insert([it])
            else:
                writer.insert([], [event_row(it)])
        writer.commit()
        writer.finish()
    reindex(path)


def export(path: str, tape: str) -> None:
    with open_recording(path) as recording, open(tape, "wb") as file:
        file.writelines(tape_lines(recording))


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(drawn=sessions_and_records())
def test_a_recording_of_a_recordings_tape_is_equal_in_all_tables(
    drawn: list[Session | Chunk | Event],
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        first, tape, second = (os.path.join(folder, it) for it in ("1.tap", "tape", "2.tap"))
        record(first, drawn)
        export(first, tape)
        import_tape(tape, second)
        assert all_rows(second) == all_rows(first)
        assert sorted(os.listdir(folder)) == ["1.tap", "2.tap", "tape"]


@pytest.fixture
def tape(tmp_path: Path) -> Path:
    return tmp_path / "a.tape"


@pytest.fixture
def target(tmp_path: Path) -> str:
    return str(tmp_path / "a.tap")


def test_a_tape_written_by_hand_gets_its_length_and_outcome_from_its_last_lines(
    tape: Path, target: str
) -> None:
    tape.write_text(
        '{"tape": 1, "name": "first"}\n'
        '[0.5, "out", "a\\nb"]\n'
        '[1.5, "event", "exit", {"code": 7}]\n'
        '{"tape": 1, "name": "second", "framing": "raw"}\n'
        '[0.25, "in", {"base64": "/w=="}, {"offset": 3}]\n'
    )
    import_tape(str(tape), target)
    assert recorded(target) == {
        "sessions": [
            ("first", "auto", 1_500_000_000, "exit 7", *RAW),
            ("second", "raw", 250_000_000, "imported", *RAW),
        ],
        "chunks": [
            (1, 1, "out", 500_000_000, 0, b"a\nb"),
            (3, 2, "in", 250_000_000, 3, b"\xff"),
        ],
        "events": [(2, 1, 1_500_000_000, "exit", '{"code":7}')],
        "frames": [
            (1, 1, "out", 0, 2, 1, 1, 500_000_000, 500_000_000, 0, "LF", None),
            (1, 2, "out", 2, 3, 1, 1, 500_000_000, 500_000_000, 0, "none", "unfinished"),
            (2, 1, "in", 3, 4, 3, 3, 250_000_000, 250_000_000, 0, "none", None),
        ],
        "messages": [],
        "totals": [
            (1, "err", 0, 0, 0),
            (1, "in", 0, 0, 0),
            (1, "out", 1, 3, 2),
            (2, "err", 0, 0, 0),
            (2, "in", 1, 1, 1),
            (2, "out", 0, 0, 0),
        ],
    }


def test_a_dialect_that_was_asked_for_is_kept_on_the_way_to_a_tape_and_back(
    tmp_path: Path, tape: Path, target: str
) -> None:
    first = str(tmp_path / "first.tap")
    talk = 'print(\'{"jsonrpc":"2.0","method":"tick","params":{}}\')'
    recorded = tap("run", "--dialect", "jsonl", "-o", first, "--", sys.executable, "-c", talk)
    assert recorded.code == 0
    with opened(first) as recording:
        assert recording.session().facts["dialect"] == "jsonl"
    export(first, str(tape))
    assert '"dialect": "jsonl"' in tape.read_text().splitlines()[0]
    import_tape(str(tape), target)
    assert all_rows(target) == all_rows(first)
    assert query(target, "select dialect, dialect_reason from sessions") == [("jsonl", "asked for")]
    assert query(target, "select kind, method from messages") == [("notification", "tick")]


def test_a_tape_that_asks_for_a_dialect_which_is_not_installed_is_read_by_another(
    tape: Path, target: str
) -> None:
    tape.write_text('{"tape": 1, "dialect": "chess"}\n[0, "in", "{\\"a\\":1}\\n"]\n')
    import_tape(str(tape), target)
    reason = "chess was asked for, but is not installed; 1 of 1 first frames are JSON objects"
    assert query(target, "select dialect, dialect_reason from sessions") == [("jsonl", reason)]
    assert query(target, "select kind, summary from messages") == [("object", "a=1")]


def test_a_tape_of_more_lines_than_one_batch_is_whole(tape: Path, target: str) -> None:
    tape.write_text('{"tape": 1}\n' + '[0, "in", "ab"]\n[0, "in", "c\\n"]\n' * 10_001)
    import_tape(str(tape), target)
    assert query(target, "select count(*), max(seq) from chunks") == [(20_002, 20_002)]
    assert query(target, "select count(*), max(last_chunk) from frames") == [(10_001, 20_002)]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", ':1:1: the tape ends here; expected a header, such as {"tape": 1}'),
        ('{"tape": 1}\n[0, "in", "a\\n"]\n[zero]\n', ":3:2: this is not JSON: Expecting value"),
        (
            '{"tape": 1, "framing": "linen"}\n',
            ": \"framing\" must be one of auto, lines, content-length, raw, not 'linen'",
        ),
    ],
)
def test_a_bad_tape_is_refused_and_leaves_no_file_behind(
    tape: Path, target: str, text: str, complaint: str
) -> None:
    tape.write_text(text)
    with pytest.raises(BadTape) as caught:
        import_tape(str(tape), target)
    assert str(caught.value) == f"{tape}{complaint}"
    assert os.listdir(tape.parent) == ["a.tape"]


def test_what_exists_already_is_not_written_over(tape: Path, target: str) -> None:
    tape.write_text('{"tape": 1}\n')
    Path(target).write_text("precious")
    with pytest.raises(CannotWrite) as caught:
        import_tape(str(tape), target)
    expected = f"{target} exists already; choose another name with -o"
    assert (str(caught.value), Path(target).read_text()) == (expected, "precious")
