"""Candidates of several retrievers as one list, with everything that is known of each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from askagain.fusion.signals import Signals
from askagain.lexical.ranker import LexicalRanker
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
        depth = max(self._depth, k)
        hits = self._hits(asked, depth)
        candidates = self._candidates(asked, hits, depth)
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
        found = self._candidates(asked, self._hits(asked, depth), depth).values()
        return [Match(question.id, 1 / place, question=question) for place, question in enumerate(found, 1)]

    def given(self, asked: Question, candidates: Sequence[Question]) -> Gathered:
        """The same for a given list, whether the archive has the candidates or not."""
        columns = {name: encoder.score(asked, candidates) for name, encoder in self.encoders.items()}
        return Gathered(list(candidates), self.signals.matrix(asked, candidates, columns, listed=True))

    def _hits(self, asked: Question, depth: int) -> list[_Scores]:
        """Of BM25, and then of each encoder; one more than asked for: the question itself may be there."""
        rankers: tuple[LexicalRanker | VectorRanker, ...] = (self.lexical, *self.encoders.values())
        every = [ranker.hits(asked, depth + 1) for ranker in rankers]
        return [dict(zip(hits.numbers.tolist(), hits.scores.tolist(), strict=True)) for hits in every]

    def _candidates(self, asked: Question, hits: Sequence[_Scores], depth: int) -> dict[int, Question]:
        """Questions by their numbers, in the order of their summed reciprocal ranks."""
        found = self.lexical.view.archive.by_numbers({number for scores in hits for number in scores})
        others = {
            number: question
            for number, question in found.items()
            if not (asked.id and question.id == asked.id)
        }
        lists = [[number for number in scores if number in others][:depth] for scores in hits]
        return {number: others[number] for number in _by_reciprocal_rank(lists)}


def _by_reciprocal_rank(lists: Iterable[Sequence[int]]) -> list[int]:
    """Each number once, the highest Σ 1 / (60 + rank) first; of equals the one that was met first."""
    sums: dict[int, float] = {}
    for list_ in lists:
        for rank, number in enumerate(list_, start=1):
            sums[number] = sums.get(number, 0.0) + 1 / (_RECIPROCAL_RANK + rank)
    return sorted(sums, key=sums.__getitem__, reverse=True)
