"""The tables of the archive, and the steps that bring an older file up to date."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing

# "ASKA" in ASCII; tells an archive from any other SQLite file.
APPLICATION_ID = 0x41534B41

# The statements of one step, which raises the schema version by one.
Migration = Sequence[str]

_FIRST: Migration = (
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    "INSERT INTO meta VALUES ('uuid', lower(hex(randomblob(16))))",
    """CREATE TABLE questions (
        number INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        title TEXT NOT NULL,
        body TEXT NOT NULL,
        tags TEXT NOT NULL,
        created TEXT NOT NULL,
        url TEXT NOT NULL,
        answer TEXT NOT NULL,
        deleted INTEGER NOT NULL DEFAULT 0,
        seq INTEGER NOT NULL
    )""",
    "CREATE INDEX questions_by_seq ON questions (seq)",
    "CREATE INDEX questions_deleted ON questions (number) WHERE deleted",
    """CREATE TABLE marks (
        first INTEGER NOT NULL REFERENCES questions (number),
        second INTEGER NOT NULL REFERENCES questions (number),
        verdict TEXT CHECK (verdict IN ('duplicate', 'not-duplicate')),
        who TEXT NOT NULL,
        at TEXT NOT NULL,
        seq INTEGER NOT NULL,
        PRIMARY KEY (first, second),
        CHECK (first < second)
    ) WITHOUT ROWID""",
    "CREATE INDEX marks_by_seq ON marks (seq)",
    "CREATE TABLE commits (seq INTEGER PRIMARY KEY, token TEXT NOT NULL, at TEXT NOT NULL)",
)

# A key itself is never stored. Its row is of no view's concern: it has no sequence number.
_KEYS_AND_FEEDBACK: Migration = (
    """CREATE TABLE keys (
        hash TEXT PRIMARY KEY,
        name TEXT NOT NULL UNIQUE,
        scope TEXT NOT NULL CHECK (scope IN ('read', 'write', 'moderate')),
        created TEXT NOT NULL,
        expires TEXT NOT NULL
    ) WITHOUT ROWID""",
    """CREATE TABLE feedback (
        seq INTEGER PRIMARY KEY,
        title TEXT NOT NULL,
        body TEXT NOT NULL,
        found INTEGER NOT NULL REFERENCES questions (number),
        verdict TEXT NOT NULL CHECK (verdict IN ('duplicate', 'not-duplicate')),
        who TEXT NOT NULL,
        at TEXT NOT NULL
    )""",
)

MIGRATIONS: tuple[Migration, ...] = (_FIRST, _KEYS_AND_FEEDBACK)


def version_of(connection: sqlite3.Connection) -> int:
    """The schema version of an archive file; 0 = nothing there yet."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return int(version)


def lacking(connection: sqlite3.Connection) -> str | None:
    """A table or an index that the file's version has, and the file has not; None if all are there."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as blank:
        migrate(blank, MIGRATIONS[: max(1, version_of(connection))])
        missing = _objects(blank) - _objects(connection)
    return min((f"{kind} {name}" for kind, name, _ in missing), default=None)


def _objects(connection: sqlite3.Connection) -> set[tuple[str, str, str]]:
    return set(connection.execute("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL"))


def migrate(connection: sqlite3.Connection, migrations: Sequence[Migration] = MIGRATIONS) -> None:
    """Applies the steps that the file lacks, all of them or none; must not run inside a transaction."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        # Read under the write lock: another process may have migrated while we waited for it.
        for step in migrations[version_of(connection) :]:
            for statement in step:
                connection.execute(statement)
        _stamp(connection, max(version_of(connection), len(migrations)))
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _stamp(connection: sqlite3.Connection, version: int) -> None:
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {version}")
    connection.execute(
        "INSERT INTO meta VALUES ('schema version', ?1) ON CONFLICT (key) DO UPDATE SET value = ?1",
        (str(version),),
    )
