"""Brings a file to the newest schema: an old one by sqlite-utils' migrations, an empty one by hand.

Both take the same steps, in one transaction. An empty file takes them without sqlite-utils, whose
import would delay the moment from which a live recording can be seen by 90 ms.
"""

import sqlite3
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from tapproxy_store import schema
from tapproxy_store.views import VIEWS

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlite_utils import Database

SET = "tap"
"""The name of our set in `_sqlite_migrations`."""

# As sqlite-utils makes them: it must find the steps of a fresh file as applied.
_MIGRATIONS_TABLE = (
    """CREATE TABLE "_sqlite_migrations" (
   "id" INTEGER PRIMARY KEY,
   "migration_set" TEXT,
   "name" TEXT,
   "applied_at" TEXT
)""",
    """CREATE UNIQUE INDEX "idx__sqlite_migrations_migration_set_name"
    ON "_sqlite_migrations" ("migration_set", "name")""",
)


def version_of(connection: sqlite3.Connection) -> int:
    """Return the schema version of the file, 0 where nothing is in it."""
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return version


def make_schema(connection: sqlite3.Connection) -> None:
    """Give an empty file the newest schema; the caller has begun a transaction."""
    for statement in _MIGRATIONS_TABLE:
        connection.execute(statement)
    for step in schema.STEPS:
        for statement in step.statements:
            connection.execute(statement)
        connection.execute(
            "INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES (?, ?, ?)",
            (SET, step.name, str(datetime.now(UTC))),
        )
    _finish(connection)


def migrate(connection: sqlite3.Connection) -> None:
    """Bring an older file to the newest schema; the caller has begun a transaction."""
    from sqlite_utils import Database, Migrations

    for view in VIEWS:
        connection.execute(f"DROP VIEW IF EXISTS {view}")
    migrations = Migrations(SET)
    for step in schema.STEPS:
        migrations(name=step.name)(_migration(step.statements))
    migrations.apply(Database(connection, recursive_triggers=False, execute_plugins=False))
    _finish(connection)


def _migration(statements: tuple[str, ...]) -> "Callable[[Database], None]":
    def apply(database: "Database", /) -> None:
        for statement in statements:
            database.conn.execute(statement)

    return apply


def _finish(connection: sqlite3.Connection) -> None:
    for statement in VIEWS.values():
        connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {schema.APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {schema.newest_version()}")
