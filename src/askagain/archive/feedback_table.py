"""The statements on the table of feedback."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

from askagain.archive.connections import Transaction, now
from askagain.archive.lookup import stream
from askagain.question import Feedback, Verdict

_ADD = "INSERT INTO feedback (seq, title, body, found, verdict, who, at) VALUES (?, ?, ?, ?, ?, ?, ?)"
_SELECT = """SELECT feedback.title, feedback.body, questions.id, verdict, who, at
             FROM feedback JOIN questions ON questions.number = feedback.found
             WHERE NOT questions.deleted
             ORDER BY feedback.seq"""


def add(transaction: Transaction, found: int, feedback: Feedback) -> int:
    """Keeps feedback on the question with the number `found`; gives its sequence number."""
    seq = transaction.next_seq()
    when = feedback.when or now()
    row = (seq, feedback.title, feedback.body, found, feedback.verdict.value, feedback.who, when)
    transaction.connection.execute(_ADD, row)
    return seq


def all_of(connection: sqlite3.Connection) -> Iterator[Feedback]:
    """All feedback on questions that live, in the order of arrival."""
    for title, body, found, verdict, who, at in stream(connection, _SELECT):
        yield Feedback(title, body, found, Verdict(verdict), who, at)
