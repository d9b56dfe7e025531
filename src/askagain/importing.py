"""Reads a forum's file into an archive, in batches; a second run goes on where the first one stopped."""

from __future__ import annotations

import re
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Self

from askagain.archive import Archive
from askagain.archive.failures import translated
from askagain.archive.hygiene import MAX_QUESTION_CHARACTERS, clean_mark, clean_question, length
from askagain.errors import ArchiveError
from askagain.question import Mark, Question, Verdict
from askagain.sources.base import Progress, Skipped, Source, no_progress
from askagain.sources.rows import Place, last_place, note_place

PlacedMark = tuple[Mark, Place]

KEPT_EXAMPLES = 100
_KEPT_REASONS = 100
_OTHER_REASONS = "other reasons"
_VALUES = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|\d+")


@dataclass(slots=True)
class ImportReport:
    """What an import did. `marks` counts the marks of the file that now stand in the archive."""

    added: int = 0
    changed: int = 0
    unchanged: int = 0
    marks: int = 0
    skipped: int = 0
    # How often each kind of reason occurred; "…" stands for the value that differs from row to row.
    reasons: Counter[str] = field(default_factory=Counter)
    examples: list[Skipped] = field(default_factory=list)

    def skip(self, skipped: Skipped) -> None:
        """Counts a row that was left out; memory stays bounded however many there are."""
        self.skipped += 1
        reason = _VALUES.sub("…", skipped.reason)
        known = reason in self.reasons or len(self.reasons) < _KEPT_REASONS
        self.reasons[reason if known else _OTHER_REASONS] += 1
        if len(self.examples) < KEPT_EXAMPLES:
            self.examples.append(skipped)


def import_file(
    archive: Archive,
    path: Path,
    source: Source,
    *,
    batch: int = 1000,
    progress: Progress = no_progress,
    on_skip: Callable[[Skipped], None] | None = None,
) -> ImportReport:
    """Puts every question and mark of the file into the archive, one commit for each `batch` of them.

    The first of equal ids wins. Marks may come before their questions.
    """
    # The archive translates its own errors; any other one of SQLite is about the import's notes.
    with translated(Path(tempfile.gettempdir()), 0.0), _Import(archive, batch, on_skip) as running:
        note_place(path, 0)  # for a source that does not tell the line
        for record in source.records(path, progress):
            running.take(record)
        running.finish()
        return running.report


class _Import:
    """One run over one file: what waits for the next commit, and what was seen so far."""

    def __init__(self, archive: Archive, batch: int, on_skip: Callable[[Skipped], None] | None) -> None:
        self.report = ImportReport()
        self._archive = archive
        self._batch = batch
        self._on_skip = on_skip
        self._notes = _Notes()
        self._questions: list[Question] = []
        self._marks: list[PlacedMark] = []
        self._characters = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._notes.close()

    def take(self, record: Question | Mark | Skipped) -> None:
        """Accepts one record of the source; commits when a batch is full."""
        if isinstance(record, Skipped):
            self._skip(record)
            return
        place = last_place()
        try:
            if isinstance(record, Question):
                self._take_question(clean_question(record), place)
            else:
                self._marks.append((clean_mark(record), place))
        except ArchiveError as error:
            self._refuse(str(error), place)
        full = len(self._questions) + len(self._marks) >= self._batch
        if full or self._characters >= MAX_QUESTION_CHARACTERS:
            self._commit()

    def finish(self) -> None:
        """Commits the rest, and then the marks that came before their questions."""
        self._commit()
        for marks in _chunks(self._notes.held_marks(), self._batch):
            with self._archive.transaction():
                for mark, place in self._set_known(marks):
                    known = self._archive.numbers([mark.first, mark.second])
                    unknown = mark.second if mark.first in known else mark.first
                    self._refuse(f"mark names the unknown question {unknown!r}", place)

    def _take_question(self, question: Question, place: Place) -> None:
        if self._notes.is_first(question.id):
            self._questions.append(question)
            self._characters += length(question)
        else:
            self._refuse(f"id {question.id!r} appeared earlier in this import", place)

    def _commit(self) -> None:
        with self._archive.transaction():
            counts = self._archive.put_many(self._questions, batch=self._batch)
            unknown = self._set_known(self._marks)
        self.report.added += counts.added
        self.report.changed += counts.changed
        self.report.unchanged += counts.unchanged
        self._notes.hold(unknown)
        self._questions, self._marks, self._characters = [], [], 0

    def _set_known(self, marks: list[PlacedMark]) -> list[PlacedMark]:
        """Sets the marks whose questions are in the archive, and gives back the others."""
        ids = {id for mark, _ in marks for id in (mark.first, mark.second)}
        known = self._archive.numbers(ids)
        unknown = []
        for mark, place in marks:
            if mark.first in known and mark.second in known:
                self._archive.mark(mark)
                self.report.marks += 1
            else:
                unknown.append((mark, place))
        return unknown

    def _refuse(self, reason: str, place: Place) -> None:
        self._skip(Skipped(place.path, place.line, reason))

    def _skip(self, skipped: Skipped) -> None:
        self.report.skip(skipped)
        if self._on_skip is not None:
            self._on_skip(skipped)


class _Notes:
    """The ids seen and the marks held back, in a temporary SQLite database that grows on disk."""

    def __init__(self) -> None:
        self._connection = sqlite3.connect("", isolation_level=None)
        self._connection.execute("PRAGMA journal_mode = OFF")
        self._connection.execute("BEGIN")
        self._connection.execute("CREATE TABLE seen (id TEXT PRIMARY KEY) WITHOUT ROWID")
        self._connection.execute("CREATE TABLE held (first, second, verdict, who, at, path, line)")

    def close(self) -> None:
        self._connection.close()

    def is_first(self, id: str) -> bool:
        return self._connection.execute("INSERT OR IGNORE INTO seen VALUES (?)", (id,)).rowcount == 1

    def hold(self, marks: list[PlacedMark]) -> None:
        self._connection.executemany(
            "INSERT INTO held VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                (
                    mark.first,
                    mark.second,
                    mark.verdict.value,
                    mark.who,
                    mark.when,
                    str(place.path),
                    place.line,
                )
                for mark, place in marks
            ),
        )

    def held_marks(self) -> Iterator[PlacedMark]:
        for *values, path, line in self._connection.execute("SELECT * FROM held ORDER BY rowid"):
            first, second, verdict, who, at = values
            yield Mark(first, second, Verdict(verdict), who, at), Place(Path(path), line)


def _chunks(marks: Iterator[PlacedMark], size: int) -> Iterator[list[PlacedMark]]:
    while chunk := list(islice(marks, size)):
        yield chunk
