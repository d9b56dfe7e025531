"""A weighted sum of features, as linear SVMs and logistic regressions learn it."""

from __future__ import annotations

from collections.abc import Sequence

from askagain.encoders.weightfile import Arrays
from askagain.question import Question, Reason
from askagain.rerank.extraction import FeatureExtractor
from askagain.rerank.linear import linear_scores, linear_shares


class LinearJudge:
    """Arrays: mean, scale and weights [features], bias and threshold [1]."""

    def __init__(self, extractor: FeatureExtractor, arrays: Arrays) -> None:
        self._extractor = extractor
        self._arrays = arrays

    @property
    def threshold(self) -> float:
        """Where the labels that were learned from divide best."""
        return float(self._arrays["threshold"][0])

    def score(self, query: Question, candidates: Sequence[Question]) -> list[float]:
        """Σ weight · (value − mean) / scale + bias."""
        scores: list[float] = linear_scores(self._arrays, self._extractor.matrix(query, candidates)).tolist()
        return scores

    def explain(self, query: Question, candidate: Question) -> list[Reason]:
        """The share of each feature; the bias and what the engine's rank adds are left out."""
        [shares] = linear_shares(self._arrays, self._extractor.matrix(query, [candidate]))
        return self._extractor.reasons(shares)
