"""What learning from a matrix of features begins with."""

from __future__ import annotations

import numpy as np

from askagain.errors import TrainingError
from askagain.rerank.fit.examples import Examples
from askagain.rerank.matrix import Matrix


def check_learnable(examples: Examples) -> None:
    """There must be duplicates and others; a value may be unknown, but not infinite."""
    if examples.labels.all() or not examples.labels.any():
        raise TrainingError("the pairs are all duplicates, or none is: mark more duplicates first")
    infinite = np.isinf(examples.features).any(axis=0)
    if infinite.any():
        raise TrainingError(f"feature number {int(np.argmax(infinite))} is infinite for some pairs")


def equal_query_weights(examples: Examples) -> Matrix:
    """How much each pair counts, 1 on average, so that those of every list count the same in sum."""
    _, numbers, sizes = np.unique(examples.lists, return_inverse=True, return_counts=True)
    weights: Matrix = len(numbers) / (len(sizes) * sizes[numbers])
    return weights
