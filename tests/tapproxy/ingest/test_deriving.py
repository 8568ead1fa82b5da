"""Messages derived with their frames: the same ones however the bytes and records come."""

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tapproxy.ingest.bodies import LARGEST_BODY
from tapproxy.ingest.deriving import Derived, Deriver, arguments
from tapproxy_store.records import STREAMS, Chunk, Event, Session
from tapproxy_store.tape import read_tape
from tests.tapproxy.ingest.made import Journal, derived

FIXTURES = Path(__file__).parents[3] / "fixtures" / "dialects"
TAPES = sorted(FIXTURES.rglob("*.tape"))

BY_READS = ("lingxi", "raw")
"""Dialects in which it matters which bytes came in one read."""


def records_of(tape: Path) -> tuple[Session, list[Chunk | Event]]:
    with tape.open("rb") as lines:
        session, *records = read_tape(lines, str(tape))
    assert isinstance(session, Session)
    return session, [it for it in records if not isinstance(it, Session)]


def derive(session: Session, records: list[Chunk | Event]) -> tuple[Derived, Deriver]:
    """Return the rows of all records."""
    deriver, rows = Deriver(session), Derived()
    for record in records:
        if isinstance(record, Chunk):
            deriver.feed(record, rows)
        else:
            deriver.happened(record, rows)
    deriver.close(rows)
    return rows, deriver


def split(chunk: Chunk, cuts: list[int]) -> list[Chunk]:
    """Return the chunk in pieces that came at the same instant."""
    places = sorted({0, len(chunk.data), *(it for it in cuts if 0 < it < len(chunk.data))})
    return [
        chunk._replace(start_offset=chunk.start_offset + begin, data=chunk.data[begin:end])
        for begin, end in pairwise(places)
    ]


@pytest.mark.parametrize(
    "tape", [it for it in TAPES if it.parent.name not in BY_READS], ids=lambda it: it.stem
)
@settings(max_examples=3, deadline=None)
@given(cuts=st.lists(st.integers(1, 400), max_size=20))
def test_however_the_bytes_are_split_the_messages_are_the_same(tape: Path, cuts: list[int]) -> None:
    session, records = records_of(tape)
    whole, deriver = derive(session, records)
    pieces = [
        piece
        for it in records
        for piece in (split(it, cuts) if isinstance(it, Chunk) else [it])
    ]  # fmt: skip
    rows, other = derive(session, pieces)
    assert rows.messages == whole.messages
    assert other.interpreter.traits == deriver.interpreter.traits


@pytest.mark.parametrize("tape", TAPES, ids=lambda it: it.stem)
@settings(max_examples=3, deadline=None)
@given(cuts=st.lists(st.integers(1, 100), max_size=20))
def test_however_the_records_are_delivered_the_rows_are_the_same(
    tape: Path, cuts: list[int]
) -> None:
    session, records = records_of(tape)
    told = Journal(framing=session.framing, argv=session.facts.get("argv"))
    for record in records:
        if isinstance(record, Chunk):
            told.says(record.stream, record.data)
        else:
            told.happens(record.kind, **record.detail)
    places = sorted({0, len(told.records), *(it for it in cuts if it < len(told.records))})
    batches = [told.records[begin:end] for begin, end in pairwise(places)]
    singly = [[record] for record in told.records]
    assert derived(told, batches) == derived(told, singly) == told.rows()


def test_each_dialect_has_a_tape() -> None:
    assert {it.parent.name for it in TAPES} >= {
        "acp", "dap", "jsonl", "jsonrpc", "lingxi", "lsp", "mcp", "raw", "xlings",
    }  # fmt: skip


def messages_of(*chunks: tuple[str, int, bytes]) -> list[tuple[object, ...]]:
    """Return frame, kind, method, flags and note of what these chunks say: stream, offset, data."""
    session = Session(1, "", 0, 0, None, None, "lines")
    records: list[Chunk | Event] = [
        Chunk(seq, 1, next(it for it in STREAMS if it == stream), seq, offset, data)
        for seq, (stream, offset, data) in enumerate(chunks, 1)
    ]
    rows, _ = derive(session, records)
    return [(it[1], it[3], it[4], it[14], it[15]) for it in rows.messages]


def test_stderr_has_no_messages() -> None:
    assert messages_of(("err", 0, b'{"a":1}\n'), ("out", 0, b'{"a":1}\n')) == [
        (2, "object", None, None, None)
    ]


def test_what_a_gap_ends_is_read_with_the_bytes_before_it() -> None:
    before, after = b'{"kind":"first"}\n{"kind":"cu', b'rest"}\n{"kind":"last"}\n'
    assert messages_of(("out", 0, before), ("out", 1000, after)) == [
        (1, "first", None, None, None),
        (2, "unknown", None, "not-json unfinished", "not JSON: ends in the middle"),
        (3, "unknown", None, "not-json", "not JSON"),
        (4, "last", None, None, None),
    ]


@pytest.mark.parametrize("size", [1 << 16, 1 << 30])
def test_an_answer_too_large_to_be_read_still_answers_its_question(size: int) -> None:
    ask = b'{"jsonrpc":"2.0","id":"a","method":"dump"}\n'
    head, tail = b'{"jsonrpc":"2.0","result":{"text":"', b'"},"id":"a"}\n'
    answer = head + b"x" * (LARGEST_BODY + 1) + tail
    chunks = [("out", at, answer[at : at + size]) for at in range(0, len(answer), size)]
    assert messages_of(("in", 0, ask), *chunks) == [
        (1, "request", "dump", None, None),
        (2, "response", "dump", "oversize", "4 MB: too large to be read"),
    ]


@pytest.mark.parametrize(
    ("facts", "argv"),
    [
        ({"argv": ["plugin", {"base64": "/w=="}, "--stdio"]}, ["plugin", "", "--stdio"]),
        ({"argv": "plugin"}, []),
        ({}, []),
    ],
)
def test_arguments_keep_their_places_even_where_they_are_no_text(
    facts: dict[str, object], argv: list[str]
) -> None:
    assert arguments(facts) == argv
