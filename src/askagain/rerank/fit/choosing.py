"""The better of several ways to learn, by cross-validation over queries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from askagain.rerank.fit.examples import Examples
from askagain.rerank.fit.leftout import Learn, average_precisions, scores_left_out
from askagain.rerank.matrix import Matrix


@dataclass(frozen=True)
class Choice:
    """The name of the best, and of every one what it reached and its scores of lists that were left out."""

    name: str
    reached: Mapping[str, float]
    scores: Mapping[str, Matrix]


class Standing(NamedTuple):
    """One that gives way only to a better one that is ahead by so many standard errors."""

    name: str
    lead: float


def better_by_cross_validation(
    candidates: Mapping[str, Learn],
    examples: Examples,
    folds: int,
    seed: int,
    standing: Standing | None = None,
) -> Choice:
    """Each learns from the same folds; of equals the first is chosen.

    With few lists the best of several is often the luckiest: one may be `standing` against that.
    """
    scores = {name: scores_left_out(learn, examples, folds, seed) for name, learn in candidates.items()}
    precisions = {name: average_precisions(given, examples) for name, given in scores.items()}
    reached = {name: float(each.mean()) if len(each) else 0.0 for name, each in precisions.items()}
    best = max(reached, key=reached.__getitem__)
    if standing is not None and _lead(precisions[best], precisions[standing.name]) <= standing.lead:
        best = standing.name
    return Choice(best, reached, scores)


def _lead(one: Matrix, other: Matrix) -> float:
    """How far one is ahead over the same lists, in standard errors."""
    gains = one - other
    error = gains.std(ddof=1) / np.sqrt(len(gains)) if len(gains) > 1 else 0.0
    return float(gains.mean() / error) if error > 0 else 0.0
