"""The AskUbuntu files of Lei et al. (2016): the corpus, the training pairs, and the labelled lists."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from askagain.question import Mark, Question
from askagain.sources.base import Progress, Record, no_progress
from askagain.sources.fields import checked_mark, checked_question, shown
from askagain.sources.files import read_head, text_lines
from askagain.sources.lists import Candidate, CandidateList
from askagain.sources.rows import RowError, all_or_error, convert_rows

_CORPUS_LINE = re.compile(rb"\d+\t[^\t\n]*\t[^\t\n]*(\n|$)")
_TRAINING_LINE = re.compile(rb"\d+\t[\d ]+\t[\d ]+\r?(\n|$)")


class AskubuntuSource:
    """The corpus `id TAB title TAB body`, and the training file `id TAB similar ids TAB random ids`."""

    name = "askubuntu-lei"

    def recognises(self, path: Path, head: bytes) -> bool:
        """A first line of a number and two more columns."""
        return _CORPUS_LINE.match(head) is not None

    def records(self, path: Path, progress: Progress = no_progress) -> Iterator[Record]:
        """The questions of a corpus, or the marks of a training file."""
        convert = _marks_of_line if _TRAINING_LINE.match(read_head(path)) else _questions_of_line
        return convert_rows(text_lines(path, progress), path, convert)


def read_training(path: Path) -> list[Mark]:
    """Each query with each of its similar questions; the random ones are nobody's verdict and left out."""
    return list(all_or_error(convert_rows(text_lines(path), path, _marks_of_line)))


def read_lists(path: Path, questions: Mapping[str, Question] | None = None) -> list[CandidateList]:
    """The lists of a dev or test file; `questions` gives the texts of the ids, which the file has not."""
    texts = questions or {}
    return list(all_or_error(convert_rows(text_lines(path), path, lambda line: _lists_of_line(line, texts))))


def _columns(line: str, count: int) -> list[str]:
    columns = line.split("\t")
    if len(columns) != count:
        raise RowError(f"{len(columns)} columns where {count} are expected")
    return columns


def _questions_of_line(line: str) -> Iterator[Question]:
    if line:
        id, title, body = _columns(line, 3)
        yield checked_question(Question(id=id, title=title, body=body))


def _marks_of_line(line: str) -> Iterator[Mark]:
    if line:
        query, similar, _ = _columns(line, 3)
        yield from (checked_mark(Mark(query, id)) for id in similar.split() if id != query)


def _lists_of_line(line: str, texts: Mapping[str, Question]) -> Iterator[CandidateList]:
    if not line:
        return
    query, similar, given, scores = _columns(line, 4)
    ids, values = given.split(), [_score(text) for text in scores.split()]
    if len(ids) != len(values):
        raise RowError(f"{len(ids)} candidates but {len(values)} scores")
    relevant = set(similar.split())
    candidates = tuple(
        Candidate(_question(id, texts), rank=rank, relevant=id in relevant, score=value)
        for rank, (id, value) in enumerate(zip(ids, values, strict=True), start=1)
    )
    yield CandidateList(_question(query, texts), candidates)


def _question(id: str, texts: Mapping[str, Question]) -> Question:
    return texts.get(id) or Question(title="", id=id)


def _score(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise RowError(f"score is not a number but {shown(text)}") from None
