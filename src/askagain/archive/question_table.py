"""The statements on the table of questions."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from askagain.archive.connections import Transaction
from askagain.archive.hygiene import is_possible_id
from askagain.archive.lookup import rows_for, stream
from askagain.archive.records import Change, PutCounts
from askagain.question import Question

_TEXTS = "title, body, tags, created, url, answer"
_BLANK = ("", "", "[]", "", "", "")
_INSERT = f"INSERT INTO questions (number, id, {_TEXTS}, seq) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
_UPDATE = """UPDATE questions SET title = ?, body = ?, tags = ?, created = ?, url = ?, answer = ?,
             deleted = ?, seq = ? WHERE number = ?"""


class _Stored(NamedTuple):
    number: int
    deleted: bool
    texts: tuple[str, ...]


def write(
    transaction: Transaction, questions: Iterable[Question], new_numbers: Mapping[str, int] | None = None
) -> PutCounts:
    """Adds or replaces clean questions; rows that stay as they are get no sequence number.

    Those that were not there get the next number, unless they find theirs by their id in `new_numbers`.
    """
    new = new_numbers or {}
    wanted = {question.id: _texts_of(question) for question in questions}
    stored = _stored(transaction.connection, wanted)
    inserts: list[tuple[object, ...]] = []
    updates: list[tuple[object, ...]] = []
    revived = 0
    for id, texts in wanted.items():
        row = stored.get(id)
        if row is None:
            inserts.append((new.get(id), id, *texts, transaction.next_seq()))
        elif row.deleted or row.texts != texts:
            updates.append((*texts, False, transaction.next_seq(), row.number))
            revived += row.deleted
    transaction.connection.executemany(_INSERT, inserts)
    transaction.connection.executemany(_UPDATE, updates)
    return PutCounts(
        added=len(inserts) + revived,
        changed=len(updates) - revived,
        unchanged=len(wanted) - len(inserts) - len(updates),
    )


def delete(transaction: Transaction, id: str) -> bool:
    """Blanks the question's text; its row stays, so that its number is never given to another."""
    number = numbers(transaction.connection, [id]).get(id)
    if number is None:
        return False
    transaction.connection.execute(_UPDATE, (*_BLANK, True, transaction.next_seq(), number))
    return True


def numbers(connection: sqlite3.Connection, ids: Iterable[str]) -> dict[str, int]:
    """The numbers of those questions that live."""
    select = "SELECT id, number FROM questions WHERE NOT deleted AND id IN"
    return dict(rows_for(connection, select, _possible(ids)))


def by_ids(connection: sqlite3.Connection, ids: Iterable[str]) -> dict[str, Question]:
    """Those questions that live, by id."""
    select = f"SELECT id, {_TEXTS} FROM questions WHERE NOT deleted AND id IN"
    return {row[0]: _question(row) for row in rows_for(connection, select, _possible(ids))}


def by_numbers(connection: sqlite3.Connection, numbers: Iterable[int]) -> dict[int, Question]:
    """Those questions that live, by number."""
    select = f"SELECT number, id, {_TEXTS} FROM questions WHERE NOT deleted AND number IN"
    return {row[0]: _question(row[1:]) for row in rows_for(connection, select, numbers)}


def count(connection: sqlite3.Connection) -> int:
    """How many questions live. Both counts run over small indexes instead of the texts."""
    (number,) = connection.execute(
        "SELECT (SELECT count(*) FROM questions) - (SELECT count(*) FROM questions WHERE deleted)"
    ).fetchone()
    return int(number)


def all_of(connection: sqlite3.Connection) -> Iterator[Question]:
    """Every question that lives, in the order of first arrival."""
    select = f"SELECT id, {_TEXTS} FROM questions WHERE NOT deleted ORDER BY number"
    return map(_question, stream(connection, select))


def numbered(connection: sqlite3.Connection, after: int, most: int) -> list[tuple[int, Question]]:
    """Of the questions that live and have higher numbers the first ones, with their numbers."""
    select = f"""SELECT number, id, {_TEXTS} FROM questions
                 WHERE NOT deleted AND number > ? ORDER BY number LIMIT ?"""
    return [(row[0], _question(row[1:])) for row in connection.execute(select, (after, most))]


def all_numbers(connection: sqlite3.Connection) -> list[int]:
    """The numbers of all questions that live, ascending."""
    select = "SELECT number FROM questions WHERE NOT deleted ORDER BY number"
    return [number for (number,) in connection.execute(select)]


def changes_since(connection: sqlite3.Connection, seq: int, limit: int | None) -> Iterator[Change]:
    """The questions that changed after `seq`, each in its latest state, oldest change first."""
    select = f"""SELECT seq, number, deleted, id, {_TEXTS} FROM questions
                 WHERE seq > ? ORDER BY seq LIMIT ?"""
    for row in stream(connection, select, (seq, -1 if limit is None else limit)):
        changed_at, number, deleted, id = row[:4]
        yield Change(changed_at, number, id, None if deleted else _question(row[3:]))


def _possible(ids: Iterable[str]) -> list[str]:
    return [id for id in ids if is_possible_id(id)]


def _stored(connection: sqlite3.Connection, ids: Iterable[str]) -> dict[str, _Stored]:
    select = f"SELECT id, number, deleted, {_TEXTS} FROM questions WHERE id IN"
    return {row[0]: _Stored(row[1], bool(row[2]), row[3:]) for row in rows_for(connection, select, ids)}


def _texts_of(question: Question) -> tuple[str, ...]:
    tags = json.dumps(question.tags, ensure_ascii=False) if question.tags else "[]"
    return (question.title, question.body, tags, question.created, question.url, question.answer)


def _question(row: tuple[Any, ...]) -> Question:
    id, title, body, tags, created, url, answer = row
    return Question(
        id=id,
        title=title,
        body=body,
        tags=() if tags == "[]" else tuple(json.loads(tags)),
        created=created,
        url=url,
        answer=answer,
    )
