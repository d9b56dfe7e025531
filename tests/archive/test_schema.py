import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from askagain.archive import Archive, Scope
from askagain.archive.schema import APPLICATION_ID, MIGRATIONS, migrate, version_of
from askagain.question import Feedback, Question, Verdict

LATER_STEP = ("ALTER TABLE questions ADD COLUMN votes INTEGER NOT NULL DEFAULT 0",)


@pytest.fixture
def version_1(path: Path) -> Path:
    """A file of schema version 1 with one question in it, as its version left it."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        migrate(connection, MIGRATIONS[:1])
        connection.execute(
            """INSERT INTO questions (id, title, body, tags, created, url, answer, seq)
               VALUES ('old', 'An old question', '', '["usb"]', '', '', '', 1)"""
        )
        connection.execute("INSERT INTO commits VALUES (1, 'token', '2020-01-01')")
    return path


def test_a_file_of_version_1_is_opened_with_all_its_content(version_1: Path) -> None:
    with Archive.open(version_1, create=False) as archive:
        assert archive.get("old") == Question(id="old", title="An old question", tags=("usb",))
        assert archive.add(Question(id="new", title="t")) == 2
        assert archive.sequence.seq == 2


def test_a_file_of_version_1_gets_the_tables_of_later_versions(version_1: Path) -> None:
    with Archive.open(version_1, create=False) as archive:
        key = archive.add_key("plugin", Scope.WRITE)
        archive.give_feedback(Feedback("t", "", "old", Verdict.DUPLICATE))
    with Archive.open(version_1, create=False) as archive:
        assert archive.find_key(key) == archive.keys()[0]
        assert [given.found for given in archive.feedback()] == ["old"]


def test_later_steps_are_applied_to_an_older_file(version_1: Path) -> None:
    with closing(sqlite3.connect(version_1, isolation_level=None)) as connection:
        migrate(connection, (*MIGRATIONS[:1], LATER_STEP))
        assert version_of(connection) == 2
        assert connection.execute("SELECT id, votes FROM questions").fetchall() == [("old", 0)]
        migrate(connection, (*MIGRATIONS[:1], LATER_STEP))
        assert version_of(connection) == 2


def test_a_step_that_fails_leaves_the_file_as_it_was(version_1: Path) -> None:
    with closing(sqlite3.connect(version_1, isolation_level=None)) as connection:
        with pytest.raises(sqlite3.OperationalError):
            migrate(connection, (*MIGRATIONS[:1], LATER_STEP, ("NONSENSE",)))
        assert version_of(connection) == 1
        with pytest.raises(sqlite3.OperationalError, match="votes"):
            connection.execute("SELECT votes FROM questions")


def test_the_file_tells_what_it_is(archive: Archive, path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
        assert connection.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS),)
        version = connection.execute("SELECT value FROM meta WHERE key = 'schema version'").fetchone()
        assert version == (str(len(MIGRATIONS)),)


def test_marks_cannot_point_at_questions_that_never_were(archive: Archive) -> None:
    with archive._connections.transaction() as transaction, pytest.raises(sqlite3.IntegrityError):
        transaction.connection.execute("INSERT INTO marks VALUES (1, 2, 'duplicate', '', '', 1)")
