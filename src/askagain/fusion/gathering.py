"""Candidates of several retrievers as one list, with everything that is known of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from askagain.fusion.signals import Signals
from askagain.lexical.ranker import LexicalRanker
from askagain.neighbours.ranker import VectorRanker
from askagain.question import Match, Question
from askagain.ranker import Ranker
from askagain.rerank.matrix import Matrix

# Cormack, Clarke and Büttcher 2009: what a first place counts more than a second.
_RECIPROCAL_RANK: Final = 60


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
        matches = self.candidates(asked, k)
        ids = [match.id for match in matches]
        cosines = {name: encoder.scores_by_id(asked, ids) for name, encoder in self.encoders.items()}
        # What another process has removed in between has no vector any more.
        there = [
            match
            for match in matches
            if match.question is not None and all(match.id in known for known in cosines.values())
        ]
        questions = [match.question for match in there if match.question is not None]
        columns = {name: [known[match.id] for match in there] for name, known in cosines.items()}
        return Gathered(questions, self.signals.matrix(asked, questions, columns))

    def candidates(self, asked: Question, k: int = 0) -> list[Match]:
        """The same before anything is measured."""
        depth = max(self._depth, k)
        rankers: tuple[Ranker, ...] = (self.lexical, *self.encoders.values())
        return _by_reciprocal_rank([ranker.search(asked, depth) for ranker in rankers])

    def given(self, asked: Question, candidates: Sequence[Question]) -> Gathered:
        """The same for a given list, whether the archive has the candidates or not."""
        columns = {name: encoder.score(asked, candidates) for name, encoder in self.encoders.items()}
        return Gathered(list(candidates), self.signals.matrix(asked, candidates, columns, listed=True))


def _by_reciprocal_rank(lists: Sequence[Sequence[Match]]) -> list[Match]:
    """Each match once, the highest Σ 1 / (60 + rank) first; of equals the one that was met first."""
    sums: dict[str, float] = {}
    matches: dict[str, Match] = {}
    for list_ in lists:
        for rank, match in enumerate(list_, start=1):
            sums[match.id] = sums.get(match.id, 0.0) + 1 / (_RECIPROCAL_RANK + rank)
            matches.setdefault(match.id, match)
    return [matches[id_] for id_ in sorted(sums, key=lambda id_: -sums[id_])]
