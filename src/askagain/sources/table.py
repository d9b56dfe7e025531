"""CSV and TSV files with named columns: questions, or pairs of question ids."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from askagain.errors import SourceError
from askagain.question import Mark, Question
from askagain.sources.base import Progress, Record, Skipped, no_progress
from askagain.sources.csvrecords import CsvRecords
from askagain.sources.fields import checked_mark, checked_question, parsed_verdict, shown, split_tags
from askagain.sources.rows import convert_rows

_QUESTION_COLUMNS = {"id", "title"}
_MARK_COLUMNS = {"first", "second"}

NamedCells = dict[str, str]


@dataclass(frozen=True, slots=True)
class TableSource:
    """Columns `id`, `title`, `body`, `tags`, `created`, `url`, `answer`, or `first`, `second`, `verdict`."""

    name: str
    delimiter: str

    def recognises(self, path: Path, head: bytes) -> bool:
        """A first line that names the columns that we need."""
        names = header_names(head, self.delimiter)
        return names >= _QUESTION_COLUMNS or names >= _MARK_COLUMNS

    def records(self, path: Path, progress: Progress = no_progress) -> Iterator[Record]:
        """Every row of the file as a question or a mark."""
        rows = iter(CsvRecords(path, self.delimiter, progress))
        names: list[str] = []
        for row in rows:
            if not isinstance(row, Skipped):
                names = [cell.strip().lower() for cell in row[1]]
                break
            yield row
        convert = _converter(path, names)
        yield from convert_rows(rows, path, lambda cells: [convert(dict(zip(names, cells, strict=True)))])


def header_names(head: bytes, delimiter: str) -> set[str]:
    """The lower-cased cells of the first line of a file's head."""
    first_line = head.split(b"\n", 1)[0].decode("utf-8", errors="replace").rstrip("\r")
    try:
        cells = next(csv.reader([first_line], delimiter=delimiter), [])
    except csv.Error:
        return set()
    return {cell.strip().lower() for cell in cells}


def _converter(path: Path, names: list[str]) -> Callable[[NamedCells], Question | Mark]:
    if set(names) >= _QUESTION_COLUMNS:
        return _question
    if set(names) >= _MARK_COLUMNS:
        return _mark
    found = shown(", ".join(names)) if names else "none"
    raise SourceError(
        f"{path} needs the columns id and title, or first and second, but has: {found}; change its first line"
    )


def _question(row: NamedCells) -> Question:
    return checked_question(
        Question(
            id=row["id"].strip(),
            title=row["title"],
            body=row.get("body", ""),
            tags=split_tags(row.get("tags", "")),
            created=row.get("created", ""),
            url=row.get("url", ""),
            answer=row.get("answer", ""),
        )
    )


def _mark(row: NamedCells) -> Mark:
    verdict = parsed_verdict(row.get("verdict", ""))
    return checked_mark(Mark(row["first"].strip(), row["second"].strip(), verdict))
