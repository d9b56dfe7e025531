"""Boosted trees over features."""

from __future__ import annotations

from collections.abc import Sequence

from askagain.encoders.weightfile import Arrays
from askagain.question import Question, Reason
from askagain.rerank.extraction import FeatureExtractor
from askagain.rerank.trees.trees import Trees


class TreesJudge:
    """Arrays as `Trees` has them; a ModelError tells, after `where`, what is damaged."""

    def __init__(self, extractor: FeatureExtractor, arrays: Arrays, where: str = "the model") -> None:
        self._extractor = extractor
        self._trees = Trees(arrays, len(extractor.names), where)

    @property
    def threshold(self) -> float:
        """A score is the log of the odds: duplicates are those with a higher one than this."""
        return self._trees.threshold

    def score(self, query: Question, candidates: Sequence[Question]) -> list[float]:
        """The sum of the leaves that each pair comes to."""
        scores: list[float] = self._trees.score(self._extractor.matrix(query, candidates)).tolist()
        return scores

    def explain(self, query: Question, candidate: Question) -> list[Reason]:
        """What each feature adds to the mean score; what the engine's rank adds is left out."""
        [values] = self._extractor.matrix(query, [candidate])
        return self._extractor.reasons(self._trees.shares(values))
