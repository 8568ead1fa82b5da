"""The schema: one, however a file came to it, and as its page says."""

import re
import sqlite3
from pathlib import Path

import pytest
from sqlite_utils import Database, Migrations

from tapproxy_store import schema
from tapproxy_store.migrations import make_schema, migrate
from tapproxy_store.views import VIEWS
from tests.store.made import write

PAGE = Path(__file__).parents[2] / "docs/schema.md"

ROW = re.compile(r"^\| `(\w+)` \|", re.MULTILINE)


def made(how: object) -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    assert callable(how)
    how(connection)
    connection.execute("COMMIT")
    return connection


def test_a_fresh_file_and_a_migrated_one_have_the_same_schema() -> None:
    dumps = [
        (
            connection.execute("SELECT * FROM sqlite_master ORDER BY type, name").fetchall(),
            connection.execute("PRAGMA user_version").fetchall(),
            connection.execute("PRAGMA application_id").fetchall(),
            connection.execute("SELECT id, migration_set, name FROM _sqlite_migrations").fetchall(),
        )
        for connection in (made(make_schema), made(migrate))
    ]
    fresh, migrated = ([(*row[:3], row[4]) for row in dump[0]] for dump in dumps)
    assert fresh == migrated
    assert dumps[0][1:] == dumps[1][1:]


def test_to_sqlite_utils_a_fresh_file_has_taken_all_steps() -> None:
    migrations = Migrations("tap")
    for step in schema.STEPS:
        migrations(name=step.name)(lambda _: None)
    assert migrations.pending(Database(made(make_schema))) == []


def test_a_recording_says_what_it_is(tmp_path: Path) -> None:
    connection = sqlite3.connect(write(str(tmp_path / "a.tap")))
    pragmas = ("application_id", "user_version", "journal_mode", "integrity_check")
    values = [connection.execute(f"PRAGMA {name}").fetchone()[0] for name in pragmas]
    assert values == [0x74617031, len(schema.STEPS), "delete", "ok"]


def test_every_recorded_reference_leads_somewhere(tmp_path: Path) -> None:
    connection = sqlite3.connect(write(str(tmp_path / "a.tap")))
    assert connection.execute("PRAGMA foreign_key_check").fetchall() == []


@pytest.mark.parametrize("name", ["sessions", "chunks", "events", "frames", *VIEWS])
def test_the_schema_page_has_every_column_and_no_other(name: str) -> None:
    section = PAGE.read_text(encoding="utf-8").split(f"\n### `{name}`\n")[1].split("\n#")[0]
    columns = made(make_schema).execute(f"PRAGMA table_info({name})").fetchall()
    assert ROW.findall(section) == [column[1] for column in columns]


def test_the_schema_page_has_every_table_view_and_index() -> None:
    documented = set(re.findall(r"`(\w+)`", PAGE.read_text(encoding="utf-8")))
    names = {row[0] for row in made(make_schema).execute("SELECT name FROM sqlite_master")}
    hidden = {"idx__sqlite_migrations_migration_set_name"}
    assert {
        name for name in names if not name.startswith("sqlite_autoindex")
    } - hidden <= documented


def test_the_schema_page_names_the_newest_version() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert f"schema version **{schema.newest_version()}**" in text
