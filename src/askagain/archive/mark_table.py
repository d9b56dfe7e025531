"""The statements on the table of marks."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

from askagain.archive.connections import Transaction, now
from askagain.archive.lookup import stream
from askagain.question import Mark, Verdict

_FIND = "SELECT verdict, who, at FROM marks WHERE first = ? AND second = ?"
_PUT = "INSERT OR REPLACE INTO marks (first, second, verdict, who, at, seq) VALUES (?, ?, ?, ?, ?, ?)"
_WITHDRAW = "UPDATE marks SET verdict = NULL, seq = ? WHERE first = ? AND second = ?"
_SELECT = """SELECT one.id, two.id, marks.verdict, marks.who, marks.at
             FROM marks JOIN questions one ON one.number = marks.first
                        JOIN questions two ON two.number = marks.second
             WHERE marks.verdict IS NOT NULL AND (?1 IS NULL OR marks.verdict = ?1)
               AND (?2 OR NOT (one.deleted OR two.deleted))
             ORDER BY marks.first, marks.second"""


def put(transaction: Transaction, pair: tuple[int, int], mark: Mark) -> bool:
    """Sets the mark of a pair of question numbers; whether that changed anything."""
    first, second = sorted(pair)
    found = transaction.connection.execute(_FIND, (first, second)).fetchone()
    when = mark.when or (found[2] if found and found[:2] == (mark.verdict, mark.who) else now())
    if found == (mark.verdict, mark.who, when):
        return False
    row = (first, second, mark.verdict.value, mark.who, when, transaction.next_seq())
    transaction.connection.execute(_PUT, row)
    return True


def withdraw(transaction: Transaction, pair: tuple[int, int]) -> bool:
    """Takes back the mark of a pair of question numbers; whether there was one."""
    first, second = sorted(pair)
    found = transaction.connection.execute(_FIND, (first, second)).fetchone()
    if found is None or found[0] is None:
        return False
    transaction.connection.execute(_WITHDRAW, (transaction.next_seq(), first, second))
    return True


def all_of(connection: sqlite3.Connection, verdict: Verdict | None, include_deleted: bool) -> Iterator[Mark]:
    """Every mark that stands, in the order of the questions' first arrival."""
    wanted = None if verdict is None else verdict.value
    for first, second, given, who, at in stream(connection, _SELECT, (wanted, include_deleted)):
        yield Mark(first, second, Verdict(given), who, at)
