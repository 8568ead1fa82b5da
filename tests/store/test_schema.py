"""The schema: one, however a file came to it, and as its page says."""

import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlite_utils import Database, Migrations

from tapproxy_store import schema
from tapproxy_store.migrations import make_schema, migrate
from tapproxy_store.own_schema import TABLES
from tapproxy_store.recording import create_or_open
from tapproxy_store.records import Chunk, Frame, Stream
from tapproxy_store.views import VIEWS
from tests.store.made import message, message_row, query, session, write

PAGE = Path(__file__).parents[2] / "docs/schema.md"

ROW = re.compile(r"^\| `(\w+)` \|", re.MULTILINE)


Make = Callable[[sqlite3.Connection], None]


@contextmanager
def made(make: Make) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        make(connection)
        connection.execute("COMMIT")
        yield connection


def asked(make: Make, sql: str) -> list[tuple[Any, ...]]:
    with made(make) as connection:
        return connection.execute(sql).fetchall()


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name",
        "SELECT id, migration_set, name FROM _sqlite_migrations",
        "PRAGMA user_version",
        "PRAGMA application_id",
    ],
)
def test_a_fresh_file_and_a_migrated_one_are_the_same(sql: str) -> None:
    assert asked(make_schema, sql) == asked(migrate, sql) != []


def test_to_sqlite_utils_a_fresh_file_has_taken_all_steps() -> None:
    migrations = Migrations("tap")
    for step in schema.STEPS:
        migrations(name=step.name)(lambda _: None)
    with made(make_schema) as connection:
        assert migrations.pending(Database(connection)) == []


def test_a_recording_says_what_it_is(tmp_path: Path) -> None:
    path = write(str(tmp_path / "a.tap"))
    pragmas = ("application_id", "user_version", "journal_mode", "integrity_check")
    values = [query(path, f"PRAGMA {name}")[0][0] for name in pragmas]
    assert values == [0x74617031, len(schema.STEPS), "delete", "ok"]


def test_every_recorded_reference_leads_somewhere(tmp_path: Path) -> None:
    assert query(write(str(tmp_path / "a.tap")), "PRAGMA foreign_key_check") == []


@pytest.mark.parametrize("name", [*TABLES, *VIEWS])
def test_the_schema_page_has_every_column_and_no_other(name: str) -> None:
    section = PAGE.read_text(encoding="utf-8").split(f"\n### `{name}`\n")[1].split("\n#")[0]
    columns = asked(make_schema, f"PRAGMA table_info({name})")
    assert ROW.findall(section) == [column[1] for column in columns]


def test_the_schema_page_has_every_table_view_and_index() -> None:
    documented = set(re.findall(r"`(\w+)`", PAGE.read_text(encoding="utf-8")))
    names = {row[0] for row in asked(make_schema, "SELECT name FROM sqlite_master")}
    assert names - documented == {"idx__sqlite_migrations_migration_set_name"}


def test_the_schema_page_names_the_newest_version() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert f"schema version **{schema.newest_version()}**" in text


EXAMPLE = re.compile(r'^\$ sqlite3 my-plugin\.tap "(.*)"\n((?:[^$`].*\n)*)', re.MULTILINE)
STATEMENTS = re.compile(r"^```sql\n(.*?)^```", re.MULTILINE | re.DOTALL)


@pytest.fixture
def example(tmp_path: Path) -> str:
    """Make the recording that the page looks at."""
    asked = b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}\n'
    answered = b'{"jsonrpc":"2.0","id":1,"result":{"ok":true}}\n'
    opening = b'{"jsonrpc":"2.0","id":2,"method":"open","params":{"path":"main.c"}}\n'
    times = (1_204_000, 42_310_000, 42_377_000, 50_000_000)
    streams: tuple[Stream, ...] = ("in", "out", "err", "in")
    starts = (0, 0, 0, len(asked))
    lines = (asked, answered, b"ready\n", opening)
    chunks = [
        Chunk(number + 1, 1, *its)
        for number, its in enumerate(zip(streams, times, starts, lines, strict=True), 1)
    ]
    frames = [
        Frame(1, n, it.stream, it.start_offset, it.start_offset + len(it.data), it.seq, it.seq,
              it.t_ns, it.t_ns, 0, "LF", None)
        for n, it in enumerate(chunks, 1)
    ]  # fmt: skip
    messages = [
        message(1, kind="request", method="initialize", id="1", asks=1),
        message(2, kind="response", method="initialize", id="1", summary="ok=true", answers=1,
                answers_part=0, latency_ns=41_106_000),
        message(4, kind="request", method="open", id="2", asks=1, summary='path="main.c"'),
    ]  # fmt: skip
    path = str(tmp_path / "my-plugin.tap")
    with create_or_open(path) as writer:
        writer.begin()
        writer.put_session(session())
        writer.insert(
            chunks, [(1, 1, 0, "spawn", '{"pid":4243}')], frames, map(message_row, messages)
        )
        writer.commit()
    return path


def test_the_examples_of_the_page_are_true(example: str) -> None:
    examples = EXAMPLE.findall(PAGE.read_text(encoding="utf-8"))
    assert len(examples) == 3
    for sql, output in examples:
        rows = [["" if it is None else str(it) for it in row] for row in query(example, sql)]
        assert "".join("|".join(row) + "\n" for row in rows) == output


def test_the_queries_of_the_page_give_what_they_say(example: str) -> None:
    blocks = STATEMENTS.findall(PAGE.read_text(encoding="utf-8"))
    statements = [it for block in blocks for it in block.split(";\n") if it]
    given = {it.splitlines()[0]: it for it in statements if "writefile" not in it}
    assert {comment: query(example, sql) for comment, sql in given.items()} == {
        "-- questions that were never answered": [(4, "open", 'path="main.c"')],
        "-- the methods that take longest": [("initialize", 1, 41.106)],
        "-- the ten slowest frames to arrive": [
            (1, "in", 0.0), (2, "out", 0.0), (3, "err", 0.0), (4, "in", 0.0),
        ],
        "-- what was sent about a file": [
            (4, "in", '{"jsonrpc":"2.0","id":2,"method":"open","params":{"path":"main.c"}}'),
        ],
    }  # fmt: skip
