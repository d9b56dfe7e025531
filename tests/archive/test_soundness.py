"""Whether an archive file is as it was written."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from askagain.archive import Archive
from askagain.archive.schema import MIGRATIONS, migrate
from askagain.archive.soundness import fault_of
from askagain.question import Mark, Question


@pytest.fixture
def questions(path: Path) -> Path:
    with Archive.open(path) as archive:
        archive.put_many(Question(id=str(number), title="t" * 500) for number in range(500))
        archive.mark(Mark("1", "2"))
    return path


def fault_in(path: Path) -> str | None:
    with closing(sqlite3.connect(path)) as connection:
        return fault_of(connection)


def changed_by(statement: str) -> Callable[[Path], None]:
    def change(path: Path) -> None:
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute(statement)

    return change


def test_an_archive_is_sound(questions: Path) -> None:
    assert fault_in(questions) is None


def test_an_archive_of_an_older_version_is_sound(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        migrate(connection, MIGRATIONS[:1])
    assert fault_in(path) is None


def test_what_somebody_has_added_does_no_harm(questions: Path) -> None:
    changed_by("CREATE INDEX by_title ON questions (title)")(questions)
    changed_by("ANALYZE")(questions)
    assert fault_in(questions) is None


@pytest.mark.parametrize(
    ("statement", "fault"),
    [
        ("DROP TABLE keys", "table keys is missing"),
        ("DROP INDEX questions_by_seq", "index questions_by_seq is missing"),
        ("ALTER TABLE marks DROP COLUMN who", "table marks is missing, or another one"),
        ("DELETE FROM questions WHERE id = '1'", "1 row of questions that never were"),
    ],
)
def test_what_is_missing_is_named(questions: Path, statement: str, fault: str) -> None:
    changed_by(statement)(questions)
    assert fault in (fault_in(questions) or "")


def test_pages_that_are_not_as_sqlite_wrote_them_are_a_fault_in_one_line(questions: Path) -> None:
    content = bytearray(questions.read_bytes())
    content[40_000:60_000] = b"\xff" * 20_000
    questions.write_bytes(content)
    fault = fault_in(questions)
    assert fault
    assert "\n" not in fault


def test_half_a_file_is_a_fault(questions: Path) -> None:
    content = questions.read_bytes()
    questions.write_bytes(content[: len(content) // 2])
    assert fault_in(questions) == "database disk image is malformed"
