"""Rows of JSON Lines and of Parquet files as questions or pairs of questions."""

from __future__ import annotations

from collections.abc import Iterator

from askagain.archive.hygiene import clean_question
from askagain.cluster.encoding.pairs import QuestionPair
from askagain.errors import ArchiveError
from askagain.question import Question
from askagain.sources.fields import checked_question, shown
from askagain.sources.jsonl import id_field, text_field
from askagain.sources.rows import RowError

TableRow = dict[str, object]

QUESTION_COLUMNS = ("id", "title", "body")
PAIR_COLUMNS = ("first", "second", "verdict")


def questions_of(row: TableRow) -> Iterator[Question]:
    """`{"id", "title", "body"?}`; a mark, which JSON Lines may have between questions, gives none."""
    if "first" in row and "second" in row:
        return
    yield _stored(checked_question(_question(row)))


def pairs_of(row: TableRow) -> Iterator[QuestionPair]:
    """`{"first": {"id"?, "title", "body"?}, "second": {…}, "verdict"?}`."""
    yield QuestionPair(_side(row, "first"), _side(row, "second"), text_field(row, "verdict"))


def _side(row: TableRow, name: str) -> Question:
    side = row.get(name)
    if not isinstance(side, dict):
        raise RowError(f"'{name}' is not a question with a title but {shown(side)}")
    question = _question(side)
    if not question.title.strip():
        raise RowError(f"'{name}' has no title")
    return question


def _question(row: TableRow) -> Question:
    return Question(title=text_field(row, "title"), body=text_field(row, "body"), id=id_field(row, "id"))


def _stored(question: Question) -> Question:
    """As an archive would have it, so that both give the same vector."""
    try:
        return clean_question(question)
    except ArchiveError as error:
        raise RowError(str(error)) from None
