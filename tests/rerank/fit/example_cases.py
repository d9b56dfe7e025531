"""Made-up lists for what learns from matrices of features."""

import numpy as np

from askagain.rerank.fit.examples import Examples


def made(lists: int = 40, features: int = 5, seed: int = 0, *, unknown: float = 0.0) -> Examples:
    """Lists of ten; the first feature is higher for duplicates, two others matter together."""
    chance = np.random.default_rng(seed)
    matrix = chance.normal(size=(10 * lists, features))
    signal = 1.5 * matrix[:, 0] + matrix[:, 1] * matrix[:, 2]
    labels = signal + chance.normal(size=len(matrix)) > 1
    matrix[chance.random(matrix.shape) < unknown] = np.nan
    return Examples(matrix, labels, np.repeat(np.arange(lists), 10))
