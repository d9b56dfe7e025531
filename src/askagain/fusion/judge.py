"""What was learned about the order of candidates: signals to scores, scores to probabilities."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from askagain.calibration.calibration import Calibration
from askagain.encoders.weightfile import Arrays
from askagain.evaluation.metrics import FloatArray
from askagain.fusion.recipe import Method
from askagain.rerank.linear import linear_scores, linear_shares
from askagain.rerank.matrix import Matrix
from askagain.rerank.trees.trees import Trees


@dataclass(frozen=True)
class FusedJudge:
    """A logistic regression or boosted trees over signals of these names, and a calibration of its scores."""

    method: Method
    names: tuple[str, ...]
    arrays: Arrays
    calibration: Calibration

    def scores(self, matrix: Matrix) -> Matrix:
        """[candidates]: log-odds, before calibration."""
        return self._trees.score(matrix) if self.method == "trees" else linear_scores(self.arrays, matrix)

    def shares(self, row: Matrix) -> Matrix:
        """[signals]: what each signal of one candidate adds to its score."""
        if self.method == "trees":
            return self._trees.shares(row)
        [shares] = linear_shares(self.arrays, row[np.newaxis])
        return np.asarray(shares)

    def probabilities(self, scores: Matrix) -> FloatArray:
        """How likely each candidate is a duplicate."""
        return self.calibration.probabilities(scores)

    def as_default(self, precision: float) -> FusedJudge:
        """The same, with probabilities that are not calibrated on the forum at hand."""
        return replace(self, calibration=self.calibration.as_default(precision))

    @cached_property
    def _trees(self) -> Trees:
        return Trees(self.arrays, len(self.names))
