"""How good a model is while it learns: the mean reciprocal rank of marked duplicates that it does not see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from askagain.encoders.model import Model
from askagain.encoders.reading import QuestionTexts
from askagain.encoders.recipe import EncoderSystem
from askagain.encoders.texts import Rows
from askagain.encoders.vectors import QuestionVectors
from askagain.neighbours import exact
from askagain.neighbours.rows import Rows as Stored
from askagain.neighbours.rows import selected
from askagain.question import Question
from askagain.training.data import DevSet, TrainingData
from askagain.training.lexical import bm25_candidates

TOP = 10
MOST_OTHERS = 10_000
"""Among at most so many other questions the duplicates are sought: enough to compare epochs by."""
LIST_LENGTH = 20


def measure_of(system: EncoderSystem, data: TrainingData, seed: int) -> DevMeasure | None:
    """The dev set as the system is used: search, or the order of lexical candidates."""
    if data.dev is None:
        return None
    lists = system.search.candidates == "bm25"
    dev = with_lists(data.dev, data.questions) if lists else data.dev
    # Where no list has a duplicate, every order is as good as any other.
    return DevMeasure(dev, len(data.questions), seed) if dev.can_be_found else None


class DevMeasure:
    """Measures models on a dev set: by search among many questions, or by order in given lists."""

    def __init__(self, dev: DevSet, questions: int, seed: int) -> None:
        self._dev = dev
        needed = [dev.queries, *(np.array(sorted(found), dtype=np.int64) for found in dev.relevant)]
        if dev.lists is None:
            others = np.random.default_rng(seed).permutation(questions)[:MOST_OTHERS]
        else:
            others = dev.lists[dev.lists >= 0]
        self.pool: Rows = np.unique(np.concatenate([*needed, others]))

    def mrr(self, model: Model, texts: Sequence[QuestionTexts]) -> float:
        """In percent."""
        vectors = model.encode_texts([part.take(self.pool) for part in texts])
        places = np.searchsorted(self.pool, self._dev.queries)
        queries = model.as_queries(selected(vectors, places))
        if self._dev.lists is None:
            ranks = self._searched(queries, vectors, model.columns)
        else:
            ranks = self._ordered(queries, vectors, model.columns)
        return 100 * float(np.mean(ranks)) if ranks else 0.0

    def bm25(self, questions: Sequence[Question]) -> float:
        """What BM25 gets, for comparison; in percent."""
        if self._dev.lists is None:
            places = np.searchsorted(self.pool, self._dev.queries)
            found = bm25_candidates([questions[row] for row in self.pool.tolist()], places, TOP)
            lists = np.where(found >= 0, self.pool[found], -1)
        else:
            lists = self._dev.lists
        ranks = [
            _reciprocal(list_.tolist(), relevant)
            for list_, relevant in zip(lists, self._dev.relevant, strict=True)
            if self._dev.lists is None or relevant.intersection(list_.tolist())
        ]
        return 100 * float(np.mean(ranks)) if ranks else 0.0

    def _searched(self, queries: QuestionVectors, vectors: QuestionVectors, columns: int) -> list[float]:
        stored = Stored(vectors.dense.shape[1])
        stored.append(self.pool.tolist(), vectors)
        hits = exact.search(stored, queries, TOP + 1, columns)
        return [
            _reciprocal([row for row in found.numbers.tolist() if row != query][:TOP], relevant)
            for query, found, relevant in zip(self._dev.queries, hits, self._dev.relevant, strict=True)
        ]

    def _ordered(self, queries: QuestionVectors, vectors: QuestionVectors, columns: int) -> list[float]:
        assert self._dev.lists is not None
        ranks = []
        for place, (list_, relevant) in enumerate(zip(self._dev.lists, self._dev.relevant, strict=True)):
            rows = list_[list_ >= 0]
            if not relevant.intersection(rows.tolist()):
                continue
            candidates = selected(vectors, np.searchsorted(self.pool, rows))
            scores = exact.scores_of(queries.row(place), candidates, columns)
            ranks.append(_reciprocal(rows[np.argsort(-scores, kind="stable")].tolist(), relevant))
        return ranks


def _reciprocal(rows: Sequence[int], relevant: frozenset[int]) -> float:
    return next((1 / rank for rank, row in enumerate(rows, start=1) if row in relevant), 0.0)


def with_lists(dev: DevSet, questions: Sequence[Question]) -> DevSet:
    """The same queries, each with its best BM25 candidates: what is measured is their order."""
    return replace(dev, lists=bm25_candidates(questions, dev.queries, LIST_LENGTH))
