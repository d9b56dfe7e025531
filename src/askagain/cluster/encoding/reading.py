"""What sources have to offer, each at its place: an archive, JSON Lines, or Parquet.

A place is a line, a row, or the number that an archive has given to a question; it stays the same when
something else is added, changed or deleted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Final, TypeVar

from askagain.archive import Archive
from askagain.cluster.encoding import parquet
from askagain.cluster.encoding.pairs import QuestionPair
from askagain.cluster.encoding.rows import (
    PAIR_COLUMNS,
    QUESTION_COLUMNS,
    TableRow,
    pairs_of,
    questions_of,
)
from askagain.errors import SourceError
from askagain.question import Question
from askagain.sources.base import Progress, Skipped, no_progress
from askagain.sources.files import read_head, text_lines
from askagain.sources.jsonl import JsonlSource, parse_object
from askagain.sources.rows import Row, convert_rows, last_place

Item = TypeVar("Item", Question, QuestionPair)

_ARCHIVE_MAGIC: Final = b"SQLite format 3\0"
_AT_ONCE: Final = 1000


def is_archive(path: Path) -> bool:
    """Whether a source is an archive."""
    return read_head(path).startswith(_ARCHIVE_MAGIC)


def placed_questions(path: Path, progress: Progress = no_progress) -> Iterator[Row[Question] | Skipped]:
    """Every question of a source, with as much of it as encoders read."""
    if is_archive(path):
        return _archived_questions(path, progress)
    return _converted(path, QUESTION_COLUMNS, questions_of, progress)


def placed_pairs(path: Path, progress: Progress = no_progress) -> Iterator[Row[QuestionPair] | Skipped]:
    """Every pair of a source; of an archive those that people have marked."""
    if is_archive(path):
        return _marked_pairs(path)
    return _converted(path, PAIR_COLUMNS, pairs_of, progress)


def _converted(
    path: Path,
    columns: tuple[str, ...],
    convert: Callable[[TableRow], Iterable[Item]],
    progress: Progress,
) -> Iterator[Row[Item] | Skipped]:
    """The place of a record is that of its row."""
    head = read_head(path)
    records: Iterator[Item | Skipped]
    if head.startswith(parquet.MAGIC):
        records = convert_rows(parquet.table_rows(path, columns, progress), path, convert)
    elif not head.strip() or JsonlSource().recognises(path, head):
        records = convert_rows(text_lines(path, progress), path, partial(_converted_line, convert))
    else:
        raise SourceError(f"{path} is neither an archive nor JSON Lines nor Parquet: import it first")
    for record in records:
        yield record if isinstance(record, Skipped) else (last_place().line, record)


def _converted_line(convert: Callable[[TableRow], Iterable[Item]], line: str) -> Iterable[Item]:
    return convert(parse_object(line)) if line.strip() else ()


def _archived_questions(path: Path, progress: Progress) -> Iterator[Row[Question]]:
    with Archive.open(path, create=False) as archive:
        total, done, last = len(archive), 0, 0
        while found := archive.numbered(last, _AT_ONCE):
            for last, question in found:
                yield last, _read(question)
            done += len(found)
            progress(done, total)


def _marked_pairs(path: Path) -> Iterator[Row[QuestionPair]]:
    with Archive.open(path, create=False) as archive:
        yield from enumerate(_pairs_of_marks(archive), start=1)


def _pairs_of_marks(archive: Archive) -> Iterator[QuestionPair]:
    marks = archive.marks()
    while some := list(islice(marks, _AT_ONCE)):
        known = archive.get_many({id_ for mark in some for id_ in (mark.first, mark.second)})
        for mark in some:
            if mark.first in known and mark.second in known:
                yield QuestionPair(_read(known[mark.first]), _read(known[mark.second]), mark.verdict.value)


def _read(question: Question) -> Question:
    return Question(question.title, question.body, question.id)
