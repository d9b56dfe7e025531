"""The archive: the only truth about the questions and marks of a forum, in one SQLite file."""

from __future__ import annotations

import sqlite3
import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Self

from askagain.archive import feedback_table, key_table, mark_table, note_table, question_table
from askagain.archive.connections import Connections, now
from askagain.archive.hygiene import (
    MAX_QUESTION_CHARACTERS,
    check_key_name,
    clean_feedback,
    clean_mark,
    clean_question,
    clean_time,
    length,
)
from askagain.archive.opening import open_file
from askagain.archive.records import Change, Key, Position, PutCounts, Scope
from askagain.closing import Closing
from askagain.errors import ConflictError, UnknownQuestionError
from askagain.question import Feedback, Mark, Question, Verdict


class Archive(Closing):
    """Questions and marks, each change numbered. What a call has returned from survives a crash.

    Any number of threads and processes may use one file. Every write waits for its turn, at most
    `wait_seconds`; reads never wait. The iterators show the archive as it was committed when they
    started; all other reads inside `transaction()` see its own writes.
    """

    def __init__(self, path: Path, connections: Connections) -> None:
        self.path = path
        self._connections = connections

    @classmethod
    def open(cls, path: str | Path, *, create: bool = True, wait_seconds: float = 10.0) -> Self:
        """Opens the archive file, and makes it if it is not there and `create` is true."""
        path = Path(path)
        return cls(path, Connections(*open_file(path, create=create, wait_seconds=wait_seconds)))

    def close(self) -> None:
        """Closes the file; every later call is refused."""
        self._connections.close()

    def begin_anew(self) -> None:
        """To be called first by a process that was forked from the one that has opened the archive."""
        self._connections.begin_anew()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Groups the writes inside into one commit: all of them happen, or, on an error, none."""
        with self._connections.transaction():
            yield

    def add(self, question: Question) -> int:
        """Adds a new question, with a made-up id if it has none, and gives its number."""
        question = clean_question(question if question.id else replace(question, id=uuid.uuid4().hex))
        with self._connections.writing() as transaction:
            if question.id in self:
                raise ConflictError(f"question {question.id!r} is in {self.path} already: edit it instead")
            question_table.write(transaction, [question])
            return self.numbers([question.id])[question.id]

    def edit(self, question: Question) -> bool:
        """Replaces a question that is there; whether that changed anything."""
        question = clean_question(question)
        with self._connections.writing() as transaction:
            self._require(question.id)
            return question_table.write(transaction, [question]).changed > 0

    def put(self, question: Question) -> bool:
        """Adds or replaces a question; whether that changed anything."""
        question = clean_question(question)
        with self._connections.writing() as transaction:
            return question_table.write(transaction, [question]).unchanged == 0

    def put_many(self, many: Iterable[Question], *, batch: int = 1000) -> PutCounts:
        """Puts questions, one commit for each `batch` of them; of equal ids the last one wins."""
        counts = PutCounts()
        for part in _batches(map(clean_question, many), batch):
            with self._connections.writing() as transaction:
                counts += question_table.write(transaction, part)
        return counts

    def put_numbered(self, many: Iterable[tuple[int, Question]]) -> PutCounts:
        """Puts questions in one commit; new ones get the numbers given, which nobody must have had."""
        cleaned = [(number, clean_question(question)) for number, question in many]
        numbers = {question.id: number for number, question in cleaned}
        with self._connections.writing() as transaction:
            return question_table.write(transaction, [question for _, question in cleaned], numbers)

    def delete(self, id: str) -> bool:
        """Deletes a question; whether it was there. Its marks are no longer reported."""
        with self._connections.writing() as transaction:
            return question_table.delete(transaction, id)

    def get(self, id: str) -> Question | None:
        """The question with this id, if there is one."""
        return self.get_many([id]).get(id)

    def get_many(self, ids: Iterable[str]) -> dict[str, Question]:
        """The questions with these ids; ids that are not there are left out."""
        with self._connections.reading() as connection:
            return question_table.by_ids(connection, ids)

    def numbers(self, ids: Iterable[str]) -> dict[str, int]:
        """The numbers that the archive has given to these ids; ids that are not there are left out."""
        with self._connections.reading() as connection:
            return question_table.numbers(connection, ids)

    def question_of(self, number: int) -> Question | None:
        """The question with this number, if it was not deleted."""
        return self.by_numbers([number]).get(number)

    def by_numbers(self, numbers: Iterable[int]) -> dict[int, Question]:
        """The questions with these numbers; deleted and unknown ones are left out."""
        with self._connections.reading() as connection:
            return question_table.by_numbers(connection, numbers)

    def __len__(self) -> int:
        with self._connections.reading() as connection:
            return question_table.count(connection)

    def __contains__(self, id: str) -> bool:
        return id in self.numbers([id])

    def questions(self) -> Iterator[Question]:
        """Every question in the order of first arrival, from one snapshot, one by one."""
        with self._connections.streaming() as connection:
            yield from question_table.all_of(connection)

    def numbered(self, after: int, most: int) -> list[tuple[int, Question]]:
        """Of the questions with higher numbers the first ones, with their numbers."""
        with self._connections.reading() as connection:
            return question_table.numbered(connection, after, most)

    def all_numbers(self) -> list[int]:
        """The numbers of all questions, ascending."""
        with self._connections.reading() as connection:
            return question_table.all_numbers(connection)

    @property
    def sequence(self) -> Position:
        """Where the archive's history stands. A view reads this first, then `changes_since`."""
        with self._connections.reading() as connection:
            row = connection.execute("SELECT seq, token FROM commits ORDER BY seq DESC LIMIT 1").fetchone()
            return Position(*row) if row else Position(0, _birth_token(connection))

    def has_seen(self, seq: int, token: str) -> bool:
        """Whether the position is part of this file's history; if not, a view of it must start anew."""
        with self._connections.reading() as connection:
            if seq == 0:
                return token == _birth_token(connection)
            found = connection.execute("SELECT 1 FROM commits WHERE seq = ? AND token = ?", (seq, token))
            return found.fetchone() is not None

    def changes_since(self, seq: int, limit: int | None = None) -> Iterator[Change]:
        """The questions that changed after `seq`, each in its latest state, oldest change first."""
        with self._connections.streaming() as connection:
            yield from question_table.changes_since(connection, seq, limit)

    def mark(self, mark: Mark) -> bool:
        """Sets the mark of a pair, in place of an earlier one; whether that changed anything.

        A mark without a time gets the present one.
        """
        mark = clean_mark(mark)
        with self._connections.writing() as transaction:
            first, second = self._require(mark.first, mark.second)
            return mark_table.put(transaction, (first, second), mark)

    def withdraw(self, first: str, second: str) -> bool:
        """Takes back the mark of a pair; whether there was one."""
        with self._connections.writing() as transaction:
            numbers = self.numbers([first, second])
            return len(numbers) == 2 and mark_table.withdraw(transaction, (numbers[first], numbers[second]))

    def marks(self, verdict: Verdict | None = None, include_deleted: bool = False) -> Iterator[Mark]:
        """Every mark that stands, or those with one verdict; on deleted questions only if asked."""
        with self._connections.streaming() as connection:
            yield from mark_table.all_of(connection, verdict, include_deleted)

    def give_feedback(self, feedback: Feedback) -> int:
        """Keeps a verdict on a match; gives its sequence number. Without a time it gets the present one."""
        feedback = clean_feedback(feedback)
        with self._connections.writing() as transaction:
            [found] = self._require(feedback.found)
            return feedback_table.add(transaction, found, feedback)

    def feedback(self) -> Iterator[Feedback]:
        """All feedback in the order of arrival; what is on deleted questions is left out."""
        with self._connections.streaming() as connection:
            yield from feedback_table.all_of(connection)

    def note(self, name: str, value: str) -> None:
        """Keeps a value under a name for whoever writes the archive, in the same commit as its writes."""
        with self._connections.writing() as transaction:
            note_table.put(transaction, name, value)

    def noted(self, name: str) -> str | None:
        """What was last noted under a name."""
        with self._connections.reading() as connection:
            return note_table.get(connection, name)

    def add_key(self, name: str, scope: Scope, *, expires: str = "") -> str:
        """Makes a key and tells it, this once: the archive keeps its checksum only.

        `expires` is a time in ISO format, in UTC if it names no zone; without one the key never expires.
        """
        check_key_name(name)
        key = Key(name, scope, created=now(), expires=clean_time(expires))
        with self._connections.writing() as transaction:
            made_up = key_table.add(transaction, key)
        if made_up is None:
            raise ConflictError(
                f"a key named {name!r} is in {self.path} already: choose another name, or revoke it first"
            )
        return made_up

    def find_key(self, key: str) -> Key | None:
        """What is known about a key that somebody presents, expired or not; None if it is none."""
        with self._connections.reading() as connection:
            return key_table.find(connection, key)

    def keys(self) -> list[Key]:
        """What is known about all keys, by name."""
        with self._connections.reading() as connection:
            return key_table.all_of(connection)

    def revoke_key(self, name: str) -> bool:
        """From now on the key of that name is unknown; whether there was one."""
        with self._connections.writing() as transaction:
            return key_table.revoke(transaction, name)

    def _require(self, *ids: str) -> list[int]:
        numbers = self.numbers(ids)
        for id in ids:
            if id not in numbers:
                raise UnknownQuestionError(f"unknown question {id!r} in {self.path}: add it first")
        return [numbers[id] for id in ids]


def _birth_token(connection: sqlite3.Connection) -> str:
    (token,) = connection.execute("SELECT value FROM meta WHERE key = 'uuid'").fetchone()
    return str(token)


def _batches(questions: Iterable[Question], size: int) -> Iterator[list[Question]]:
    """Lists of at most `size` questions, and fewer when they are large, so that memory stays bounded."""
    batch: list[Question] = []
    characters = 0
    for question in questions:
        batch.append(question)
        characters += length(question)
        if len(batch) >= size or characters >= MAX_QUESTION_CHARACTERS:
            yield batch
            batch, characters = [], 0
    if batch:
        yield batch
