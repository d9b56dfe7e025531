"""Naive Bayes over features with a normal density for each (John and Langley 1995)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from askagain.encoders.weightfile import Arrays
from askagain.question import Question, Reason
from askagain.rerank.extraction import FeatureExtractor
from askagain.rerank.matrix import Matrix

# Further apart than this, a sigmoid is 0 or 1 in any precision.
_MOST: Final = 500.0


class BayesJudge:
    """Arrays: means and variances [2, features], prior [1] = log of the odds; row 1 is that of duplicates."""

    threshold: Final = 0.5

    def __init__(self, extractor: FeatureExtractor, arrays: Arrays) -> None:
        self._extractor = extractor
        self._arrays = arrays

    def score(self, query: Question, candidates: Sequence[Question]) -> list[float]:
        """The probability that the pair is one of duplicates, if features were independent."""
        evidence = self._evidence(self._extractor.matrix(query, candidates)).sum(axis=1)
        odds = np.clip(evidence + self._arrays["prior"][0], -_MOST, _MOST)
        probabilities: list[float] = (1 / (1 + np.exp(-odds))).tolist()
        return probabilities

    def explain(self, query: Question, candidate: Question) -> list[Reason]:
        """How much each feature adds to the logarithm of the odds."""
        [evidence] = self._evidence(self._extractor.matrix(query, [candidate]))
        return self._extractor.reasons(evidence)

    def _evidence(self, values: Matrix) -> Matrix:
        """log N(value; duplicates) − log N(value; others): [pairs, features]."""
        means, variances = (self._arrays[name].astype(np.float64) for name in ("means", "variances"))
        logs = [
            -0.5 * (np.log(variance) + (values - mean) ** 2 / variance)
            for mean, variance in zip(means, variances, strict=True)
        ]
        evidence: Matrix = logs[1] - logs[0]
        return evidence
