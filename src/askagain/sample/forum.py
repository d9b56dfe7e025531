"""The sample forum: some 360 questions on four topics, with duplicate and not-duplicate marks."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import resources
from typing import Final

from askagain.archive import Archive
from askagain.question import Mark, Question, Verdict
from askagain.sources.base import Source
from askagain.sources.jsonl import JsonlSource
from askagain.sources.pairs import PairsSource
from askagain.sources.rows import all_or_error

TOPICS: Final = ("computers", "cooking", "language", "travel")


def questions() -> list[Question]:
    """Every question, topic by topic."""
    records = (record for topic in TOPICS for record in _records(JsonlSource(), f"{topic}.jsonl"))
    return [record for record in records if isinstance(record, Question)]


def marks() -> list[Mark]:
    """Every mark: first the duplicates, then the pairs that only look like it."""
    return [
        *_marks("duplicates", Verdict.DUPLICATE),
        *_marks("non_duplicates", Verdict.NOT_DUPLICATE),
    ]


def load_into(archive: Archive) -> None:
    """Puts the whole forum into an archive."""
    with archive.transaction():
        archive.put_many(questions())
        for mark in marks():
            archive.mark(mark)


def _marks(kind: str, verdict: Verdict) -> list[Mark]:
    records = (record for topic in TOPICS for record in _records(PairsSource(), f"{topic}.{kind}.tsv"))
    return [Mark(record.first, record.second, verdict) for record in records if isinstance(record, Mark)]


def _records(source: Source, name: str) -> Iterator[object]:
    with resources.as_file(resources.files("askagain.sample").joinpath(name)) as path:
        yield from all_or_error(source.records(path))
