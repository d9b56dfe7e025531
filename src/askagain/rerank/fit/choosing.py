"""The better of several ways to learn, by cross-validation over queries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from askagain.rerank.fit.examples import Examples
from askagain.rerank.fit.leftout import Learn, average_precisions, scores_left_out
from askagain.rerank.matrix import Matrix

_BEYOND_CHANCE: Final = 2.0
"""So many standard errors."""


@dataclass(frozen=True)
class Choice:
    """The name of the best, and of every one what it reached and its scores of lists that were left out."""

    name: str
    reached: Mapping[str, float]
    scores: Mapping[str, Matrix]


def better_by_cross_validation(
    candidates: Mapping[str, Learn],
    examples: Examples,
    folds: int,
    seed: int,
    standing: str | None = None,
) -> Choice:
    """Each learns from the same folds; of equals the first is chosen.

    The one that is `standing` gives way only to one that is better by more than chance: with few lists the
    best of several is often the luckiest.
    """
    scores = {name: scores_left_out(learn, examples, folds, seed) for name, learn in candidates.items()}
    precisions = {name: average_precisions(given, examples) for name, given in scores.items()}
    reached = {name: float(each.mean()) if len(each) else 0.0 for name, each in precisions.items()}
    best = max(reached, key=reached.__getitem__)
    if standing is not None and not _is_better(precisions[best], precisions[standing]):
        best = standing
    return Choice(best, reached, scores)


def _is_better(one: Matrix, other: Matrix) -> bool:
    """Over the same lists."""
    gains = one - other
    return len(gains) > 1 and bool(gains.mean() > _BEYOND_CHANCE * gains.std(ddof=1) / np.sqrt(len(gains)))
