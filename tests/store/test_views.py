"""What people see who open a recording with `sqlite3`, and that they need not wait for it."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tapproxy_store.migrations import make_schema
from tapproxy_store.views import PREVIEW
from tests.store.made import message, query, write, write_spoken


def in_memory() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    make_schema(connection)
    return connection


@pytest.fixture
def memory() -> Iterator[sqlite3.Connection]:
    with closing(in_memory()) as connection:
        yield connection


def test_the_timeline_is_readable_for_somebody_who_has_never_seen_tap(tmp_path: Path) -> None:
    path = write_spoken(str(tmp_path / "a.tap"))
    columns = "SELECT at, gap, who, size, text, frame, session FROM timeline"
    assert query(path, columns) == [
        ("0.000000 s", None, "event", None, 'spawn {"pid": 4243}', None, 1),
        ("0.001000 s", "+0.001000 s", "host → plugin", "9 bytes", '{"id":1}', 1, 1),
        ("0.001000 s", "+0.000000 s", "host → plugin", "9 bytes", '{"id":2}', 2, 1),
        (
            "0.002600 s",
            "+0.001600 s",
            "plugin stderr",
            "18 bytes",
            "warning: \\xff\\x00\\x1b[31m",
            3,
            1,
        ),
        ("1.500000 s", "+1.497400 s", "plugin → host", "19 bytes", '{"id":1,"r":"你"}', 4, 1),
        ("1.500000 s", "+0.000000 s", "plugin → host", "9 bytes, unfinished", "left over", 5, 1),
        (
            "1.600000 s",
            "+0.100000 s",
            "event",
            None,
            'eof {"stream": "out", "by": "plugin"}',
            None,
            1,
        ),
        ("3.000000 s", "+1.400000 s", "event", None, 'exit {"code": 0}', None, 1),
    ]


def test_the_timeline_says_what_frames_mean(tmp_path: Path) -> None:
    path = write_spoken(str(tmp_path / "a.tap"))
    assert query(path, "SELECT frame, message, latency, note FROM timeline") == [
        (None, None, None, None),
        (1, "request read the first", None, None),
        (2, "request read the second", None, None),
        (3, None, None, None),
        (4, "response read r: 你", "1.499000 s", None),
        (5, "unknown", None, "it is not JSON"),
        (None, None, None, None),
        (None, None, None, None),
    ]


def test_the_messages_of_a_batch_are_one_row_of_the_timeline(tmp_path: Path) -> None:
    messages = [
        message(1, 0, kind="request", method="read", note="odd"),
        message(1, 1, kind="response", summary="ok", answers=4, answers_part=0, latency_ns=0),
        message(1, 2, kind="response", answers=4, answers_part=1, latency_ns=5000, note="late"),
    ]
    path = write(str(tmp_path / "a.tap"), messages=messages)
    assert query(path, "SELECT message, latency, note FROM timeline WHERE frame = 1") == [
        ("request read | response ok | response", "0.000000 s", "odd | late")
    ]


def test_exchanges_are_questions_with_their_answers(tmp_path: Path) -> None:
    path = write_spoken(str(tmp_path / "a.tap"))
    assert query(path, "SELECT * FROM exchanges") == [
        (
            "0.001000 s",
            "host",
            "read",
            "1",
            "the first",
            "1.499000 s",
            "response",
            "r: 你",
            1,
            4,
            1,
        ),
        ("0.001000 s", "host", "read", "2", "the second", None, "no answer", None, 2, None, 1),
    ]


@pytest.mark.parametrize("within", ["", "WHERE session = 1", "WHERE outcome = 'no answer'"])
def test_exchanges_are_found_along_keys_and_never_by_search(
    memory: sqlite3.Connection, within: str
) -> None:
    plan = memory.execute(f"EXPLAIN QUERY PLAN SELECT * FROM exchanges {within}").fetchall()
    questions, *others = [row[3].removesuffix(" LEFT-JOIN") for row in plan]
    assert questions in ("SCAN question", "SEARCH question USING PRIMARY KEY (session=?)")
    assert others == [
        "SEARCH frames USING PRIMARY KEY (session=? AND number=?)",
        "SEARCH answer USING INDEX messages_by_question "
        "(session=? AND answers=? AND answers_part=?)",
    ]


def test_frame_payloads_hold_the_exact_bodies(tmp_path: Path) -> None:
    path = write(str(tmp_path / "a.tap"))
    columns = "SELECT session, number, stream, t_ns, size, flaw, CAST(text AS BLOB)"
    assert query(path, columns + " FROM frame_payloads") == [
        (1, 1, "in", 1_000_000, 8, None, b'{"id":1}'),
        (1, 2, "in", 1_000_000, 8, None, b'{"id":2}'),
        (1, 3, "err", 2_600_000, 16, None, b"warning: \xff\x00\x1b[31m"),
        (1, 4, "out", 1_500_000_000, 18, None, '{"id":1,"r":"你"}'.encode()),
        (1, 5, "out", 1_500_000_000, 9, "unfinished", b"left over"),
    ]


def test_the_headers_of_content_length_are_no_part_of_the_text(memory: sqlite3.Connection) -> None:
    put_frame(memory, [b"Content-Le", b"ngth: 2\r\n\r", b"\n{", b"}"], header_size=21)
    assert memory.execute("SELECT size, text FROM timeline").fetchall() == [("23 bytes", "{}")]
    assert memory.execute("SELECT size, text FROM frame_payloads").fetchall() == [(2, "{}")]


@pytest.mark.parametrize("terminator", [b"", b"\n", b"\r\n", b"\r\r\n"])
def test_terminators_are_no_part_of_the_text(memory: sqlite3.Connection, terminator: bytes) -> None:
    names = {b"": "none", b"\n": "LF", b"\r\n": "CRLF", b"\r\r\n": "CRCRLF"}
    put_frame(memory, [b"line\r", terminator], terminator=names[terminator])
    assert memory.execute("SELECT text FROM timeline").fetchall() == [("line\\r",)]
    assert memory.execute("SELECT text FROM frame_payloads").fetchall() == [("line\r",)]


@given(
    body=st.binary(max_size=40) | st.text(max_size=PREVIEW + 10).map(str.encode),
    size=st.integers(min_value=1, max_value=5),
)
@example(body=b"x" * (PREVIEW + 1), size=50)
@example(body=b"", size=1)
@settings(max_examples=150, deadline=None)
def test_text_is_right_however_a_frame_is_split_into_chunks(body: bytes, size: int) -> None:
    with closing(in_memory()) as connection:
        put_frame(connection, [body[at : at + size] for at in range(0, len(body), size)] or [b""])
        shown = connection.execute("SELECT text FROM timeline").fetchone()[0]
        exact = connection.execute("SELECT CAST(text AS BLOB) FROM frame_payloads").fetchone()[0]
    assert (shown, exact) == (as_shown(body), body)


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * FROM timeline LIMIT 5",
        "SELECT * FROM timeline WHERE session = 1 LIMIT 5",
        "SELECT at, text FROM timeline WHERE who = 'event' LIMIT 1",
    ],
)
def test_the_first_rows_of_the_timeline_need_no_look_at_the_rest(
    memory: sqlite3.Connection, query: str
) -> None:
    plan = [row[3] for row in memory.execute(f"EXPLAIN QUERY PLAN {query}")]
    until_rows_come = plan[: plan.index("SCAN it")]
    scans = [step.split(" (")[0] for step in until_rows_come if "INDEX" in step]
    assert until_rows_come[:2] == ["CO-ROUTINE it", "MERGE (UNION ALL)"]
    assert [scan.split(" ", 1)[1] for scan in scans] == [
        "frames USING INDEX frames_in_order",
        "events USING INDEX events_in_order",
    ]
    assert not any("TEMP B-TREE" in step for step in until_rows_come)


def put_frame(
    connection: sqlite3.Connection,
    pieces: list[bytes],
    *,
    header_size: int = 0,
    terminator: str = "none",
) -> None:
    """Write one frame of `out`, each piece a chunk, with chunks of `in` between them."""
    offset = 0
    for number, piece in enumerate(pieces):
        row = (2 * number + 1, "out", offset, piece)
        between = (2 * number + 2, "in", offset, b"never to be seen")
        for one in (row, between):
            connection.execute("INSERT INTO chunks VALUES (?, 1, ?, 0, ?, ?)", one)
        offset += len(piece)
    connection.execute(
        "INSERT INTO frames VALUES (1, 1, 'out', 0, ?, 1, ?, 0, 0, ?, ?, NULL)",
        (offset, 2 * len(pieces) - 1, header_size, terminator),
    )


def as_shown(body: bytes) -> str:
    """Return what `timeline` should show, worked out another way."""
    shown = ""
    place = 0
    for _ in range(PREVIEW):
        if place >= len(body):
            return shown
        character = next_character(body[place : place + 4])
        if character is None:
            escapes = {10: "\\n", 13: "\\r", 9: "\\t"}
            shown += escapes.get(body[place], f"\\x{body[place]:02x}")
            place += 1
        else:
            shown += character
            place += len(character.encode())
    return shown + ("…" if place < len(body) else "")


def next_character(data: bytes) -> str | None:
    """Return the printable character at the beginning; None where there is none."""
    for size in range(1, len(data) + 1):
        try:
            character = data[:size].decode()
        except UnicodeDecodeError:
            continue
        return character if " " <= character <= "~" or character >= "\xa0" else None
    return None
