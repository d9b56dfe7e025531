"""Candidates of several retrievers as one list, with everything that is known of each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from askagain.fusion.signals import Signals
from askagain.lexical.index import Hits as LexicalHits
from askagain.lexical.ranker import LexicalRanker
from askagain.neighbours.exact import Hits as VectorHits
from askagain.neighbours.ranker import VectorRanker
from askagain.question import Match, Question
from askagain.rerank.matrix import Matrix

# Cormack, Clarke and Büttcher 2009: what a first place counts more than a second.
_RECIPROCAL_RANK: Final = 60

_Scores = dict[int, float]
"""The scores of questions by the archive's numbers, best first."""


class Gathered(NamedTuple):
    """Candidates in the order of their summed reciprocal ranks, and their signals."""

    questions: list[Question]
    matrix: Matrix


class Gatherer:
    """Asks BM25 and all encoders, and measures what comes back."""

    def __init__(
        self, lexical: LexicalRanker, encoders: Mapping[str, VectorRanker], signals: Signals, depth: int
    ) -> None:
        self.lexical = lexical
        self.encoders = dict(encoders)
        self.signals = signals
        self._depth = depth

    def found(self, asked: Question, k: int = 0) -> Gathered:
        """What the archive has, without the question itself; of each retriever at least k."""
        [gathered] = self.found_for_many([asked], max(self._depth, k))
        return gathered

    def found_for_many(self, asked: Sequence[Question], depth: int) -> list[Gathered]:
        """The same for many questions, of each retriever so many."""
        hits = self._hits(asked, depth)
        questions = self._questions(hits)
        return [
            self._measured(each, some, self._candidates(each, some, questions, depth))
            for each, some in zip(asked, hits, strict=True)
        ]

    def _measured(
        self, asked: Question, hits: Sequence[_Scores], candidates: Mapping[int, Question]
    ) -> Gathered:
        cosines = {
            name: scores | encoder.scores(asked, candidates.keys() - scores)
            for (name, encoder), scores in zip(self.encoders.items(), hits[1:], strict=True)
        }
        # What another process has removed in between has no vector any more.
        known = set(candidates).intersection(*cosines.values())
        there = [number for number in candidates if number in known]
        questions = [candidates[number] for number in there]
        columns = {name: [scores[number] for number in there] for name, scores in cosines.items()}
        return Gathered(questions, self.signals.matrix(asked, questions, columns))

    def candidates(self, asked: Question, k: int = 0) -> list[Match]:
        """The same before anything is measured, with the reciprocals of their places as scores."""
        depth = max(self._depth, k)
        hits = self._hits([asked], depth)
        found = self._candidates(asked, hits[0], self._questions(hits), depth).values()
        return [Match(question.id, 1 / place, question=question) for place, question in enumerate(found, 1)]

    def given(self, asked: Question, candidates: Sequence[Question]) -> Gathered:
        """The same for a given list, whether the archive has the candidates or not."""
        columns = {name: encoder.score(asked, candidates) for name, encoder in self.encoders.items()}
        return Gathered(list(candidates), self.signals.matrix(asked, candidates, columns, listed=True))

    def _hits(self, asked: Sequence[Question], depth: int) -> list[tuple[_Scores, ...]]:
        """For each question, of BM25 and then of each encoder; one more than asked for: itself."""
        rankers: tuple[LexicalRanker | VectorRanker, ...] = (self.lexical, *self.encoders.values())
        every = [map(_scores, ranker.hits_of_many(asked, depth + 1)) for ranker in rankers]
        return list(zip(*every, strict=True))

    def _questions(self, hits: Iterable[Iterable[_Scores]]) -> dict[int, Question]:
        """All that were found, by their numbers."""
        numbers = {number for lists in hits for scores in lists for number in scores}
        return self.lexical.view.archive.by_numbers(numbers)

    def _candidates(
        self, asked: Question, hits: Iterable[_Scores], found: Mapping[int, Question], depth: int
    ) -> dict[int, Question]:
        """Questions by their numbers, in the order of their summed reciprocal ranks."""
        lists = [
            [number for number in scores if number in found and not _is(found[number], asked)][:depth]
            for scores in hits
        ]
        return {number: found[number] for number in _by_reciprocal_rank(lists)}


def _scores(hits: LexicalHits | VectorHits) -> _Scores:
    return dict(zip(hits.numbers.tolist(), hits.scores.tolist(), strict=True))


def _is(found: Question, asked: Question) -> bool:
    return bool(asked.id) and found.id == asked.id


def _by_reciprocal_rank(lists: Iterable[Sequence[int]]) -> list[int]:
    """Each number once, the highest Σ 1 / (60 + rank) first; of equals the one that was met first."""
    sums: dict[int, float] = {}
    for list_ in lists:
        for rank, number in enumerate(list_, start=1):
            sums[number] = sums.get(number, 0.0) + 1 / (_RECIPROCAL_RANK + rank)
    return sorted(sums, key=sums.__getitem__, reverse=True)
