"""What judges of pairs learn from: lists of candidates that are marked as duplicates or not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256

import numpy as np

from askagain.errors import TrainingError
from askagain.question import Question
from askagain.sources.lists import Candidate, CandidateList
from askagain.training.data import TrainingData, partners_of
from askagain.training.lexical import bm25_candidates

LIST_LENGTH = 10


@dataclass(frozen=True)
class PairData:
    """Lists with labels; those of `dev`, if any, are measured with and not learned from."""

    lists: tuple[CandidateList, ...]
    dev: tuple[CandidateList, ...] = ()
    source: str = ""

    def __post_init__(self) -> None:
        labels = {entry.relevant for list_ in self.lists for entry in list_.candidates}
        if None in labels:
            raise TrainingError("a list has candidates without a label: there is nothing to learn from them")
        if labels != {True, False}:
            raise TrainingError(
                "there must be pairs that are duplicates and pairs that are not: mark some duplicates first"
            )

    @cached_property
    def hash(self) -> str:
        """SHA-256 of everything that is learned from and measured with."""
        digest = sha256()
        for list_ in (*self.lists, *self.dev):
            digest.update(repr(_content(list_.query)).encode("utf-8", "replace"))
            for entry in list_.candidates:
                told = (*_content(entry.question), entry.rank, entry.relevant)
                digest.update(repr(told).encode("utf-8", "replace"))
        return digest.hexdigest()


def _content(question: Question) -> tuple[str, str, str]:
    return question.id, question.title, question.body


def from_marks(data: TrainingData) -> PairData:
    """Every marked question with its best BM25 candidates; those that are not marked count as different.

    A marked duplicate that is not among them comes last.
    """
    asked = np.unique(data.pairs) if len(data.pairs) else np.zeros(0, dtype=np.int64)
    partners = partners_of(data.pairs.tolist())
    lists = _lists(data, asked, [partners[row] for row in asked.tolist()])
    dev = _lists(data, data.dev.queries, data.dev.relevant) if data.dev else []
    return PairData(tuple(lists), tuple(dev), data.source)


def _lists(
    data: TrainingData,
    asked: np.ndarray[tuple[int], np.dtype[np.int64]],
    partners: Sequence[Iterable[int]],
) -> list[CandidateList]:
    found = bm25_candidates(data.questions, asked, LIST_LENGTH)
    lists = []
    for query, candidates, marked in zip(asked.tolist(), found.tolist(), partners, strict=True):
        rows = [row for row in candidates if row >= 0]
        rows += [row for row in sorted(marked) if row not in rows]
        entries = tuple(
            Candidate(data.questions[row], rank, bool(data.groups[row] == data.groups[query]))
            for rank, row in enumerate(rows, start=1)
        )
        lists.append(CandidateList(data.questions[query], entries))
    return lists
