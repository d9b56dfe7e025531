"""Quora's question pairs: a TSV file with two questions and a verdict per row."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from askagain.errors import SourceError
from askagain.question import Mark, Question, Verdict
from askagain.sources.base import Progress, Record, Skipped, no_progress
from askagain.sources.csvrecords import CsvRecords
from askagain.sources.fields import checked_mark, checked_question, shown
from askagain.sources.rows import RowError, convert_rows
from askagain.sources.table import header_names

_COLUMNS = ["id", "qid1", "qid2", "question1", "question2", "is_duplicate"]
_VERDICTS = {"0": Verdict.NOT_DUPLICATE, "1": Verdict.DUPLICATE}


class QuoraSource:
    """Each question once, and a mark for every pair."""

    name = "quora"

    def recognises(self, path: Path, head: bytes) -> bool:
        """The header of the published file."""
        return header_names(head, "\t") == set(_COLUMNS)

    def records(self, path: Path, progress: Progress = no_progress) -> Iterator[Record]:
        """The questions and the mark of each row; only the ids seen are remembered."""
        rows = iter(CsvRecords(path, "\t", progress))
        header = next(rows, None)
        if header is None or isinstance(header, Skipped) or header[1] != _COLUMNS:
            raise SourceError(f"{path} does not begin with the columns {', '.join(_COLUMNS)}; check --format")
        seen: set[str] = set()
        yield from convert_rows(rows, path, lambda cells: _records_of_row(cells, seen))


def _records_of_row(cells: list[str], seen: set[str]) -> Iterator[Question | Mark]:
    _, first, second, first_title, second_title, answer = cells
    for id, title in ((first, first_title), (second, second_title)):
        if id not in seen:
            yield checked_question(Question(id=id, title=title))
            seen.add(id)
    if answer not in _VERDICTS:
        raise RowError(f"is_duplicate is {shown(answer)}, not 0 or 1")
    yield checked_mark(Mark(first, second, _VERDICTS[answer]))
