"""Weighted TextRank (Mihalcea & Tarau 2004): a vertex is as important as those that have strong edges to it.

    ws(i) = (1 - d) + d · Σ_j  weight(i, j) / Σ_k weight(j, k)  · ws(j)

Eq. 4 of Qi, Zhang & Liu (2017) has no factor ws(j); without it there would be nothing to iterate. In a graph
where every vertex has an edge, the scores are the weighted PageRank times the number of vertices, so their
mean is 1. A vertex without an edge has 1 - d.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from askagain.rerank.keywords.graph import Matrix

MOST_STEPS: Final = 200
CLOSE_ENOUGH: Final = 1e-10
"""It ends when no score changes by more. Each step takes off a share of 1 - d of what is left at least."""


def textrank(weights: Matrix, damping: float) -> Matrix:
    """The score of each vertex; weights: symmetric and not negative, [vertices, vertices]."""
    sums = weights.sum(axis=0)
    shares = weights / np.where(sums > 0, sums, 1.0)
    scores = np.ones(len(weights))
    for _ in range(MOST_STEPS):
        previous, scores = scores, (1 - damping) + damping * (shares @ scores)
        if np.abs(scores - previous).max(initial=0.0) <= CLOSE_ENOUGH:
            break
    return scores
