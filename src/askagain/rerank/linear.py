"""A weighted sum of features, of which some may be unknown."""

from __future__ import annotations

import numpy as np

from askagain.encoders.weightfile import Arrays
from askagain.rerank.matrix import Matrix


def linear_shares(arrays: Arrays, matrix: Matrix) -> Matrix:
    """weight · (value − mean) / scale: [pairs, features]; what is unknown counts as the mean."""
    shares: Matrix = (matrix - arrays["mean"]) / arrays["scale"] * arrays["weights"]
    return np.where(np.isnan(matrix), 0.0, shares)


def linear_scores(arrays: Arrays, matrix: Matrix) -> Matrix:
    """The sum of all shares and the bias: [pairs]."""
    scores: Matrix = linear_shares(arrays, matrix).sum(axis=1) + float(arrays["bias"][0])
    return scores
