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
from tapproxy_store.views import VIEWS
from tests.store.made import query, write

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


@pytest.mark.parametrize("name", ["sessions", "chunks", "events", "frames", *VIEWS])
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
