"""A temporary home on disk for the answers of a dump, until their questions come by."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from askagain.errors import SourceError


class AnswerStore:
    """All answers of a dump by the question that they belong to."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database

    def add(self, *, question: str, id: str, score: float, text: str) -> None:
        """Keeps one answer."""
        self._write("INSERT INTO answers VALUES (?, ?, ?, ?)", (question, id, score, text))

    def sort(self) -> None:
        """Makes look-ups fast; to be called between the last `add` and the first `best`."""
        self._write("CREATE INDEX by_question ON answers (question)")

    def best(self, question: str, accepted: str) -> str:
        """The text of the accepted answer, else of the one with the highest score, else nothing."""
        row = self._database.execute(
            "SELECT text FROM answers WHERE question = ? ORDER BY id = ? DESC, score DESC, rowid LIMIT 1",
            (question, accepted),
        ).fetchone()
        return row[0] if row else ""

    def _write(self, statement: str, values: tuple[object, ...] = ()) -> None:
        try:
            self._database.execute(statement, values)
        except sqlite3.OperationalError as error:
            raise SourceError(
                f"cannot keep the answers in the temporary folder: {error}; free some space or set TMPDIR"
            ) from error


@contextmanager
def temporary_answers() -> Iterator[AnswerStore]:
    """An empty store, whose file is removed in the end."""
    with TemporaryDirectory(prefix="askagain-") as folder:
        database = sqlite3.connect(Path(folder) / "answers.sqlite", isolation_level=None)
        with closing(database):
            database.execute("PRAGMA journal_mode = OFF")
            database.execute("PRAGMA synchronous = OFF")
            database.execute("CREATE TABLE answers (question TEXT, id TEXT, score REAL, text TEXT)")
            database.execute("BEGIN")
            yield AnswerStore(database)
